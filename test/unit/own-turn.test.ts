/** Work that takes long is done one piece in each turn of the event loop. */
import { expect, test } from 'vitest';
import { ownTurn } from '../../server/own-turn.ts';

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
