/** The circuit breaker of PostgreSQL: only silence opens it, any answer closes it, and a slow server does not open it (F52, C16, docs/decisions/0014). */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Breaker } from '../../../../server/store/postgres/breaker.ts';
import { PostgresHungError, PostgresTimeoutError } from '../../../../server/store/postgres/deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const timeoutMs = 2_000;

/** A step that the test ends. */
function openStep() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { promise, answer: () => resolve('done'), beLate: () => reject(new PostgresTimeoutError(timeoutMs)) };
}

function open() {
  const probes: (() => void)[] = [];
  const reported: boolean[] = [];
  const breaker = new Breaker({
    timeoutMs,
    probe: () => new Promise((resolve) => probes.push(resolve)),
    changed: (isHung) => reported.push(isHung),
  });
  onTestFinished(() => breaker.end());
  const failureOf = (step: () => Promise<unknown>) => breaker.watch(step).catch((error: unknown) => error);
  return { breaker, probes, reported, failureOf };
}

/** A breaker that is open, since a step timed out without any answer. */
async function openHung() {
  const all = open();
  const step = openStep();
  const failure = all.failureOf(() => step.promise);
  step.beLate();
  expect(await failure).toBeInstanceOf(PostgresTimeoutError);
  return all;
}

test('C16: opens when a step times out without any response, and rejects later steps unstarted', async () => {
  const { breaker, reported, failureOf } = await openHung();
  expect([breaker.isOpen, reported]).toEqual([true, [true]]);
  const begin = vi.fn(async () => 'done');
  expect(await failureOf(begin)).toBeInstanceOf(PostgresHungError);
  expect(begin).not.toHaveBeenCalled();
});

test('C16: stays closed when a step times out while others get responses', async () => {
  const { breaker, failureOf, reported } = open();
  const [slow, quick] = [openStep(), openStep()];
  const failure = failureOf(() => slow.promise);
  const answer = breaker.watch(() => quick.promise);
  breaker.noteAnswer();
  quick.answer();
  expect(await answer).toBe('done');
  slow.beLate();
  expect(await failure).toBeInstanceOf(PostgresTimeoutError);
  expect([breaker.isOpen, reported]).toEqual([false, []]);
});

test('C16: stays closed after an error other than a timeout', async () => {
  const { breaker, failureOf } = open();
  expect(await failureOf(() => Promise.reject(new Error('rejected')))).toMatchObject({ message: 'rejected' });
  expect(breaker.isOpen).toBe(false);
});

test('C16: probes a silent server while a step waits, and stays closed after a response to the probe', async () => {
  const { breaker, probes, failureOf } = open();
  const step = openStep();
  const failure = failureOf(() => step.promise);
  vi.advanceTimersByTime(timeoutMs - 1);
  // One probe at a time, however long it takes.
  expect(probes).toHaveLength(1);
  breaker.noteAnswer();
  step.beLate();
  expect(await failure).toBeInstanceOf(PostgresTimeoutError);
  expect(breaker.isOpen).toBe(false);
});

test('C16: sends no probe to a server that responds, and runs no timer when no step waits', async () => {
  const { breaker, probes } = open();
  const step = openStep();
  const answer = breaker.watch(() => step.promise);
  for (let times = 0; times < 50; times++) {
    breaker.noteAnswer();
    vi.advanceTimersByTime(100);
  }
  expect(probes).toEqual([]);
  step.answer();
  await answer;
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('C16: probes the server while open, one probe at a time, until a response closes it', async () => {
  const { breaker, probes, reported, failureOf } = await openHung();
  for (let asked = 1; asked <= 5; asked++) {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(probes).toHaveLength(asked);
    probes.at(-1)?.();
  }
  expect(breaker.isOpen).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  breaker.noteAnswer();
  probes.at(-1)?.();
  expect([breaker.isOpen, reported]).toEqual([false, [true, false]]);
  expect(await failureOf(async () => 'served')).toBe('served');
});

test('C16: stops probes, reports, and timers when it ends', async () => {
  const { breaker, probes, reported } = await openHung();
  breaker.end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([probes, reported, vi.getTimerCount()]).toEqual([[], [true], 0]);
});
