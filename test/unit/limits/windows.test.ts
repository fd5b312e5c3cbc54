/** The windows of limits are exact to the millisecond: retry-after, remaining and reset. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openMemoryLimits } from '../../../server/limits/limiter.ts';
import { limitOf, openClocked, plain, takeOf } from './limit.ts';

const most = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1_000, 59_999, 60_000, 60_001, 10_000_000));

test('a caller who waits for retryAfterMs is admitted, and one millisecond earlier is not', () => {
  fc.assert(
    fc.property(most, fc.array(fc.nat(5_000), { maxLength: 10 }), fc.integer({ min: 1, max: 200 }), (many, pauses, tokens) => {
      const { limits, pass } = openClocked();
      const limit = limitOf('tokens', many);
      const take = () => limits.acquire(takeOf([limit], { tokens }));
      for (const ms of pauses) {
        take();
        pass(ms);
      }
      let taken = take();
      for (let count = 0; taken.kind === 'taken' && count < 200; count++) taken = take();
      if (taken.kind === 'taken') return;
      expect(taken.retryAfterMs).toBeGreaterThanOrEqual(1);
      pass(taken.retryAfterMs - 1);
      expect(take().kind).toBe('rejected');
      pass(1);
      expect(take().kind).toBe('taken');
    }),
    { numRuns: 500 },
  );
});

test('exactly the remaining requests are admitted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(250), fc.nat(90_000), (many, before, ms) => {
      const { limits, pass } = openClocked();
      const limit = limitOf('requests', many);
      for (let count = 0; count < before; count++) limits.acquire(takeOf([limit]));
      pass(ms);
      const remaining = limits.peek([limit]).requests?.remaining ?? -1;
      let through = 0;
      while (through <= many && limits.acquire(takeOf([limit])).kind === 'taken') through++;
      expect(through).toBe(remaining);
    }),
  );
});

test('the whole limit is free after resetMs, and not a millisecond before', () => {
  fc.assert(
    fc.property(most, fc.integer({ min: 1, max: 300 }), (many, tokens) => {
      const { limits, pass } = openClocked();
      const limit = limitOf('tokens', many);
      limits.acquire(takeOf([limit], { tokens }));
      const { resetMs = 0 } = limits.peek([limit]).tokens ?? {};
      pass(resetMs - 1);
      expect(limits.peek([limit]).tokens?.resetMs).toBe(1);
      pass(1);
      expect(limits.peek([limit]).tokens).toEqual({ limit: many, remaining: many, resetMs: 0 });
    }),
  );
});

test('a limit of 7 admits 7 in each minute', () => {
  const { limits, pass } = openClocked();
  const limit = limitOf('requests', 7);
  const through = () => Array.from({ length: 20 }, () => limits.acquire(takeOf([limit]))).filter(({ kind }) => kind === 'taken').length;
  for (let minute = 0; minute < 5; minute++) {
    expect(through()).toBe(7);
    pass(60_000);
  }
});

test('the windows are those of the tightest limit', () => {
  const { limits } = openClocked();
  const own = limitOf('requests', 10);
  const account = limitOf('requests', 50, { scope: 'account', subject: 'acct_1' });
  for (let count = 0; count < 45; count++) limits.acquire(takeOf([account]));
  expect(limits.acquire(takeOf([own, account]))).toMatchObject({ kind: 'taken', windows: { requests: { limit: 50, remaining: 4 } } });
  expect(limits.peek([account, own])).toMatchObject({ requests: { limit: 50, remaining: 4 } });
});

test('a limit in observe mode has no window and refuses nothing', () => {
  const { limits } = openClocked();
  const limit = limitOf('requests', 1, { mode: 'observe' });
  expect(plain(limits.acquire(takeOf([limit])))).toEqual({ kind: 'taken', windows: { requests: null, tokens: null }, observed: [] });
  expect(limits.acquire(takeOf([limit]))).toMatchObject({ kind: 'taken', observed: [limit] });
});

describe('a clock that is set back', () => {
  test('admits nothing early, and the limit works as before when it goes on', () => {
    let now = 1_000_000;
    const limits = openMemoryLimits(() => now);
    const limit = limitOf('requests', 60);
    for (let count = 0; count < 60; count++) limits.acquire(takeOf([limit]));
    now -= 500_000;
    expect(limits.acquire(takeOf([limit]))).toMatchObject({ kind: 'rejected', retryAfterMs: 1_000 });
    now += 1_000;
    expect(limits.acquire(takeOf([limit])).kind).toBe('taken');
  });
});
