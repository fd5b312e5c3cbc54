/** Names that the gateway gives: nobody meets one twice, and those of requests lie in the order of their time. */
import { expect, it } from 'vitest';
import { newRequestId, randomHex } from '../../../server/primitives/random-id.ts';

it('a caller never gets the id of another', () => {
  const ids = Array.from({ length: 20_000 }, () => randomHex(24));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[0-9a-f]{48}$/.test(id))).toEqual([]);
  // A pool that is given out twice, or not filled, would show as bytes that come back.
  expect(new Set(ids.map((id) => id.slice(0, 16))).size).toBe(ids.length);
});

it('an operator who sorts request ids has them in the order in which the requests came', async () => {
  const first = newRequestId();
  const born = Date.now();
  while (Date.now() === born) await new Promise((resolve) => setImmediate(resolve));
  const second = newRequestId();
  expect([second, first].toSorted()).toEqual([first, second]);
  expect(first).toMatch(/^req_[0-9a-f]{32}$/);
});
