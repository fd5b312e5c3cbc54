/** Sends a request until it is answered, gives up, or may not be repeated (specification parts 5 and 7). */
import { Attempt, givenUp } from './attempt.ts';
import { ConnectionError, ModelgateError } from './errors.ts';
import { readFailure } from './failures.ts';
import type { Fields } from './fields.ts';
import type { RequestOptions, Settings } from './options.ts';
import { backoffMs, LONGEST_WAIT_MS, mayRetry } from './retry.ts';
import { type Route, version } from './routes.gen.ts';
import { hasFiles, writeForm } from './uploads.ts';

/** An answer of 2xx whose body is still to be read. */
export interface Answer {
  readonly response: Response;
  readonly attempt: Attempt;
}

/** What is asked, the same at every try. */
export interface Order {
  readonly settings: Settings;
  readonly route: Route;
  readonly body?: Fields | undefined;
  readonly options: RequestOptions;
}

/** How long this failure says to wait before it is tried again; undefined where it is final. */
function waitAfter(error: unknown, retry: number): number | undefined {
  if (!(error instanceof ModelgateError)) return undefined;
  const { status, headers, retryAfterMs = backoffMs(retry) } = error;
  const mayHelp = status && headers ? mayRetry(status, headers) : error instanceof ConnectionError;
  return mayHelp && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : undefined;
}

/** Rejects with an AbortError as soon as the caller gives up. */
const pause = (waitMs: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(givenUp(signal));
      else resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

function writeRequest({ settings, route, body, options }: Order): RequestInit {
  const headers = new Headers({
    authorization: `Bearer ${settings.apiKey}`,
    accept: body?.stream === true ? 'text/event-stream' : 'application/json',
    'user-agent': `modelgate-client/${version}`,
  });
  if (body) headers.set('content-type', 'application/json');
  for (const extra of [settings.headers, options.headers]) {
    for (const [name, value] of Object.entries(extra ?? {})) headers.set(name, value);
  }
  if (!body || !hasFiles(body)) return { method: route.method, headers, body: JSON.stringify(body) };
  // fetch names the form's boundary itself, but only where no content type is set.
  headers.delete('content-type');
  return { method: route.method, headers, body: writeForm(body) };
}

async function ask({ settings, route, options }: Order, init: RequestInit, attempt: Attempt): Promise<Response> {
  let response: Response;
  try {
    response = await settings.fetch(settings.baseURL + route.path, { ...init, signal: attempt.signal });
  } catch (error) {
    throw attempt.explain(error);
  }
  options.onResponse?.(response);
  if (response.ok) return response;
  throw await readFailure(response);
}

/** Resolves with the first answer of 2xx; rejects with the last failure. Nothing is sent again once an answer of 2xx has begun. */
export async function send(order: Order): Promise<Answer> {
  const { settings, options } = order;
  const { signal, timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries } = options;
  const init = writeRequest(order);
  for (let retry = 0; ; retry++) {
    const attempt = new Attempt({ signal, timeoutMs });
    try {
      return { attempt, response: await ask(order, init, attempt) };
    } catch (error) {
      attempt.abort();
      const waitMs = retry < maxRetries ? waitAfter(error, retry) : undefined;
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}
