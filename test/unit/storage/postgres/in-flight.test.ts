/** How many statements of one kind are under way at PostgreSQL: two, and where it is slow they leave at a distance, so that nobody waits for both (docs/decisions/0025). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InFlightLimit } from '../../../../server/storage/postgres/in-flight.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const timeoutMs = 2_000;

/** One that took so long. */
async function openAfter(ms: number) {
  const flights = new InFlightLimit(timeoutMs);
  const leftAt = flights.noteSent();
  await vi.advanceTimersByTimeAsync(ms);
  flights.noteAnswered(leftAt);
  return flights;
}

test('where the server is quick two leave at once, and the third when one is back', async () => {
  const flights = await openAfter(5);
  const again = vi.fn();
  expect(flights.canSend(again)).toBe(true);
  const leftAt = flights.noteSent();
  expect(flights.canSend(again)).toBe(true);
  flights.noteSent();
  expect(flights.canSend(again)).toBe(false);
  flights.noteAnswered(leftAt);
  expect(flights.canSend(again)).toBe(true);
});

test('where the last one took a second the next two leave half a second apart', async () => {
  const flights = await openAfter(1_000);
  const again = vi.fn();
  flights.noteSent();
  expect(flights.canSend(again)).toBe(false);
  await vi.advanceTimersByTimeAsync(499);
  expect([flights.canSend(again), again.mock.calls.length]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect([flights.canSend(again), again.mock.calls.length]).toEqual([true, 1]);
});

test('a third one leaves where the server got slow meanwhile, and never a fourth', async () => {
  const flights = await openAfter(5);
  const again = vi.fn();
  for (let count = 0; count < 2; count++) flights.noteSent();
  expect(flights.canSend(again)).toBe(false);
  await vi.advanceTimersByTimeAsync(timeoutMs / 4);
  expect([flights.canSend(again), again.mock.calls.length]).toEqual([true, 1]);
  flights.noteSent();
  await vi.advanceTimersByTimeAsync(10 * timeoutMs);
  expect([flights.canSend(again), again.mock.calls.length]).toEqual([false, 1]);
});
