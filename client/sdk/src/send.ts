/** Sends a request, with retries, until it succeeds or fails for good. */
import { Attempt } from './attempt.ts';
import { ConnectionError, ModelgateError } from './errors.ts';
import { readFailure } from './failures.ts';
import type { Fields } from './fields.ts';
import { log, toErrorFields } from './logger.ts';
import type { RequestOptions, Settings } from './options.ts';
import { canRetry, getBackoffMs, MAX_WAIT_MS } from './retry.ts';
import { type Route, version } from './routes.gen.ts';
import { hasFiles, writeForm } from './uploads.ts';

/** A 2xx response whose body hasn't been read yet. */
export interface SentResponse {
  readonly response: Response;
  readonly attempt: Attempt;
}

/** A request, which stays the same at every attempt. */
export interface OutgoingRequest {
  readonly settings: Settings;
  readonly route: Route;
  readonly body?: Fields | undefined;
  /** Whether the response is a stream of events. */
  readonly isStream: boolean;
  readonly options: RequestOptions;
}

/** Returns the wait before the next retry, in milliseconds, or undefined if a retry can't help or the wait is too long. */
function getRetryDelayMs(error: ModelgateError, retry: number): number | undefined {
  const { status, headers, retryAfterMs = getBackoffMs(retry) } = error;
  const mayHelp = status && headers ? canRetry(status, headers) : error instanceof ConnectionError;
  return mayHelp && retryAfterMs <= MAX_WAIT_MS ? retryAfterMs : undefined;
}

/** Resolves after the timeout. Rejects with an `AbortError` as soon as the caller aborts. */
const sleep = (timeoutMs: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const wait = new Attempt({ signal, timeoutMs });
    const end = () => {
      wait.close();
      if (signal?.aborted) reject(wait.signal.reason);
      else resolve();
    };
    if (wait.signal.aborted) end();
    else wait.signal.addEventListener('abort', end);
  });

/**
 * Requests that can be retried have a key, which is the same at every attempt. If a response was lost, the retry gets it again without a
 * new charge.
 */
function getIdempotencyKey({ settings, route, options }: OutgoingRequest): string | null {
  const { idempotencyKey: own, maxRetries = settings.maxRetries } = options;
  if (own !== undefined) return own;
  if (route.method !== 'POST' || maxRetries < 1) return null;
  // `randomUUID` is missing in pages without HTTPS and in some app runtimes.
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
}

function writeRequest(order: OutgoingRequest): RequestInit {
  const { settings, route, body, options } = order;
  const headers = new Headers({
    authorization: `Bearer ${settings.apiKey}`,
    accept: body?.stream === true ? 'text/event-stream' : 'application/json',
    'user-agent': `modelgate-client/${version}`,
  });
  if (body) headers.set('content-type', 'application/json');
  const key = getIdempotencyKey(order);
  if (key) headers.set('idempotency-key', key);
  for (const extra of [settings.headers, options.headers]) {
    for (const [name, value] of Object.entries(extra ?? {})) headers.set(name, value);
  }
  const isForm = body && hasFiles(body);
  // fetch sets the content type with the form's boundary, but only if no content type is set.
  if (isForm) headers.delete('content-type');
  return { method: route.method, headers, body: isForm ? writeForm(body) : JSON.stringify(body) };
}

async function sendOnce({ settings, route, options }: OutgoingRequest, init: RequestInit, attempt: Attempt): Promise<Response> {
  let response: Response;
  try {
    response = await settings.fetch(settings.baseURL.slice(0, -'/v1'.length) + route.path, { ...init, signal: attempt.signal });
  } catch (error) {
    throw attempt.explain(error);
  }
  options.onResponse?.(response);
  if (response.ok) return response;
  throw await readFailure(response);
}

/** Resolves with the first 2xx response, or rejects with the last error. Never retries after a 2xx response has started. */
export async function send(order: OutgoingRequest): Promise<SentResponse> {
  const { settings, options, route } = order;
  const { signal, timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries } = options;
  const { method, path } = route;
  const init = writeRequest(order);
  const until = Date.now() + timeoutMs;
  for (let retry = 0; ; ) {
    const attempt = new Attempt({ signal, timeoutMs });
    const startedAt = Date.now();
    const getFields = () => ({ method, path, durationMs: Date.now() - startedAt });
    log(settings, 'debug', 'request sent', { method, path });
    try {
      const response = await sendOnce(order, init, attempt);
      const { status, headers } = response;
      log(settings, 'info', 'response received', { ...getFields(), status, requestId: headers.get('x-request-id') });
      return { attempt, response };
    } catch (error) {
      attempt.abort();
      if (!(error instanceof ModelgateError)) throw error;
      const retryInMs = retry < maxRetries ? getRetryDelayMs(error, retry) : undefined;
      const level = retryInMs === undefined ? 'error' : 'warn';
      log(settings, level, 'request failed', { ...getFields(), ...toErrorFields(error), retryInMs });
      if (retryInMs === undefined) throw error;
      await sleep(retryInMs, signal);
      // An earlier attempt with the same key is still in flight. Until the timeout, waiting for it doesn't count as a retry.
      if (error.code !== 'idempotency_conflict' || Date.now() > until) retry++;
    }
  }
}
