/** Long work, done one piece after the other. */
import { expect, test } from 'vitest';
import { runExclusive } from '../../../server/primitives/run-exclusive.ts';
import { waitForTurn } from '../../../server/primitives/wait-for-turn.ts';

test('A10: continues callers in order, each in another turn of the loop', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all(['a', 'b', 'c', 'd'].map((name) => waitForTurn().then(() => ({ name, turn }))));
  isCounting = false;
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(seen.map((each) => each.turn)).size).toBe(4);
});

test('A3: starts a task when the one before has ended, also by a failure', async () => {
  let running = 0;
  let most = 0;
  const work = async (name: string): Promise<string> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    if (name === 'b') throw new Error(name);
    return name;
  };
  const done = await Promise.allSettled(['a', 'b', 'c'].map((name) => runExclusive(() => work(name))));
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(most).toBe(1);
});

test('A3: lets the event loop turn between two tasks that wait for nothing', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all([1, 2, 3].map(() => runExclusive(async () => turn)));
  isCounting = false;
  expect(new Set(seen).size).toBe(3);
});
