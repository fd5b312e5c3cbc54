/** The options of a client and of a single call, and their defaults. */
import { ModelgateError } from './errors.ts';

/** Headers to send besides those that the client sets; they override those. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The options of a `Modelgate` client. */
export interface ClientOptions {
  /** The gateway's base URL, ending with `/v1`. Defaults to the environment variable `MODELGATE_BASE_URL`. */
  readonly baseURL?: string | undefined;
  /** The API key, `mg-…`. Defaults to the environment variable `MODELGATE_API_KEY`. Keep it on servers, never in a browser or an app. */
  readonly apiKey?: string | undefined;
  /** Replaces the runtime's `fetch`: for a proxy, a test, or a log. It must respect `signal`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a failed request is retried. Defaults to 2. */
  readonly maxRetries?: number | undefined;
  /** Timeout in milliseconds: until the response is complete, or between two pieces of a stream. Defaults to 600 000 (10 minutes). */
  readonly timeoutMs?: number | undefined;
  /** Headers for every request. */
  readonly headers?: ExtraHeaders | undefined;
}

/** The options of a single call. */
export interface RequestOptions {
  /** Ends the call when it's aborted, including while it waits for a retry. The call then throws an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's option for this call. */
  readonly maxRetries?: number | undefined;
  /** Overrides the client's option for this call. */
  readonly timeoutMs?: number | undefined;
  /**
   * The same request with the same key within 24 hours gets the same response and is charged once; 1 to 255 visible characters.
   * Defaults to a new key for every POST that the client may retry. Null sends no key, and a retry is then a new request.
   * The gateway finishes a call that has a key even if the client disconnects.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** Headers for this request; they override those of the client. */
  readonly headers?: ExtraHeaders | undefined;
  /** Fields of the body that the types don't have, such as those of a newer upstream; not `stream`. They override the body. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Called with every response before its body is read, for its headers (`x-request-id`, `x-modelgate-ignored`). Don't read the body. */
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

/** Read only if the option is omitted: a runtime may ask its user before it allows access to the environment. */
const fromEnvironment = (name: string) => globalThis.process?.env?.[name];

/** @throws ModelgateError immediately for an option with which no call could succeed. */
export function readSettings(options: ClientOptions): Settings {
  const baseURL = (options.baseURL ?? fromEnvironment('MODELGATE_BASE_URL') ?? '').replace(/\/+$/, '');
  const apiKey = (options.apiKey ?? fromEnvironment('MODELGATE_API_KEY') ?? '').trim();
  if (!/^https?:.+\/v1$/.test(baseURL)) {
    throw new ModelgateError(`The base URL ends in /v1; baseURL or MODELGATE_BASE_URL is '${baseURL}'.`);
  }
  if (!apiKey) throw new ModelgateError('No API key: set apiKey or MODELGATE_API_KEY.');
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
