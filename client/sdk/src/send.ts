/** Sends a request, with retries, until it succeeds or fails for good. */
import { Attempt } from './attempt.ts';
import { ConnectionError, ModelgateError } from './errors.ts';
import { readFailure } from './failures.ts';
import type { Fields } from './fields.ts';
import type { RequestOptions, Settings } from './options.ts';
import { backoffMs, MAX_WAIT_MS, mayRetry } from './retry.ts';
import { type Route, version } from './routes.gen.ts';
import { hasFiles, writeForm } from './uploads.ts';

/** A 2xx response whose body hasn't been read yet. */
export interface Answer {
  readonly response: Response;
  readonly attempt: Attempt;
}

/** The request, the same at every attempt. */
export interface Order {
  readonly settings: Settings;
  readonly route: Route;
  readonly body?: Fields | undefined;
  readonly options: RequestOptions;
}

/** How long to wait before a retry after this failure; undefined if it's final. */
function waitAfter(error: ModelgateError, retry: number): number | undefined {
  const { status, headers, retryAfterMs = backoffMs(retry) } = error;
  const mayHelp = status && headers ? mayRetry(status, headers) : error instanceof ConnectionError;
  return mayHelp && retryAfterMs <= MAX_WAIT_MS ? retryAfterMs : undefined;
}

/** Resolves when the time is over; rejects with an AbortError as soon as the caller aborts. */
const pause = (timeoutMs: number, signal: AbortSignal | undefined) =>
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

/** A request that can be retried has a key, the same at every attempt. If a response was lost, the retry gets it again, charged once. */
function idempotencyKey({ settings, route, options }: Order): string | null {
  const { idempotencyKey: own, maxRetries = settings.maxRetries } = options;
  if (own !== undefined) return own;
  if (route.method !== 'POST' || maxRetries < 1) return null;
  // Pages without https and some runtimes for apps have no randomUUID.
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
}

function writeRequest(order: Order): RequestInit {
  const { settings, route, body, options } = order;
  const headers = new Headers({
    authorization: `Bearer ${settings.apiKey}`,
    accept: body?.stream === true ? 'text/event-stream' : 'application/json',
    'user-agent': `modelgate-client/${version}`,
  });
  if (body) headers.set('content-type', 'application/json');
  const key = idempotencyKey(order);
  if (key) headers.set('idempotency-key', key);
  for (const extra of [settings.headers, options.headers]) {
    for (const [name, value] of Object.entries(extra ?? {})) headers.set(name, value);
  }
  const isForm = body && hasFiles(body);
  // fetch names the form's boundary itself, but only where no content type is set.
  if (isForm) headers.delete('content-type');
  return { method: route.method, headers, body: isForm ? writeForm(body) : JSON.stringify(body) };
}

async function ask({ settings, route, options }: Order, init: RequestInit, attempt: Attempt): Promise<Response> {
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

/** Resolves with the first 2xx response; rejects with the last failure. Nothing is sent again once a 2xx response has started. */
export async function send(order: Order): Promise<Answer> {
  const { settings, options } = order;
  const { signal, timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries } = options;
  const init = writeRequest(order);
  const until = Date.now() + timeoutMs;
  for (let retry = 0; ; ) {
    const attempt = new Attempt({ signal, timeoutMs });
    try {
      return { attempt, response: await ask(order, init, attempt) };
    } catch (error) {
      attempt.abort();
      if (!(error instanceof ModelgateError) || retry >= maxRetries) throw error;
      const waitMs = waitAfter(error, retry);
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
      // An earlier attempt with the same key is still in flight: wait for its response as long as a response may take.
      if (error.code !== 'idempotency_conflict' || Date.now() > until) retry++;
    }
  }
}
