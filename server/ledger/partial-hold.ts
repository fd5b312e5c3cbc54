/** How much a call without an output limit may hold: a part of the available money, so that parallel calls get some, too (docs/decisions/0035). */

/** What is left of a balance, a subscription or a cap, and how much of it other calls hold. */
export interface Pot {
  readonly left: bigint;
  readonly held: bigint;
}

/** The order takes at most `amount` and at least `least`. */
export interface Wanted {
  readonly amount: bigint;
  readonly least: bigint;
}

/** A call with no other beside it gets half; any other call gets a sixteenth, so that sixty calls at once all get something. */
const ALONE = 2n;
const BESIDE_OTHERS = 16n;

/** Null when less than `least` is left. */
export function partialHold({ left, held }: Pot, { amount, least }: Wanted): bigint | null {
  if (left < least) return null;
  const most = least + (left - least) / (held === 0n ? ALONE : BESIDE_OTHERS);
  return amount < most ? amount : most;
}
