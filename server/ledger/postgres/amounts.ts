/** Amounts on their way into a BIGINT: what is beyond every bound stays beyond it, and fits. */

/** Far above what can be owned, and so far below 2^63 that a balance may be added. */
const farBeyond = 2n ** 62n;

export function fitted(micros: bigint): bigint {
  if (micros > farBeyond) return farBeyond;
  return micros < -farBeyond ? -farBeyond : micros;
}
