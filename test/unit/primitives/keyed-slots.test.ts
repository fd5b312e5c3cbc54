/** Slots by key: a bound on the work of one key at a time. */
import { expect, test } from 'vitest';
import { KeyedSlots } from '../../../server/primitives/keyed-slots.ts';

/** Notes its name when it has the slot. */
const noting = (slots: KeyedSlots, key: string, name: string, seen: string[]) =>
  slots.acquire(key).then((free) => {
    seen.push(name);
    return free;
  });

const settled = () => new Promise(setImmediate);

test('A4: a key has so many slots; later ones wait in their order, and other keys do not wait', async () => {
  const slots = new KeyedSlots(2);
  const seen: string[] = [];
  const first = await noting(slots, 'one', 'a', seen);
  const second = await noting(slots, 'one', 'b', seen);
  const third = noting(slots, 'one', 'c', seen);
  void noting(slots, 'one', 'd', seen);
  await noting(slots, 'other', 'x', seen);
  await settled();
  expect(seen).toEqual(['a', 'b', 'x']);
  first();
  await settled();
  expect(seen).toEqual(['a', 'b', 'x', 'c']);
  second();
  (await third)();
  await settled();
  expect(seen).toEqual(['a', 'b', 'x', 'c', 'd']);
});

test('A4: a slot that is freed twice is free once', async () => {
  const slots = new KeyedSlots(1);
  const seen: string[] = [];
  const free = await noting(slots, 'one', 'a', seen);
  free();
  free();
  await noting(slots, 'one', 'b', seen);
  void noting(slots, 'one', 'c', seen);
  await settled();
  expect(seen).toEqual(['a', 'b']);
});
