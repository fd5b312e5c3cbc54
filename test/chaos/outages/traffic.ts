/** Constant traffic of every kind, and the answer of each call with its time. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { chatFrames } from '../../fakes/chat.ts';
import { stream } from '../../fakes/delivery.ts';
import { maxTokens, model, type Stage } from './stage.ts';

const messages = [{ role: 'user', content: 'hi' }];
export const chat = { path: '/v1/chat/completions', body: { model, max_tokens: maxTokens, messages } };
const streamed = { ...chat, body: { ...chat.body, stream: true } };

export interface Asking {
  /** Which gateway; past the last one it is the first again. */
  readonly at: number;
  readonly key: string;
  readonly what?: { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
  /** An idempotency key. */
  readonly once?: string;
}

export interface Outcome {
  readonly asking: Asking;
  readonly status: number;
  readonly code: string | null;
  readonly retryAfter: string | null;
  /** Of the request, as the gateway names it. */
  readonly id: string;
  readonly text: string;
  /** By `performance.now()`. */
  readonly at: number;
  /** Until the answer was there, whole. */
  readonly ms: number;
}

/** Rejects if the connection breaks. */
export async function ask({ origins, agent }: Stage, asking: Asking): Promise<Outcome> {
  const { at: gateway, key, what = chat, once } = asking;
  const at = performance.now();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(once !== undefined && { 'idempotency-key': once }),
  };
  const url = `${origins[gateway % origins.length]}${what.path}`;
  const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(what.body), dispatcher: agent });
  const text = await answer.body.text();
  const { statusCode: status, headers: told } = answer;
  const retryAfter = told['retry-after'] === undefined ? null : String(told['retry-after']);
  return { asking, status, code: codeIn(text, status), retryAfter, id: String(told['x-request-id']), text, at, ms: performance.now() - at };
}

function codeIn(text: string, status: number): string | null {
  if (status === 200) return null;
  const body: unknown = JSON.parse(text);
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}

export const countStatuses = (told: readonly Outcome[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of told) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

export const longest = (told: readonly Outcome[]): number => Math.max(0, ...told.map(({ ms }) => ms));

/** Running streams on each gateway that send the rest after `release`. */
export async function openStreams(stage: Stage, key: string, each: number) {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const frames = chatFrames({ model, includeUsage: true });
  const count = each * stage.origins.length;
  stage.fake.next(stream([...frames.slice(0, 6), { until: gate }, ...frames.slice(6)]), { times: count });
  const before = stage.fake.requests.length;
  const outcomes = Promise.all(Array.from({ length: count }, (_, at) => ask(stage, { at, key, what: streamed })));
  // A test that fails earlier has reported its own reason.
  outcomes.catch(() => undefined);
  await stage.fake.arrival(before + count - 1, 60_000);
  return { outcomes, release };
}

export interface Traffic {
  /** All that have ended so far. */
  readonly told: readonly Outcome[];
  /** Sends no more calls; resolves when all have ended, and rejects if a connection broke. */
  stop(): Promise<readonly Outcome[]>;
}

/** Sends a round of calls at each interval, whatever becomes of the earlier ones, until the end of the test. */
export function openTraffic(stage: Stage, everyMs: number, round: () => readonly Asking[]): Traffic {
  const told: Outcome[] = [];
  const broken: unknown[] = [];
  const running: Promise<unknown>[] = [];
  const come = (): void => {
    for (const asking of round()) {
      running.push(
        ask(stage, asking).then(
          (one) => told.push(one),
          (error: unknown) => broken.push(error),
        ),
      );
    }
  };
  come();
  const timer = setInterval(come, everyMs);
  onTestFinished(() => clearInterval(timer));
  return {
    told,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      if (broken.length > 0) throw new AggregateError(broken, `${broken.length} connections broke: ${broken[0]}`);
      return told;
    },
  };
}

export const newOnce = (): string => randomUUID();
