/** The limiter in memory, of a supervisor, and in Redis: all give the same answers (promise G11, failures F37 to F39). */
import { afterEach, test as base, describe, expect } from 'vitest';
import { addAccountLimits } from '../../../server/limits/limit-values.ts';
import type { AcquireResult, Limiter } from '../../../server/limits/limiter.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { limitOf, plain, takeOf } from '../../unit/limits/limit.ts';
import { type Engine, engines } from './engines.ts';

const opened: Limiter[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

interface Stage {
  readonly limits: Limiter;
  /** Whom the caller of this number comes to. */
  by(index: number): Limiter;
  /** Advances the clock. */
  pass(ms: number): void;
}

async function open(engine: Engine, processes = 1): Promise<Stage> {
  let now = 1_000_000;
  const stores = await engine(() => now, processes);
  opened.push(...stores);
  const [limits] = stores;
  return {
    limits,
    by: (index) => stores[index % processes] ?? limits,
    pass(ms) {
      now += ms;
    },
  };
}

const kindOf = async (taken: AcquireResult | Promise<AcquireResult>): Promise<string> => (await taken).kind;

describe.each(engines)('G11: limits in $name', ({ name, engine, isMissing }) => {
  const test = base.skipIf(isMissing);

  test('admits exactly 100 of 1,000 concurrent calls over three processes with a limit of 100', async () => {
    const { by } = await open(engine, 3);
    const limit = limitOf('requests', 100);
    const taken = await Promise.all(Array.from({ length: 1_000 }, (_, index) => kindOf(by(index).acquire(takeOf([limit])))));
    expect(taken.filter((kind) => kind === 'taken')).toHaveLength(100);
    recordAttempts('G11', { what: 'calls at once over a limit', times: taken.length });
  });

  test('gives unused tokens of a call back, and charges tokens beyond its estimate as a debt', async () => {
    const { limits } = await open(engine);
    const limit = limitOf('tokens', 1_000);
    const [thrifty, greedy] = [takeOf([limit], { tokens: 600 }), takeOf([limit], { tokens: 400 })];
    await limits.acquire(thrifty);
    await limits.acquire(greedy);
    expect(await limits.finish(thrifty, 100)).toMatchObject({ tokens: { remaining: 500, resetMs: 30_000 } });
    expect(await limits.finish(greedy, 1_400)).toMatchObject({ tokens: { remaining: 0, resetMs: 90_000 } });
    expect(await limits.acquire(takeOf([limit], { tokens: 1 }))).toMatchObject({ kind: 'rejected', retryAfterMs: 30_060 });
  });

  test('A7: takes reserved output tokens at the start as far as the limit allows, and gives unused ones back', async () => {
    const { limits } = await open(engine);
    const [key, group] = [limitOf('tokens', 10_000), limitOf('tokens', 1_000, { scope: 'group', subject: 'vip' })];
    const long = takeOf([key, group], { tokens: 100, reserve: 5_000 });
    await limits.acquire(long);
    expect(await limits.peek([key])).toMatchObject({ tokens: { remaining: 4_900 } });
    expect(await limits.peek([group])).toMatchObject({ tokens: { remaining: 0, resetMs: 60_000 } });
    expect(await limits.acquire(takeOf([group], { tokens: 1 }))).toMatchObject({ kind: 'rejected', limit: group, retryAfterMs: 60 });
    await limits.finish(long, 300);
    expect(await limits.peek([key])).toMatchObject({ tokens: { remaining: 9_700 } });
    expect(await limits.peek([group])).toMatchObject({ tokens: { remaining: 700 } });
  });

  test.each(['group', 'model'] as const)(
    'A7: limits the debt to a token limit of a %s to two windows; the account that used more owes the remainder',
    async (scope) => {
      const { limits } = await open(engine);
      const shared = limitOf('tokens', 1_000, { scope, subject: 'many' });
      const both = addAccountLimits([shared], 'acct_1');
      const greedy = takeOf(both, { tokens: 100, reserve: 128_000 });
      await limits.acquire(greedy);
      await limits.finish(greedy, 128_000);
      expect(await limits.acquire(takeOf(addAccountLimits([shared], 'acct_2'), { tokens: 1_000 }))).toMatchObject({
        kind: 'rejected',
        limit: shared,
        retryAfterMs: 120_000,
      });
      expect(await limits.acquire(takeOf(both, { tokens: 1_000 }))).toMatchObject({
        kind: 'rejected',
        limit: both[1],
        retryAfterMs: 128 * 60_000,
      });
      const large = takeOf([limitOf('tokens', 1_000, { scope, subject: 'other' })], { tokens: 50_000 });
      await limits.acquire(large);
      expect(await limits.finish(large, 60_000)).toMatchObject({ tokens: { remaining: 0, resetMs: 120_000 } });
    },
  );

  test('gives unused tokens that were refilled while the call ran not a second time', async () => {
    const { limits, pass } = await open(engine);
    const limit = limitOf('tokens', 1_000);
    const long = takeOf([limit], { tokens: 1_000 });
    await limits.acquire(long);
    pass(60_000);
    expect(await kindOf(limits.acquire(takeOf([limit], { tokens: 900 })))).toBe('taken');
    expect(await limits.finish(long, 0)).toMatchObject({ tokens: { remaining: 100 } });
  });

  test('counts a call only toward limits of the given scopes, and shows all limits', async () => {
    const { limits } = await open(engine);
    const [own, account] = [limitOf('requests', 10), limitOf('requests', 3, { scope: 'account', subject: 'acct_1' })];
    const door = takeOf([own, account], { quantities: ['requests'], scopes: ['key'], isProvisional: true });
    expect(await limits.acquire(door)).toMatchObject({ windows: { requests: { limit: 3, remaining: 3 } } });
    expect(await limits.peek([own])).toMatchObject({ requests: { remaining: 9 } });
  });

  test("counts limits that a call doesn't take from neither at admission nor at its end, even at zero", async () => {
    const { limits } = await open(engine);
    const tokens = limitOf('tokens', 100, { scope: 'account', subject: 'ada' });
    const some = [
      limitOf('requests', 3, { mode: 'observe', subject: 'watched' }),
      limitOf('requests', 9),
      tokens,
      limitOf('concurrency', 4),
    ];
    const left = async () => (await limits.getStatuses(some)).map(({ remaining }) => remaining);
    const request = takeOf(some, { quantities: ['requests'], scopes: ['key'], tokens: 50 });
    expect(await kindOf(limits.acquire(request))).toBe('taken');
    expect(await left()).toEqual([2, 8, 100, 4]);
    const slot = takeOf(some, { quantities: ['concurrency'], tokens: 50 });
    await limits.acquire(slot);
    await limits.finish(slot, 80);
    expect(await left()).toEqual([2, 8, 100, 4]);
    const debtor = takeOf([some[0] ?? tokens, tokens], { quantities: ['tokens'], tokens: 10 });
    expect(await kindOf(limits.acquire(debtor))).toBe('taken');
    await limits.finish(debtor, 1_000);
    expect(await left()).toEqual([2, 8, 0, 4]);
    expect(await kindOf(limits.acquire(takeOf(some, { quantities: ['requests'] })))).toBe('taken');
  });

  test('rejects no call by an observed limit, and lists the exceeded ones', async () => {
    const { limits } = await open(engine);
    const watched = [limitOf('requests', 1, { mode: 'observe' }), limitOf('concurrency', 1, { mode: 'observe' })];
    expect(await limits.acquire(takeOf(watched))).toMatchObject({ kind: 'taken', observed: [] });
    expect(plain(await limits.acquire(takeOf(watched)))).toEqual({
      kind: 'taken',
      observed: watched,
      windows: { requests: null, tokens: null },
    });
  });

  // The clock of Redis is one for all, and waits until it has caught up.
  base.skipIf(name.startsWith('Redis'))(
    'admits nothing early when the clock is set back, and refills as before when it goes on',
    async () => {
      const { limits, pass } = await open(engine);
      const limit = limitOf('requests', 60);
      for (let count = 0; count < 60; count++) await limits.acquire(takeOf([limit]));
      pass(-500_000);
      expect(await limits.acquire(takeOf([limit]))).toMatchObject({ kind: 'rejected', retryAfterMs: 1_000 });
      pass(1_000);
      expect(await kindOf(limits.acquire(takeOf([limit])))).toBe('taken');
    },
  );
});
