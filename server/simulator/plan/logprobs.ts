/** Log probabilities for the pieces of an answer: invented, but of the right shape and order of size. */
import { createRandom, createSeed } from '../seed.ts';

interface Chance {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}
export interface Logprob extends Chance {
  readonly top_logprobs: readonly Chance[];
}

type Token = Pick<Chance, 'token' | 'bytes'>;

const asToken = (token: string): Token => ({ token, bytes: [...Buffer.from(token)] });

const others = ' the, a, of, and, to, in, is, it, that, for, on, with, as, this, by, from, or, an, at, be'.split(',').map(asToken);

const createChance = ({ token, bytes }: Token, probability: number): Chance => ({
  token,
  logprob: Number(Math.log(probability).toFixed(6)),
  bytes,
});

/** The same piece has the same numbers wherever it stands. `top` is how many alternatives to name, the piece itself first. */
export function describePiece(piece: string, top: number): Logprob {
  const probability = 0.55 + 0.44 * createRandom(createSeed(piece))();
  const alternatives = others
    .filter(({ token }) => token !== piece)
    .slice(0, Math.max(0, top - 1))
    .map((other, index) => createChance(other, (1 - probability) / 2 ** (index + 1)));
  const chosen = createChance(asToken(piece), probability);
  return { ...chosen, top_logprobs: top > 0 ? [chosen, ...alternatives] : [] };
}

export function describePieces(pieces: readonly string[], top: number): readonly Logprob[] {
  return pieces.map((piece) => describePiece(piece, top));
}
