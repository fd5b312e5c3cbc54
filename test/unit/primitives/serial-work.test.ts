/** Work that takes long is done one piece after the other. */
import { expect, test } from 'vitest';
import { oneAtATime, ownTurn } from '../../../server/primitives/serial-work.ts';

test('A10: requests that come at once go on in different turns, in their order, and others run between them', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all(['a', 'b', 'c', 'd'].map((name) => ownTurn().then(() => ({ name, turn }))));
  isCounting = false;
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(seen.map((each) => each.turn)).size).toBe(4);
});

test('A3: the next piece of work begins when the one before has ended, also when that failed', async () => {
  let running = 0;
  let most = 0;
  const work = async (name: string): Promise<string> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    if (name === 'b') throw new Error(name);
    return name;
  };
  const done = await Promise.allSettled(['a', 'b', 'c'].map((name) => oneAtATime(() => work(name))));
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(most).toBe(1);
});
