/** How long an answer can be, where nobody says how long it may be. */
import { DEFAULT_MAX_TOKENS } from '../anthropic/wire.ts';

/** Hardly any model passes it. */
const MOST_OUTPUT = 128_000;

interface Answering {
  readonly maxOutputTokens?: number | undefined;
  readonly candidates: readonly { readonly protocols: readonly string[] }[];
}

/** In tokens: what the file says, else what upstreams of its kind are told, or the most there is where they are told nothing. */
export function longestAnswer({ maxOutputTokens, candidates }: Answering): number {
  const isTold = candidates.every(({ protocols }) => protocols.every((protocol) => protocol === 'anthropic'));
  return maxOutputTokens ?? (isTold ? DEFAULT_MAX_TOKENS : MOST_OUTPUT);
}

/** The highest limit that is sent where the caller sets none: a vendor refuses one above that of its model. */
export const highestLimit = ({ maxOutputTokens = DEFAULT_MAX_TOKENS }: Answering): number => maxOutputTokens;
