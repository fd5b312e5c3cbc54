/** Parses, formats, and rounds amounts of money. Amounts are integers in micro-dollars. */

export const MILLION = 1_000_000n;

/** The only rounding rule. */
export const divideUp = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor;

const DECIMAL_PLACES = 6;

/**
 * The largest stored amount, nine billion dollars. A thousand times this amount still fits a 64-bit integer, so no column ever overflows.
 */
export const MAX_AMOUNT = 9_000_000_000_000_000n;

/** `'1.25'` → `1_250_000n`. Throws RangeError for anything but digits, a decimal point and at most six digits after it. */
export function parseDollars(text: string): bigint {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) throw new RangeError(`must be a dollar amount with at most ${DECIMAL_PLACES} decimal places`);
  const [, sign, whole = '', fraction = ''] = match;
  const micros = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, '0'));
  if (micros > MAX_AMOUNT) throw new RangeError(`must be at most $${formatDollars(MAX_AMOUNT)}`);
  return sign === '-' ? -micros : micros;
}

/** `1_250_000n` → `'1.250000'`: always six decimals, so that columns line up and nothing is rounded. */
export function formatDollars(micros: bigint): string {
  const [sign, magnitude] = micros < 0n ? ['-', -micros] : ['', micros];
  const digits = magnitude.toString().padStart(DECIMAL_PLACES + 1, '0');
  return `${sign}${digits.slice(0, -DECIMAL_PLACES)}.${digits.slice(-DECIMAL_PLACES)}`;
}

/** For sentences: removes trailing zeros but keeps cents. `'5.000000'` → `'5.00'`. */
export const formatShortDollars = (dollars: string): string => dollars.replace(/(\.\d\d\d*?)0+$/, '$1');

/** For totals in sentences: `3_197_232n` → `'$3.19'`. Rounds down to cents, unless the amount is less than a cent. */
export function formatCents(micros: bigint): string {
  const isLess = micros > -CENT && micros < CENT;
  return `$${formatShortDollars(formatDollars(isLess ? micros : micros - (micros % CENT)))}`;
}
const CENT = 10_000n;

/** `'0.8'` → `800_000`: millionths, small enough for a number. */
export const parseMultiplier = (text: string): number => Number(parseDollars(text));

/** Whether the amount can be owned, held or included. */
export function isAmount(micros: bigint): boolean {
  return micros >= 0n && micros <= MAX_AMOUNT;
}

/** Returns the nearest valid amount. */
export function clampAmount(micros: bigint): bigint {
  if (micros < 0n) return 0n;
  return micros > MAX_AMOUNT ? MAX_AMOUNT : micros;
}
