/** A list whose elements leave in any order, such as open streams. */
import { expect, test } from 'vitest';
import { SwapList } from '../../../server/primitives/swap-list.ts';

test('removes each element once, in any order', () => {
  const list = new SwapList<string>();
  const [first, second, third] = [list.add('first'), list.add('second'), list.add('third')];
  list.remove(first);
  list.remove(first);
  expect([...list].sort()).toEqual(['second', 'third']);
  list.remove(third);
  expect([...list]).toEqual(['second']);
  list.remove(second);
  expect(list.size).toBe(0);
});
