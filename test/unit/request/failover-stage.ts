/** Runs failover over scripted candidates, on a clock that the test controls. */
import { expect } from 'vitest';
import type { ErrorCode } from '../../../contract/errors.ts';
import { GatewayError } from '../../../server/errors.ts';
import { AttemptFailed, isAnswer, isFault, runFailover } from '../../../server/request/failover.ts';
import { openCircuitBreakers } from '../../../server/upstreams/circuit-breaker.ts';
import type { Verdict } from '../../../server/upstreams/failure-classification.ts';
import { type HeldClock, holdClock } from '../../harness/held-clock.ts';
import { openCall } from './one-call.ts';
import { placeAt } from './places.ts';

export interface Told {
  /** The status of the vendor's answer; null without an answer. */
  readonly status?: number | null;
  readonly waitS?: number;
  /** `again`: one of several API keys was refused. */
  readonly verdict?: Verdict;
}

export function failed(code: ErrorCode, { status = null, waitS, verdict }: Told = {}): AttemptFailed {
  const headers: Record<string, string> = waitS === undefined ? {} : { 'retry-after': String(waitS) };
  const more = { restMs: (waitS ?? 0) * 1_000, ...(verdict === 'again' ? { isOfOneKey: true } : verdict && { verdict }) };
  return new AttemptFailed(new GatewayError(code, { headers }), { status, ...more });
}

/** What a candidate does when it is asked: it answers, fails, or cannot be asked. */
export type Deed = 'answers' | 'cannot be asked' | Error | (() => Deed);

export interface Order {
  /** By upstream, one deed for each request; the last one is repeated. */
  readonly deeds: Readonly<Record<string, readonly Deed[]>>;
  readonly maxAttempts?: number;
  readonly deadlineMs?: number;
  readonly isAbandoned?: () => boolean;
}

export function openTries(
  { deeds, maxAttempts = 10, deadlineMs = 60_000, isAbandoned = () => false }: Order,
  clock: HeldClock = holdClock(),
) {
  const { call } = openCall();
  const health = openCircuitBreakers({ settings: () => breaker, isFault, isAnswer });
  const places = Object.keys(deeds).map((upstream) => placeAt(upstream));
  const asked: string[] = [];
  const prepare = ({ upstream }: { readonly upstream: string }) => {
    const before = asked.filter((name) => name === upstream).length;
    const own = deeds[upstream] ?? [];
    let deed = own[Math.min(before, own.length - 1)] ?? 'answers';
    if (deed === 'cannot be asked') return null;
    return async () => {
      asked.push(upstream);
      call.outcome.beginAttempt(upstream);
      while (typeof deed === 'function') deed = deed();
      if (deed instanceof Error) throw deed;
      return upstream;
    };
  };
  const run = () =>
    runFailover({
      call,
      health,
      candidates: places,
      prepare,
      attempt: (work) => work(),
      isAbandoned,
      routing: { ...routing, maxAttempts, deadlineMs },
    });
  return { call, health, places, asked, clock, run };
}

export const breaker = { failures: 100, cooldownMs: 60_000 };
const routing = { affinity: 'none', breaker } as const;

/** The error that the caller gets. */
export async function fails(run: () => Promise<string>): Promise<GatewayError> {
  const thrown = await run().then(
    (answer) => expect.fail(`answered by ${answer}`),
    (error: unknown) => error,
  );
  return thrown instanceof AttemptFailed ? thrown.error : expect.fail(`no failed attempt: ${thrown}`);
}

export const busy = 'rate_limit_exceeded';
