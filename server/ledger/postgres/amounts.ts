/** Amounts for a BIGINT column: a value beyond every bound stays beyond it, and fits. */

/** Far above any real balance, and far enough below 2^63 that a balance can be added. */
const LARGEST = 2n ** 62n;

export function clampAmount(micros: bigint): bigint {
  if (micros > LARGEST) return LARGEST;
  return micros < -LARGEST ? -LARGEST : micros;
}
