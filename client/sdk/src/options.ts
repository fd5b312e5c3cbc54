/** The options of a client and of a single call, and their defaults. */
import { ModelgateError } from './errors.ts';
import type { Logger, LogLevel, LogSettings } from './logger.ts';

/** Additional headers. They override headers that the client sets. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The options of a `Modelgate` client. */
export interface ClientOptions {
  /** The gateway's base URL, ending with `/v1`. Defaults to the environment variable `MODELGATE_BASE_URL`. */
  readonly baseURL?: string | undefined;
  /** The API key, `mg-…`. Defaults to the environment variable `MODELGATE_API_KEY`. Keep it on servers, never in a browser or an app. */
  readonly apiKey?: string | undefined;
  /** Replaces the runtime's `fetch`: for a proxy or a test. It must respect `signal`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Maximum number of retries of a failed request. Defaults to 2. */
  readonly maxRetries?: number | undefined;
  /** Timeout in milliseconds: until the response is complete, or between two chunks of a stream. Defaults to 600,000 (10 minutes). */
  readonly timeoutMs?: number | undefined;
  /** Headers for every request. */
  readonly headers?: ExtraHeaders | undefined;
  /** Gets an entry for each attempt of a request, such as `console`. Omit to log nothing. */
  readonly logger?: Logger | undefined;
  /**
   * The lowest level to log. Defaults to `info`: attempts that succeeded (`info`), that will be retried (`warn`), and that failed for good
   * (`error`). `debug` also logs when an attempt is sent.
   */
  readonly logLevel?: LogLevel | undefined;
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
   * Idempotency key of the call, 1 to 255 visible characters. Within 24 hours, the same request with the same key gets the same response
   * and is charged once.
   * Defaults to a new key for every POST that the client can retry. Null sends no key, and every retry is a new request.
   * The gateway finishes a call with a key even if the client disconnects.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** Headers for this request. They override the client's headers. */
  readonly headers?: ExtraHeaders | undefined;
  /** Body fields that the types don't have, such as those of a newer upstream. They override the body. Can't contain `stream`. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Called with every response before its body is read, for its headers (`x-request-id`, `x-modelgate-dropped`). Don't read the body. */
  readonly onResponse?: ((response: Response) => void) | undefined;
}

/** The client's options, with defaults applied. */
export interface Settings extends LogSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly headers: ExtraHeaders | undefined;
}

/** Read only if the option is omitted, because some runtimes ask the user before they grant access to the environment. */
const readEnvironment = (name: string) => globalThis.process?.env?.[name];

/** @throws ModelgateError immediately if an option is missing or invalid, because every call would fail. */
export function readSettings(options: ClientOptions): Settings {
  const baseURL = (options.baseURL ?? readEnvironment('MODELGATE_BASE_URL') ?? '').replace(/\/+$/, '');
  const apiKey = (options.apiKey ?? readEnvironment('MODELGATE_API_KEY') ?? '').trim();
  if (!/^https?:.+\/v1$/.test(baseURL)) {
    throw new ModelgateError(`The base URL ends in /v1; baseURL or MODELGATE_BASE_URL is '${baseURL}'.`);
  }
  if (!apiKey) throw new ModelgateError('No API key: set apiKey or MODELGATE_API_KEY.');
  return {
    baseURL,
    apiKey,
    // Looked up at each call, because a test or a tracer can replace it later.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    maxRetries: options.maxRetries ?? 2,
    timeoutMs: options.timeoutMs ?? 600_000,
    headers: options.headers,
    logger: options.logger,
    logLevel: options.logLevel ?? 'info',
  };
}
