/** Amounts on their way into a BIGINT: what is beyond every bound stays beyond it, and fits. */

/** Far above what can be owned, and so far below 2^63 that a balance may be added. */
const FAR_BEYOND = 2n ** 62n;

export function fitted(micros: bigint): bigint {
  if (micros > FAR_BEYOND) return FAR_BEYOND;
  return micros < -FAR_BEYOND ? -FAR_BEYOND : micros;
}
