/** The part of what is left that one call may hold where it leaves open how much: those that come beside it need some too (docs/decisions/0035). */

/** What is left of a balance, a plan or a cap, and what is held of it already. */
export interface Pot {
  readonly left: bigint;
  readonly held: bigint;
}

/** Of an order that takes less than its amount, but not less than `least`. */
export interface Wanted {
  readonly amount: bigint;
  readonly least: bigint;
}

/** Whoever is alone gets half of it, everybody else a sixteenth: sixty at once come to something each, and what one asks next finds some left. */
const ALONE = 2n;
const BESIDE_OTHERS = 16n;

/** Null where there is not even the least. */
export function shareOf({ left, held }: Pot, { amount, least }: Wanted): bigint | null {
  if (left < least) return null;
  const most = least + (left - least) / (held === 0n ? ALONE : BESIDE_OTHERS);
  return amount < most ? amount : most;
}
