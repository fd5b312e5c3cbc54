/** How much a call without an output limit may hold: a part of the available money, so that parallel calls get some, too (docs/decisions/0035). */

/** What is left of a balance, a subscription or a cap, and how much of it other calls hold. */
export interface Funds {
  readonly left: bigint;
  readonly held: bigint;
}

/** The order takes at most `amount` and at least `least`. */
export interface WantedHold {
  readonly amount: bigint;
  readonly least: bigint;
}

/** A call with no other beside it gets half; any other call gets a sixteenth, so that sixty calls at once all get something. */
const PART_ALONE = 2n;
const PART_BESIDE_OTHERS = 16n;

/** Null when less than `least` is left. */
export function partialHold({ left, held }: Funds, { amount, least }: WantedHold): bigint | null {
  if (left < least) return null;
  const most = least + (left - least) / (held === 0n ? PART_ALONE : PART_BESIDE_OTHERS);
  return amount < most ? amount : most;
}
