/** The limiters of a supervisor and in Redis compared with the one in memory, over random sequences of steps (promise G11). */
import fc from 'fast-check';
import { test as base, describe, expect } from 'vitest';
import type { AcquireResult, Acquisition, Limit, Limiter, Windows } from '../../../server/limits/limiter.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { limitOf, plain, takeOf } from '../../unit/limits/limit.ts';
import { type Engine, engines, openMemory } from './engines.ts';

const some = [
  limitOf('requests', 7),
  limitOf('tokens', 50),
  limitOf('concurrency', 3),
  limitOf('requests', 11, { scope: 'account', subject: 'acct_1' }),
  limitOf('tokens', 90, { scope: 'group', subject: 'vip' }),
  limitOf('requests', 2, { scope: 'model', subject: 'house/large', mode: 'observe' }),
  limitOf('concurrency', 1, { scope: 'model', subject: 'house/large', mode: 'observe' }),
] satisfies readonly Limit[];

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'call'; readonly of: readonly Limit[]; readonly tokens: number; readonly reserve: number }
  | { readonly kind: 'door'; readonly of: readonly Limit[] }
  | { readonly kind: 'go in' | 'leave' | 'end'; readonly which: number; readonly tokens: number };

// More than two windows of a limit of many, too.
const tokens = fc.nat(240);
const reserve = fc.nat(60);
const of = fc.subarray(some, { minLength: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(50), fc.nat(90_000)) }),
  fc.record({ kind: fc.constant('call' as const), of, tokens, reserve }),
  fc.record({ kind: fc.constant('door' as const), of }),
  fc.record({ kind: fc.constantFrom('go in' as const, 'leave' as const, 'end' as const), which: fc.nat(20), tokens }),
);

/** Takes the same steps on both, which must answer the same; returns the number of compared answers. */
async function play(openShared: Engine, steps: readonly Step[]): Promise<number> {
  let now = 5_000;
  const [[memory], [shared]] = await Promise.all([openMemory(() => now, 1), openShared(() => now, 1)]);
  const atDoor: Acquisition[] = [];
  const inside: Acquisition[] = [];
  const pick = (list: Acquisition[], index: number): Acquisition | undefined => list.splice(index % Math.max(list.length, 1), 1)[0];
  const both = async <T extends AcquireResult | Windows>(ask: (store: Limiter) => T | Promise<T>): Promise<T> => {
    const said = await ask(memory);
    expect(plain(await ask(shared))).toEqual(plain(said));
    return said;
  };
  const enter = async (take: Acquisition, list: Acquisition[]): Promise<boolean> => {
    const { kind } = await both((store) => store.acquire(take));
    if (kind === 'taken') list.push(take);
    return kind === 'taken';
  };
  for (const one of steps) {
    if (one.kind === 'pass') now += one.ms;
    else if (one.kind === 'call') await enter(takeOf(one.of, { tokens: one.tokens, reserve: one.reserve }), inside);
    else if (one.kind === 'door') await enter(takeOf(one.of, { quantities: ['requests'], isProvisional: true }), atDoor);
    else {
      const take = pick(one.kind === 'end' ? inside : atDoor, one.which);
      if (!take) continue;
      if (one.kind === 'end') await both((store) => store.finish(take, one.tokens));
      else if (one.kind === 'leave') await both((store) => store.release(take));
      else if (!(await enter(takeOf(take.limits, { tokens: one.tokens, replaces: take }), inside))) atDoor.push(take);
    }
    await both((store) => store.peek(some));
  }
  await Promise.all([memory.close(), shared.close()]);
  return steps.length;
}

/** At least. */
const steps = 3_000;

describe.each(engines.filter(({ engine }) => engine !== openMemory))('G11: $name', ({ engine, isMissing }) => {
  base.skipIf(isMissing)('answers any sequence of steps as memory does', async () => {
    let taken = 0;
    const lists = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), async (list) => {
      taken += await play(engine, list);
    });
    while (taken < steps) await fc.assert(lists, { numRuns: 10 });
    recordAttempts('G11', { what: 'steps beside a model of the limits', times: steps });
  });
});
