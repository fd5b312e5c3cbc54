/** Random ids: no duplicates, and request ids sort by time. */
import { expect, it } from 'vitest';
import { randomHex } from '../../../server/primitives/random-hex.ts';
import { createRequestId } from '../../../server/primitives/request-id.ts';

it('creates 20,000 distinct IDs, also in their first bytes', () => {
  const ids = Array.from({ length: 20_000 }, () => randomHex(24));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[0-9a-f]{48}$/.test(id))).toEqual([]);
  // A pool that is used twice, or not filled, would repeat bytes.
  expect(new Set(ids.map((id) => id.slice(0, 16))).size).toBe(ids.length);
});

it('sorts request IDs by their time', async () => {
  const first = createRequestId();
  const born = Date.now();
  while (Date.now() === born) await new Promise((resolve) => setImmediate(resolve));
  const second = createRequestId();
  expect([second, first].toSorted()).toEqual([first, second]);
  expect(first).toMatch(/^req_[0-9a-f]{32}$/);
});
