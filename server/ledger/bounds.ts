/** Which amounts there are: a thousand times the largest still fits a 64-bit integer, so no column ever overflows. */
import { MAX_AMOUNT } from './money.ts';

/** Whether it can be owned, held or included. */
export function isAmount(micros: bigint): boolean {
  return micros >= 0n && micros <= MAX_AMOUNT;
}

/** The nearest amount there is. */
export function nearestAmount(micros: bigint): bigint {
  if (micros < 0n) return 0n;
  return micros > MAX_AMOUNT ? MAX_AMOUNT : micros;
}
