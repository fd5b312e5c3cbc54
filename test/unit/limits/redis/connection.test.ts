/** How a process comes back to Redis after an outage. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { getBackoffMs } from '../../../../server/limits/redis/connection.ts';

test.each([
  [0, 25],
  [1, 50],
  [4, 400],
  [5, 500],
  [2_000, 500],
])('waits before attempt %i to connect for %i ms and up to 24 more', (retries, least) => {
  const random = vi.spyOn(Math, 'random');
  onTestFinished(() => random.mockRestore());
  const waits = [0, 0.5, 0.999].map((chance) => {
    random.mockReturnValue(chance);
    return getBackoffMs(retries);
  });
  expect(waits).toEqual([least, least + 12, least + 24]);
});
