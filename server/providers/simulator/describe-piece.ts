/** Makes up the log probability of a piece of text. */
import type { Logprob } from '../../protocols/canonical/canonical-events.ts';
import { createRandom, createSeed } from './random.ts';

type TokenChance = Omit<Logprob, 'top'>;

const alternativeTokens = ' the, a, of, and, to, in, is, it, that, for, on, with, as, this, by, from, or, an, at, be'.split(',');

const createChance = (token: string, probability: number): TokenChance => ({
  token,
  logprob: Number(Math.log(probability).toFixed(6)),
  bytes: [...Buffer.from(token)],
});

/** The same piece has the same numbers everywhere. `count` is the number of alternatives to return, with the piece itself first. */
export function describePiece(piece: string, count: number): Logprob {
  const probability = 0.55 + 0.44 * createRandom(createSeed(piece))();
  const chosenToken = createChance(piece, probability);
  const alternatives = alternativeTokens
    .filter((token) => token !== piece)
    .slice(0, Math.max(0, count - 1))
    .map((token, index) => createChance(token, (1 - probability) / 2 ** (index + 1)));
  return { ...chosenToken, top: count > 0 ? [chosenToken, ...alternatives] : [] };
}
