/** The longest possible answer when the caller sets no output limit. */
import { DEFAULT_MAX_TOKENS } from '../anthropic/wire.ts';

/** Hardly any model exceeds it. */
const MOST_OUTPUT = 128_000;

interface Answering {
  readonly maxOutputTokens?: number | undefined;
  readonly candidates: readonly { readonly protocols: readonly string[] }[];
}

/** In tokens: the configured limit; else the limit that the upstream is always sent, or, for upstreams without one, the highest of any model. */
export function longestAnswer({ maxOutputTokens, candidates }: Answering): number {
  const isTold = candidates.every(({ protocols }) => protocols.every((protocol) => protocol === 'anthropic'));
  return maxOutputTokens ?? (isTold ? DEFAULT_MAX_TOKENS : MOST_OUTPUT);
}

/** The limit to send when the caller sets none: a vendor refuses one above that of its model. */
export const highestLimit = ({ maxOutputTokens = DEFAULT_MAX_TOKENS }: Answering): number => maxOutputTokens;
