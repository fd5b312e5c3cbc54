/** Sends requests to the deployment under test. */
import { Violation } from './violation.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  json(): unknown;
}

export interface RequestOptions {
  readonly method?: string;
  /** Body that is sent as JSON. */
  readonly json?: unknown;
  /** Body that is sent unchanged. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the key under test. Null to send no key. */
  readonly key?: string | null;
}

export interface VerifyClient {
  readonly model: string;
  /** Null if images aren't tested. */
  readonly imageModel: string | null;
  /** A key with a limit of one request per minute. Null if none was specified. */
  readonly limitedKey: string | null;
  /** Sends a request to a path below the base URL, such as `/models`. */
  send(path: string, request?: RequestOptions): Promise<HttpResponse>;
}

export interface Target {
  /** Base URL, which ends in `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Maximum time per response, in milliseconds. */
  readonly timeoutMs: number;
  /** Sends the requests. Defaults to Node's `fetch`, which uses no proxy. */
  readonly fetch?: typeof fetch;
}

export async function sendToTarget(
  { baseUrl, key: defaultKey, timeoutMs, fetch: send = fetch }: Target,
  path: string,
  request: RequestOptions = {},
): Promise<HttpResponse> {
  const { json, headers, key = defaultKey } = request;
  const body = json === undefined ? request.body : JSON.stringify(json);
  const response = await send(`${baseUrl}${path}`, {
    method: request.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the response isn't JSON: ${text.slice(0, 120)}`);
  }
}
