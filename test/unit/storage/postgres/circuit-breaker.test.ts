/** The circuit breaker before PostgreSQL: silence opens it, any answer closes it, and a server that is only slow never does either (F52, docs/decisions/0025). */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Breaker } from '../../../../server/storage/postgres/circuit-breaker.ts';
import { HungError, LateError } from '../../../../server/storage/postgres/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const timeoutMs = 2_000;

/** A step that ends when the test says so. */
function openStep() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { promise, answer: () => resolve('done'), beLate: () => reject(new LateError(timeoutMs)) };
}

function open() {
  const probes: (() => void)[] = [];
  const told: boolean[] = [];
  const breaker = new Breaker({
    timeoutMs,
    probe: () => new Promise((resolve) => probes.push(resolve)),
    changed: (isHung) => told.push(isHung),
  });
  onTestFinished(() => breaker.end());
  const failureOf = (step: () => Promise<unknown>) => breaker.watch(step).catch((error: unknown) => error);
  return { breaker, probes, told, failureOf };
}

/** Nothing was heard while a step waited for all of its time. */
async function openHung() {
  const all = open();
  const step = openStep();
  const failure = all.failureOf(() => step.promise);
  step.beLate();
  expect(await failure).toBeInstanceOf(LateError);
  return all;
}

test('C16: a step that is late while nothing is heard opens it, and the next ones are refused without being begun', async () => {
  const { breaker, told, failureOf } = await openHung();
  expect([breaker.isOpen, told]).toEqual([true, [true]]);
  const begin = vi.fn(async () => 'done');
  expect(await failureOf(begin)).toBeInstanceOf(HungError);
  expect(begin).not.toHaveBeenCalled();
});

test('C16: a step that is late while others are answered is only slow', async () => {
  const { breaker, failureOf, told } = open();
  const [slow, quick] = [openStep(), openStep()];
  const failure = failureOf(() => slow.promise);
  const answer = breaker.watch(() => quick.promise);
  breaker.noteAnswer();
  quick.answer();
  expect(await answer).toBe('done');
  slow.beLate();
  expect(await failure).toBeInstanceOf(LateError);
  expect([breaker.isOpen, told]).toEqual([false, []]);
});

test('C16: what fails otherwise than by being late opens nothing', async () => {
  const { breaker, failureOf } = open();
  expect(await failureOf(() => Promise.reject(new Error('refused')))).toMatchObject({ message: 'refused' });
  expect(breaker.isOpen).toBe(false);
});

test('C16: a server from which nothing is heard is asked for a sign of life while somebody waits, and with that it is only slow', async () => {
  const { breaker, probes, failureOf } = open();
  const step = openStep();
  const failure = failureOf(() => step.promise);
  vi.advanceTimersByTime(timeoutMs - 1);
  // One at a time, however long it takes.
  expect(probes).toHaveLength(1);
  breaker.noteAnswer();
  step.beLate();
  expect(await failure).toBeInstanceOf(LateError);
  expect(breaker.isOpen).toBe(false);
});

test('C16: a server that answers is never asked for a sign of life, and nobody is woken where nobody waits', async () => {
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

test('C16: while it is open the server is asked again and again, one at a time, until it answers', async () => {
  const { breaker, probes, told, failureOf } = await openHung();
  for (let asked = 1; asked <= 5; asked++) {
    await vi.advanceTimersByTimeAsync(10_000);
    expect(probes).toHaveLength(asked);
    probes.at(-1)?.();
  }
  expect(breaker.isOpen).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  breaker.noteAnswer();
  probes.at(-1)?.();
  expect([breaker.isOpen, told]).toEqual([false, [true, false]]);
  expect(await failureOf(async () => 'served')).toBe('served');
});

test('C16: after its end nothing is asked and nothing is told', async () => {
  const { breaker, probes, told } = await openHung();
  breaker.end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([probes, told, vi.getTimerCount()]).toEqual([[], [true], 0]);
});
