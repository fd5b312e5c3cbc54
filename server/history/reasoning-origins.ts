/** Remembers which upstream encrypted which reasoning. */
import { forEachReasoningFingerprint, getReasoningFingerprint } from '../protocols/canonical/reasoning-fingerprints.ts';

/**
 * About 10 MB at most. Reasoning of forgotten origin, for example after a restart, is forwarded, and the upstream accepts or rejects it.
 */
const MAX_ORIGINS = 50_000;

export interface ReasoningOrigins {
  /** Records the upstream for every piece of encrypted reasoning in the bytes of a response. */
  recordOrigins(responseBytes: Buffer, upstream: string): void;
  /** Returns the upstream that encrypted the reasoning, or undefined if its origin was forgotten or never recorded. */
  findOrigin(encrypted: string): string | undefined;
}

export function openReasoningOrigins(maxOrigins = MAX_ORIGINS): ReasoningOrigins {
  const origins = new Map<string, string>();
  const saveOrigin = (fingerprint: string, upstream: string): void => {
    // Deletes the entry before setting it, so that the oldest entry comes first.
    origins.delete(fingerprint);
    origins.set(fingerprint, upstream);
    if (origins.size <= maxOrigins) return;
    const [oldest] = origins.keys();
    if (oldest !== undefined) origins.delete(oldest);
  };
  return {
    recordOrigins: (answer, upstream) => forEachReasoningFingerprint(answer, (print) => saveOrigin(print, upstream)),
    findOrigin: (encrypted) => origins.get(getReasoningFingerprint(encrypted)),
  };
}
