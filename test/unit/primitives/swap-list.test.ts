import { expect, test } from 'vitest';
import { type Member, SwapList } from '../../../server/primitives/swap-list.ts';

test('a SwapList holds what was added and not removed', () => {
  const list = new SwapList<number>();
  const members = Array.from({ length: 100 }, (_, value) => list.add(value));
  for (const member of members) if (member.value % 3 === 0) list.remove(member);
  expect([...list].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, value) => value).filter((value) => value % 3 !== 0));
  expect(list.size).toBe(66);
});

test('removing a member twice removes no other', () => {
  const list = new SwapList<string>();
  const [first, second] = [list.add('first'), list.add('second')];
  list.remove(first);
  list.remove(first);
  expect([...list]).toEqual(['second']);
  list.remove(second);
  list.remove(second);
  expect(list.size).toBe(0);
});

test('an iteration sees all members, though each is removed when it is seen', () => {
  const list = new SwapList<number>();
  const members: Member<number>[] = [];
  for (let value = 0; value < 5; value++) members.push(list.add(value));
  const seen: number[] = [];
  for (const value of list) {
    seen.push(value);
    for (const member of members) if (member.value === value) list.remove(member);
  }
  expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(list.size).toBe(0);
});
