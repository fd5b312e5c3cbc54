/** Packs a provider's reasoning into encrypted text that the caller sends back, and unpacks it. */

import { isWithin, MAX_DEPTH } from '../../../contract/shared/bounds.ts';
import { toShortHash } from './short-hash.ts';
import { type Budget, countValues } from './work-budget.ts';

/** The prefix of encrypted reasoning that the gateway packed, for protocols without an equivalent field. */
const PACKED_PREFIX = 'mg1.';

const getPrefix = (provider: string) => `${PACKED_PREFIX}${provider}.`;

export const isPackedBy = (provider: string, encrypted: string): boolean => encrypted.startsWith(getPrefix(provider));

/** The tag for an upstream's reasoning. Upstreams of non-chat protocols share a provider. A chat upstream can't read another upstream's reasoning. */
export const getReasoningProvider = (protocol: string, upstream: string): string =>
  protocol === 'chat' ? `chat.${toShortHash(upstream)}` : protocol;

/** True if the gateway packed the reasoning. No Responses upstream can read it. */
export const isPackedReasoning = (encrypted: string): boolean => encrypted.startsWith(PACKED_PREFIX);

export function packReasoning(provider: string, value: unknown): string {
  return getPrefix(provider) + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Null if another provider created the reasoning, or if it's invalid. Callers can forge it with any amount of data, so `budget` bounds the work. */
export function unpackReasoning(provider: string, encrypted: string, budget?: Budget): unknown {
  const prefix = getPrefix(provider);
  if (!encrypted.startsWith(prefix)) return null;
  const text = Buffer.from(encrypted.slice(prefix.length), 'base64url').toString();
  budget?.spend(countValues(text));
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(value, MAX_DEPTH) ? value : null;
  } catch {
    // The gateway didn't pack this reasoning. It's omitted, and the call continues.
    return null;
  }
}
