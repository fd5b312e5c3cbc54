/** Estimated tokens that are corrected, requests that are given back, and slots that are freed (F38, F39). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Quantity, Scope } from '../../../server/limits/limiter.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';

const scopes: readonly Scope[] = ['key', 'account', 'group', 'model'];
const quantities: readonly Quantity[] = ['requests', 'tokens', 'concurrency'];

describe.each(scopes)('a limit of a %s', (scope) => {
  test.each(quantities)('F39: on %s refuses with its name, and the rejected call takes nothing of other limits', (quantity) => {
    const { limits } = openClocked();
    const tight = limitOf(quantity, 1, { scope });
    const others = scopes.flatMap((each) => quantities.map((one) => limitOf(one, 100, { scope: each, subject: 'other' })));
    const take = takeOf([...others, tight], { tokens: 1 });
    expect(limits.acquire(take).kind).toBe('taken');
    const before = limits.peek(others);
    const rejected = limits.acquire(takeOf([...others, tight], { tokens: 1 }));
    expect(rejected).toMatchObject({ kind: 'rejected', limit: tight });
    expect(limits.peek(others)).toEqual(before);
    for (const limit of others.filter(({ quantity: one }) => one === 'concurrency'))
      for (let count = 0; count < 99; count++) expect(limits.acquire(takeOf([limit])).kind).toBe('taken');
  });

  test('counts for each subject separately', () => {
    const { limits } = openClocked();
    expect(limits.acquire(takeOf([limitOf('requests', 1, { scope, subject: 'one' })])).kind).toBe('taken');
    expect(limits.acquire(takeOf([limitOf('requests', 1, { scope, subject: 'other' })])).kind).toBe('taken');
    expect(limits.acquire(takeOf([limitOf('requests', 1, { scope, subject: 'one' })])).kind).toBe('rejected');
  });
});

test('of several limits that refuse, the one with the longest wait is named', () => {
  const { limits } = openClocked();
  const slow = limitOf('requests', 1);
  const quick = limitOf('tokens', 6_000);
  limits.acquire(takeOf([slow, quick], { tokens: 6_000 }));
  expect(limits.acquire(takeOf([quick, slow], { tokens: 10 }))).toMatchObject({ kind: 'rejected', limit: slow, retryAfterMs: 60_000 });
});

describe('a provisional take', () => {
  const limit = limitOf('requests', 10);
  const door = () => takeOf([limit], { quantities: ['requests'], isProvisional: true });

  test('F39: is given back without a trace, a thousand times', () => {
    const { limits, pass } = openClocked();
    for (let count = 0; count < 1_000; count++) {
      const place = door();
      expect(limits.acquire(place).kind).toBe('taken');
      pass(count % 7);
      expect(limits.release(place)).toMatchObject({ requests: { remaining: 10, resetMs: 0 } });
    }
  });

  test('that is given back after a minute does not admit more calls than the limit', () => {
    const { limits, pass } = openClocked();
    const places = Array.from({ length: 10 }, door);
    for (const place of places) limits.acquire(place);
    // If they leaked, ten others would be admitted now, and ten more after they are given back.
    pass(60_000);
    expect(limits.acquire(takeOf([limit])).kind).toBe('rejected');
    for (const place of places) limits.release(place);
    const through = Array.from({ length: 30 }, () => limits.acquire(takeOf([limit]))).filter(({ kind }) => kind === 'taken');
    expect(through).toHaveLength(10);
  });

  test('may take from the limits of the key only, and returns the windows of all', () => {
    const { limits } = openClocked();
    const account = limitOf('requests', 5, { scope: 'account', subject: 'acct_1' });
    const place = takeOf([limit, account], { quantities: ['requests'], scopes: ['key'], isProvisional: true });
    expect(limits.acquire(place)).toMatchObject({ kind: 'taken', windows: { requests: { limit: 5, remaining: 5 } } });
    const inside = takeOf([limit, account], { replaces: place });
    expect(limits.acquire(inside)).toMatchObject({ kind: 'taken', windows: { requests: { limit: 5, remaining: 4 } } });
    expect(limits.peek([limit]).requests).toMatchObject({ remaining: 9 });
  });

  test('stays taken when admission refuses the call, until it is given back', () => {
    const { limits } = openClocked();
    const slots = limitOf('concurrency', 1, { scope: 'model', subject: 'm' });
    limits.acquire(takeOf([slots]));
    const place = door();
    limits.acquire(place);
    expect(limits.acquire(takeOf([limit, slots], { replaces: place })).kind).toBe('rejected');
    expect(limits.peek([limit]).requests).toMatchObject({ remaining: 9 });
    expect(limits.release(place)).toMatchObject({ requests: { remaining: 10 } });
  });
});

describe('tokens', () => {
  const limit = limitOf('tokens', 1_000);

  test('that a call did not use are given back at its end', () => {
    const { limits } = openClocked();
    const take = takeOf([limit], { tokens: 800 });
    limits.acquire(take);
    expect(limits.finish(take, 100)).toMatchObject({ tokens: { remaining: 900 } });
  });

  test('that a call used beyond its estimate delay the next calls', () => {
    const { limits, pass } = openClocked();
    const take = takeOf([limit], { tokens: 10 });
    limits.acquire(take);
    limits.finish(take, 10_000);
    const rejected = limits.acquire(takeOf([limit], { tokens: 1 }));
    expect(rejected).toMatchObject({ kind: 'rejected', retryAfterMs: 540_060, windows: { tokens: { remaining: 0, resetMs: 600_000 } } });
    // The limit leaks without being asked.
    pass(540_059);
    expect(limits.acquire(takeOf([limit], { tokens: 1 })).kind).toBe('rejected');
    pass(1);
    expect(limits.acquire(takeOf([limit], { tokens: 1 })).kind).toBe('taken');
  });

  test('that a long call used beyond its estimate count from its end', () => {
    const { limits, pass } = openClocked();
    const long = takeOf([limit], { tokens: 600 });
    limits.acquire(long);
    pass(60_000);
    expect(limits.finish(long, 700)).toMatchObject({ tokens: { remaining: 900 } });
  });

  test('leak at the rate of the limit as it is now', () => {
    const { limits, pass } = openClocked();
    limits.acquire(takeOf([limitOf('tokens', 2_000)]));
    const long = takeOf([limit], { tokens: 1_000 });
    limits.acquire(long);
    pass(30_000);
    expect(limits.finish(long, 0)).toMatchObject({ tokens: { remaining: 1_000 } });
  });

  test('that a long call did not use and that have leaked meanwhile are not given back again', () => {
    const { limits, pass } = openClocked();
    const long = takeOf([limit], { tokens: 1_000 });
    limits.acquire(long);
    pass(60_000);
    limits.acquire(takeOf([limit], { tokens: 1_000 }));
    limits.finish(long, 1);
    expect(limits.acquire(takeOf([limit], { tokens: 1 })).kind).toBe('rejected');
  });

  test('never fill the bucket less than if each call had taken its usage at once', () => {
    const call = fc.record({ thought: fc.nat(400), used: fc.nat(400), after: fc.nat(20_000), lasts: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
        const real = openClocked();
        const ideal = openClocked();
        const running: { end: number; finish: () => void }[] = [];
        const settle = (index: number): void => {
          for (const { finish } of running.filter(({ end }) => end === index)) finish();
        };
        for (const [index, { thought, used, after, lasts }] of calls.entries()) {
          real.pass(after);
          ideal.pass(after);
          const take = takeOf([limit], { tokens: thought });
          if (real.limits.acquire(take).kind === 'taken') {
            const observed = limitOf('tokens', 1_000, { mode: 'observe' });
            ideal.limits.acquire(takeOf([observed], { tokens: Math.min(thought, used) }));
            running.push({
              end: index + lasts,
              finish() {
                real.limits.finish(take, used);
                ideal.limits.acquire(takeOf([observed], { tokens: Math.max(used - thought, 0) }));
              },
            });
          }
          settle(index);
          expect(real.limits.peek([limit]).tokens?.resetMs).toBeGreaterThanOrEqual(ideal.limits.peek([limit]).tokens?.resetMs ?? 0);
        }
      }),
    );
  });

  test('of a call over the whole limit are admitted when the bucket is empty, and delay the next calls', () => {
    const { limits, pass } = openClocked();
    expect(limits.acquire(takeOf([limit], { tokens: 5_000 })).kind).toBe('taken');
    expect(limits.acquire(takeOf([limit], { tokens: 1 }))).toMatchObject({ kind: 'rejected', retryAfterMs: 240_060 });
    pass(300_000);
    expect(limits.acquire(takeOf([limit], { tokens: 5_000 })).kind).toBe('taken');
  });
});

describe('slots', () => {
  const limit = limitOf('concurrency', 2);

  test('F38: are freed when a call ends, one for each', () => {
    const { limits } = openClocked();
    const [first, second] = [takeOf([limit]), takeOf([limit])];
    limits.acquire(first);
    limits.acquire(second);
    expect(limits.acquire(takeOf([limit]))).toMatchObject({ kind: 'rejected', limit, retryAfterMs: 1_000 });
    limits.finish(first, 0);
    expect(limits.acquire(takeOf([limit])).kind).toBe('taken');
    expect(limits.acquire(takeOf([limit])).kind).toBe('rejected');
  });

  test('are full where all are taken under a limit that is enforced', () => {
    const { limits } = openClocked();
    const some = [limitOf('requests', 1), limitOf('concurrency', 1, { mode: 'observe', subject: 'observed' }), limit];
    limits.acquire(takeOf(some));
    expect(limits.findFull(some)).toBeNull();
    limits.acquire(takeOf([limit]));
    expect(limits.findFull(some)).toBe(limit);
  });

  test('are free again in a store that was closed', async () => {
    const { limits } = openClocked();
    limits.acquire(takeOf([limit]));
    await limits.close();
    expect(limits.getStatuses([limit, limitOf('tokens', 5)])).toEqual([
      { most: 2, remaining: 2, resetMs: null },
      { most: 5, remaining: 5, resetMs: 0 },
    ]);
  });

  test('are not freed by time', () => {
    const { limits, pass } = openClocked();
    limits.acquire(takeOf([limit]));
    limits.acquire(takeOf([limit]));
    pass(3_600_000);
    expect(limits.acquire(takeOf([limit])).kind).toBe('rejected');
  });
});

test('what a key owes and holds is kept while 12,000 other keys are used', () => {
  const { limits, pass } = openClocked();
  const debtor = limitOf('tokens', 10, { subject: 'debtor' });
  const take = takeOf([debtor]);
  limits.acquire(take);
  limits.finish(take, 10_000);
  pass(11 * 60_000);
  const others = [limitOf('tokens', 10), limitOf('concurrency', 1), limitOf('requests', 3)].map((limit) => ({
    ...limit,
    subject: 'new debtor',
  }));
  limits.acquire(takeOf(others, { tokens: 10, quantities: ['tokens', 'concurrency'] }));
  limits.acquire(takeOf(others, { quantities: ['requests'], isProvisional: true }));
  for (let count = 0; count < 12_000; count++) limits.acquire(takeOf([limitOf('requests', 10, { subject: `key_${count}` })]));
  expect(limits.peek([debtor]).tokens).toMatchObject({ remaining: 0 });
  expect(limits.getStatuses(others).map(({ remaining }) => remaining)).toEqual([0, 0, 2]);
});
