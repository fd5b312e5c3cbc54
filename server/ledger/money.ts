/** Dollars as texts ↔ integer millionths (micro-dollars), and which amounts there are. No float ever comes near money. */

const PLACES = 6;
/** The largest amount that is stored: nine billion dollars, a thousand times it still fits a 64-bit integer, so no column ever overflows. */
export const MAX_AMOUNT = 9_000_000_000_000_000n;

/** `'1.25'` → `1_250_000n`. Throws RangeError for anything but digits, a point and at most six digits behind it. */
export function parseDollars(text: string): bigint {
  const found = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text);
  if (!found) throw new RangeError(`not an amount of dollars with at most ${PLACES} digits behind the point`);
  const [, sign, whole = '', fraction = ''] = found;
  const micros = BigInt(whole + fraction.padEnd(PLACES, '0'));
  if (micros > MAX_AMOUNT) throw new RangeError(`more than ${formatDollars(MAX_AMOUNT)} dollars`);
  return sign === '-' ? -micros : micros;
}

/** `1_250_000n` → `'1.250000'`: always six decimals, so that columns line up and nothing is rounded. */
export function formatDollars(micros: bigint): string {
  const [sign, size] = micros < 0n ? ['-', -micros] : ['', micros];
  const digits = size.toString().padStart(PLACES + 1, '0');
  return `${sign}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}

/** `'0.8'` → `800_000`: millionths, small enough for a number. */
export const parseMultiplier = (text: string): number => Number(parseDollars(text));

/** Whether it can be owned, held or included. */
export function isAmount(micros: bigint): boolean {
  return micros >= 0n && micros <= MAX_AMOUNT;
}

/** The nearest amount there is. */
export function nearestAmount(micros: bigint): bigint {
  if (micros < 0n) return 0n;
  return micros > MAX_AMOUNT ? MAX_AMOUNT : micros;
}
