/** How many statements of one kind are in flight at PostgreSQL: two, and on a slow server they are sent at a distance (docs/decisions/0014). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { InFlightLimit } from '../../../../server/store/postgres/in-flight-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const timeoutMs = 2_000;

/** A limit whose last statement took that long. */
async function openAfter(ms: number) {
  const limit = new InFlightLimit(timeoutMs);
  const sentAt = limit.noteSent();
  await vi.advanceTimersByTimeAsync(ms);
  limit.noteAnswered(sentAt);
  return limit;
}

test('sends two statements concurrently to a fast server, and the third after a response', async () => {
  const limit = await openAfter(5);
  const again = vi.fn();
  expect(limit.canSend(again)).toBe(true);
  const sentAt = limit.noteSent();
  expect(limit.canSend(again)).toBe(true);
  limit.noteSent();
  expect(limit.canSend(again)).toBe(false);
  limit.noteAnswered(sentAt);
  expect(limit.canSend(again)).toBe(true);
});

test('sends the next two statements half a second apart if the last one took a second', async () => {
  const limit = await openAfter(1_000);
  const again = vi.fn();
  limit.noteSent();
  expect(limit.canSend(again)).toBe(false);
  await vi.advanceTimersByTimeAsync(499);
  expect([limit.canSend(again), again.mock.calls.length]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect([limit.canSend(again), again.mock.calls.length]).toEqual([true, 1]);
});

test('sends a third statement if the server became slow, but never a fourth', async () => {
  const limit = await openAfter(5);
  const again = vi.fn();
  for (let count = 0; count < 2; count++) limit.noteSent();
  expect(limit.canSend(again)).toBe(false);
  await vi.advanceTimersByTimeAsync(timeoutMs / 4);
  expect([limit.canSend(again), again.mock.calls.length]).toEqual([true, 1]);
  limit.noteSent();
  await vi.advanceTimersByTimeAsync(10 * timeoutMs);
  expect([limit.canSend(again), again.mock.calls.length]).toEqual([false, 1]);
});
