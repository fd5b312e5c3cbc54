/** Calls the deployment under test like any client, over HTTP. */
import { Violation } from './violation.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  json(): unknown;
}

export interface Ask {
  readonly method?: string;
  /** As JSON. */
  readonly json?: unknown;
  /** As it is. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the key under test; null: no key. */
  readonly key?: string | null;
}

export interface Caller {
  readonly model: string;
  /** Null when images are not tested. */
  readonly imageModel: string | null;
  /** A key with a limit of one request per minute; null when there is none. */
  readonly limitedKey: string | null;
  /** `path`: under the base URL, `/models`. */
  ask(path: string, ask?: Ask): Promise<Answer>;
}

export interface Target {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** In milliseconds, for each answer. */
  readonly timeoutMs: number;
}

export async function askTarget({ baseUrl, key: ownKey, timeoutMs }: Target, path: string, ask: Ask = {}): Promise<Answer> {
  const { json, headers, key = ownKey } = ask;
  const body = json === undefined ? ask.body : JSON.stringify(json);
  const answer = await fetch(`${baseUrl}${path}`, {
    method: ask.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: () => parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the answer is not JSON: ${text.slice(0, 120)}`);
  }
}
