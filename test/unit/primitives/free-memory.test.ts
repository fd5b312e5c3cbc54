/** Large memory is given back at once. */
import { expect, test } from 'vitest';
import { freeMemory } from '../../../server/primitives/free-memory.ts';

test('A3: empties a large buffer, and keeps a small one, and a part of another', () => {
  const large = Buffer.allocUnsafeSlow(2_000_000);
  const [part, small] = [Buffer.allocUnsafeSlow(3_000_000).subarray(0, 2_000_000), Buffer.alloc(100)];
  for (const buffer of [large, part, small]) freeMemory(buffer);
  expect([large.length, part.length, small.length]).toEqual([0, 2_000_000, 100]);
});
