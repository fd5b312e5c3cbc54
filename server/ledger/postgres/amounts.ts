/** Amounts for a BIGINT column: a value beyond every bound stays beyond it, and fits. */

/** Far above any real balance, and far enough below 2^63 that a balance can be added. */
const FAR_BEYOND = 2n ** 62n;

export function fitted(micros: bigint): bigint {
  if (micros > FAR_BEYOND) return FAR_BEYOND;
  return micros < -FAR_BEYOND ? -FAR_BEYOND : micros;
}
