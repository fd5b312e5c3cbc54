/** Makes up log probabilities for pieces of text. */
import { createRandom, createSeed } from './random.ts';

interface TokenChance {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface Logprob extends TokenChance {
  readonly top_logprobs: readonly TokenChance[];
}

type Token = Pick<TokenChance, 'token' | 'bytes'>;

const toToken = (token: string): Token => ({ token, bytes: [...Buffer.from(token)] });

const alternativeTokens = ' the, a, of, and, to, in, is, it, that, for, on, with, as, this, by, from, or, an, at, be'
  .split(',')
  .map(toToken);

const createChance = ({ token, bytes }: Token, probability: number): TokenChance => ({
  token,
  logprob: Number(Math.log(probability).toFixed(6)),
  bytes,
});

/** The same piece has the same numbers everywhere. `top` is the number of alternatives to return, with the piece itself first. */
export function describePiece(piece: string, count: number): Logprob {
  const probability = 0.55 + 0.44 * createRandom(createSeed(piece))();
  const alternatives = alternativeTokens
    .filter(({ token }) => token !== piece)
    .slice(0, Math.max(0, count - 1))
    .map((other, index) => createChance(other, (1 - probability) / 2 ** (index + 1)));
  const chosenToken = createChance(toToken(piece), probability);
  return { ...chosenToken, top_logprobs: count > 0 ? [chosenToken, ...alternatives] : [] };
}

export function describePieces(pieces: readonly string[], count: number): readonly Logprob[] {
  return pieces.map((piece) => describePiece(piece, count));
}
