/** The options of a client and of a single call, and their defaults. */
import { ModelgateError } from './errors.ts';

/** Headers to send besides those that the client sets itself; they win over them. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** What a `Modelgate` is made from. */
export interface ClientOptions {
  /** Address of the gateway, ending in `/v1`. Absent: the environment variable `MODELGATE_BASE_URL`. */
  readonly baseURL?: string | undefined;
  /** The key, `mg-…`. Absent: the environment variable `MODELGATE_API_KEY`. Keep it on servers, never in a browser or an app. */
  readonly apiKey?: string | undefined;
  /** Replaces the runtime's `fetch`: for a proxy, a test, a log. It must honour `signal`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a failed request is retried. Absent: 2. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds: until the answer is complete, or between two pieces of a stream. Absent: 600 000 (ten minutes). */
  readonly timeoutMs?: number | undefined;
  /** Headers for every request. */
  readonly headers?: ExtraHeaders | undefined;
}

/** The options of a single call. */
export interface RequestOptions {
  /** Ends the call when it is aborted, also while it waits for a retry; the call then throws an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** As in the client's options, only for this call. */
  readonly maxRetries?: number | undefined;
  /** As in the client's options, only for this call. */
  readonly timeoutMs?: number | undefined;
  /**
   * The same request with the same key within 24 hours gets the same answer and is charged once; 1 to 255 visible characters.
   * Absent: the client makes a key for every POST that it may retry. Null: no key is sent, and a retry is a new request.
   * The gateway finishes a call with a key even when its caller disconnects.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** Headers for this request; they win over those of the client. */
  readonly headers?: ExtraHeaders | undefined;
  /** Fields of the body that the types do not have, such as those of a newer upstream; not `stream`. They win over the body. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Called with every answer before its body is read, for its headers (`x-request-id`, `x-modelgate-ignored`); leave the body alone. */
  readonly onResponse?: ((response: Response) => void) | undefined;
}

/** The client's options, complete. */
export interface Settings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly headers: ExtraHeaders | undefined;
}

/** Read only when the option is absent: a runtime may ask its user before it allows access to the environment. */
const fromEnvironment = (name: string) => globalThis.process?.env?.[name];

/** @throws ModelgateError at once for an option with which no call could succeed. */
export function readSettings(options: ClientOptions): Settings {
  const baseURL = (options.baseURL ?? fromEnvironment('MODELGATE_BASE_URL') ?? '').replace(/\/+$/, '');
  const apiKey = (options.apiKey ?? fromEnvironment('MODELGATE_API_KEY') ?? '').trim();
  if (!/^https?:.+\/v1$/.test(baseURL)) {
    throw new ModelgateError(`The base URL ends in /v1; baseURL or MODELGATE_BASE_URL is '${baseURL}'.`);
  }
  if (!apiKey) throw new ModelgateError('There is no API key: set apiKey or MODELGATE_API_KEY.');
  return {
    baseURL,
    apiKey,
    // Looked up at each call: a test or a tracer may replace it later.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    maxRetries: options.maxRetries ?? 2,
    timeoutMs: options.timeoutMs ?? 600_000,
    headers: options.headers,
  };
}
