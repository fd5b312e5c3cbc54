/** Remembers which upstream encrypted which reasoning, so that reasoning which a caller sends back goes to no other upstream. */
import { eachEncrypted, fingerprintOf } from '../dialects/turn/encrypted-reasoning.ts';

/** About 10 MB at most. Reasoning whose origin was forgotten, as after a restart, is sent on; the upstream decides about it. */
const MOST = 50_000;

export interface ReasoningOrigins {
  /** Records every piece of encrypted reasoning in the bytes of an answer. */
  note(answer: Buffer, upstream: string): void;
  /** The upstream that encrypted this; undefined when it was forgotten or never recorded. */
  originOf(encrypted: string): string | undefined;
}

export function openReasoningOrigins(most = MOST): ReasoningOrigins {
  const origins = new Map<string, string>();
  const remember = (print: string, upstream: string): void => {
    // Deleted and set again, so that the oldest entry comes first.
    origins.delete(print);
    origins.set(print, upstream);
    if (origins.size <= most) return;
    const [oldest] = origins.keys();
    if (oldest !== undefined) origins.delete(oldest);
  };
  return {
    note: (answer, upstream) => eachEncrypted(answer, (print) => remember(print, upstream)),
    originOf: (encrypted) => origins.get(fingerprintOf(encrypted)),
  };
}
