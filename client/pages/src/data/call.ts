/** Calls the gateway, typed by its contract: `call(name, input)` sends the route's request and returns the response or a failure. */
import { CONSOLE_HEADER } from 'virtual:browser';
import type { Arguments, Operations, RouteErrorCode, Success } from './contract-types.ts';
import { Failure } from './failure.ts';

interface Route {
  readonly method: string;
  /** With `:name` for each parameter. */
  readonly path: string;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export type Result<Body, Code extends string> =
  | { readonly ok: true; readonly body: Body; readonly requestId: string | null }
  | { readonly ok: false; readonly failure: Failure<Code> };

export type Call<Contract extends Operations> = <Name extends keyof Contract & string>(
  name: Name,
  ...input: [...Arguments<Contract[Name]>, signal?: AbortSignal]
) => Promise<Result<Success<Contract[Name]>, RouteErrorCode<Contract[Name]>>>;

/** Returns a route for each operation of a contract. The argument is the content of a virtual module. */
export function createCall<Contract extends Operations>(routes: unknown): Call<Contract> {
  // `as`: build/contract-modules.ts generates the module from this contract.
  const known = routes as Readonly<Record<keyof Contract & string, Route>>;
  // `as`, below: the types of input and response are the contract's, which the gateway follows.
  const callOperation = (name: keyof Contract & string, input?: AnyInput, signal?: AbortSignal) => send(known[name], input ?? {}, signal);
  return callOperation as unknown as Call<Contract>;
}

/** The path and query of a call. */
export function buildUrl({ path }: Route, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function send(route: Route, input: AnyInput, signal: AbortSignal | undefined): Promise<Result<unknown, string>> {
  try {
    const answer = await fetch(buildUrl(route, input), createRequestInit(route, input, signal));
    return await readAnswer(answer);
  } catch (error) {
    // Ignores the failure of a call that its caller aborted.
    if (signal?.aborted) throw error;
    return { ok: false, failure: new Failure({ ...nothing, code: 'unreachable', message: "The gateway didn't respond." }) };
  }
}

const nothing = { status: 0, param: null, requestId: null, retryAfterSeconds: null } as const;

function createRequestInit({ method }: Route, { body }: AnyInput, signal: AbortSignal | undefined): RequestInit {
  const base: RequestInit = { method, credentials: 'same-origin', cache: 'no-store', ...(signal && { signal }) };
  if (method === 'GET') return { ...base, headers: { accept: 'application/json' } };
  // The gateway rejects a change without these two headers, because another origin can't send them.
  const headers = { accept: 'application/json', 'content-type': 'application/json', [CONSOLE_HEADER]: '1' };
  return { ...base, headers, body: JSON.stringify(body ?? {}) };
}

async function readAnswer(answer: Response): Promise<Result<unknown, string>> {
  const requestId = answer.headers.get('x-request-id');
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok && body !== undefined) return { ok: true, body, requestId };
  return { ok: false, failure: toFailure(answer, body) };
}

function toFailure({ status, headers }: Response, body: unknown): Failure {
  // `as`: every field is checked before use.
  const error = (body as { error?: { code?: unknown; message?: unknown; param?: unknown } } | undefined)?.error;
  const isOurs = typeof error?.code === 'string' && typeof error.message === 'string';
  return new Failure({
    status,
    code: isOurs ? String(error.code) : 'unreadable_answer',
    message: isOurs ? String(error.message) : `Unexpected response with status ${status}: it didn't come from the gateway.`,
    param: typeof error?.param === 'string' ? error.param : null,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: parseSeconds(headers.get('retry-after')),
    body,
  });
}

const parseSeconds = (value: string | null): number | null => (value !== null && /^\d+$/.test(value) ? Number(value) : null);
