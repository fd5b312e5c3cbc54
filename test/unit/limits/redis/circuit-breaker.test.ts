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

test('stays closed when successes lie between failures', () => {
  const { breaker, told } = openBreaker();
  for (let round = 0; round < 5; round++) {
    breaker.recordFailure('late');
    breaker.recordFailure('late');
    breaker.recordSuccess();
  }
  expect([breaker.isClosed, told]).toEqual([true, []]);
});

test('stays open when an earlier call succeeds', () => {
  const { breaker } = openBreaker();
  breaker.open('gone');
  breaker.recordSuccess();
  expect(breaker.isClosed).toBe(false);
});

test('sends no probes, and neither opens nor closes, after its end', async () => {
  const { breaker, heal, pass, told, probes } = openBreaker();
  breaker.open('gone');
  breaker.end();
  heal();
  await pass(10_000);
  breaker.recordFailure('late');
  breaker.open('late');
  expect([probes, told, breaker.isClosed]).toEqual([[], ['gone'], false]);
});

test.each(['succeeds', 'fails'])('changes nothing when a probe %s after its end', async (end) => {
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
