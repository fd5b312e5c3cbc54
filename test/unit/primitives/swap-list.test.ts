import { expect, test } from 'vitest';
import { type Member, SwapList } from '../../../server/primitives/swap-list.ts';

test('holds what came and has not gone, in whatever order they go', () => {
  const bag = new SwapList<number>();
  const members = Array.from({ length: 100 }, (_, value) => bag.add(value));
  for (const member of members) if (member.value % 3 === 0) bag.remove(member);
  expect([...bag].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, value) => value).filter((value) => value % 3 !== 0));
  expect(bag.size).toBe(66);
});

test('one that goes twice takes nobody else with it', () => {
  const bag = new SwapList<string>();
  const [first, second] = [bag.add('first'), bag.add('second')];
  bag.remove(first);
  bag.remove(first);
  expect([...bag]).toEqual(['second']);
  bag.remove(second);
  bag.remove(second);
  expect(bag.size).toBe(0);
});

test('who looks through it sees all that were there, though each goes when it is looked at', () => {
  const bag = new SwapList<number>();
  const members: Member<number>[] = [];
  for (let value = 0; value < 5; value++) members.push(bag.add(value));
  const seen: number[] = [];
  for (const value of bag) {
    seen.push(value);
    for (const member of members) if (member.value === value) bag.remove(member);
  }
  expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(bag.size).toBe(0);
});
