/** The circuit breaker of Redis: it opens after failures in a row and closes by a probe (F52). */
import { expect, onTestFinished, test, vi } from 'vitest';

import { Breaker } from '../../../../server/limits/redis/breaker.ts';

function openBreaker() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const told: unknown[] = [];
  const probes: number[] = [];
  let isWell = false;
  const breaker = new Breaker({
    probe: async (failedBefore) => {
      probes.push(failedBefore);
      if (!isWell) throw new Error('still away');
    },
    onOpen: (cause) => void told.push(cause),
    onClose: () => void told.push('closed'),
    now: () => 1_234,
  });
  return {
    breaker,
    told,
    probes,
    heal: () => {
      isWell = true;
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

test('three failures in a row open it, and it reports the cause once', () => {
  const { breaker, told } = openBreaker();
  for (const cause of ['one', 'two']) breaker.recordFailure(cause);
  expect([breaker.isClosed, breaker.since, told]).toEqual([true, null, []]);
  for (const cause of ['three', 'four']) breaker.recordFailure(cause);
  expect([breaker.isClosed, breaker.since, told]).toEqual([false, 1_234, ['three']]);
});

test('a success resets the count of failures', () => {
  const { breaker, told } = openBreaker();
  for (let round = 0; round < 5; round++) {
    breaker.recordFailure('late');
    breaker.recordFailure('late');
    breaker.recordSuccess();
  }
  expect([breaker.isClosed, told]).toEqual([true, []]);
});

test('open opens it at once', () => {
  const { breaker, told } = openBreaker();
  breaker.open('the connection broke');
  breaker.open('again');
  expect([breaker.isClosed, told]).toEqual([false, ['the connection broke']]);
});

test('it is probed every 200 ms with the number of failed probes, and closes with the first success', async () => {
  const { breaker, told, probes, heal, pass } = openBreaker();
  breaker.open('gone');
  await pass(199);
  expect(probes).toEqual([]);
  await pass(401);
  expect([probes, breaker.isClosed]).toEqual([[0, 1, 2], false]);
  heal();
  await pass(200);
  expect([probes, breaker.isClosed, breaker.since, told]).toEqual([[0, 1, 2, 3], true, null, ['gone', 'closed']]);
  await pass(1_000);
  expect(probes).toHaveLength(4);
});

test('the success of an earlier call does not close it', () => {
  const { breaker } = openBreaker();
  breaker.open('gone');
  breaker.recordSuccess();
  expect(breaker.isClosed).toBe(false);
});

test('after it closes it needs three failures to open again', async () => {
  const { breaker, heal, pass, told } = openBreaker();
  breaker.open('gone');
  heal();
  await pass(200);
  breaker.recordFailure('one');
  breaker.recordFailure('two');
  expect(breaker.isClosed).toBe(true);
  breaker.recordFailure('three');
  expect([breaker.isClosed, told]).toEqual([false, ['gone', 'closed', 'three']]);
});

test('after end there are no probes, and it neither opens nor closes', async () => {
  const { breaker, heal, pass, told, probes } = openBreaker();
  breaker.open('gone');
  breaker.end();
  heal();
  await pass(10_000);
  breaker.recordFailure('late');
  breaker.open('late');
  expect([probes, told, breaker.isClosed]).toEqual([[], ['gone'], false]);
});

test.each(['succeeds', 'fails'])('a probe that %s after end changes nothing, and none comes after it', async (end) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const told: unknown[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const report = (what: unknown): void => void told.push(what);
  const breaker = new Breaker({ probe: () => promise, onOpen: report, onClose: () => report('closed'), now: () => 1 });
  breaker.open('gone');
  await vi.advanceTimersByTimeAsync(200);
  breaker.end();
  if (end === 'succeeds') resolve();
  else reject(new Error('still away'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([told, breaker.isClosed, vi.getTimerCount()]).toEqual([['gone'], false, 0]);
});
