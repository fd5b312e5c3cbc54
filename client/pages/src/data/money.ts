/** Formats and computes money as decimal text and BigInt micro-dollars. Floats are used only to place pixels, never to print or add. */

const MICROS = 1_000_000n;
const DECIMALS = 6;

/** Parses a text such as `-3.5` or `0.003300` into micro-dollars. Null if it isn't an amount with at most six decimals. */
export function readDollars(text: string): bigint | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const micros = BigInt(whole) * MICROS + BigInt(fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -micros : micros;
}

/** Formats an amount like the API, with six decimals. */
export function writeDollars(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? '-' : ''}${size / MICROS}.${String(size % MICROS).padStart(DECIMALS, '0')}`;
}

/** For prices and typed amounts: `$1,234.50`, with as many decimals as the amount needs, at least two. */
export function formatDollars(micros: bigint, locale?: string): string {
  const zeros = /0{0,4}$/.exec(writeDollars(micros))?.[0].length ?? 0;
  return formatFixed(micros, DECIMALS - zeros, locale);
}

/** Rounds to cents, like all amounts but those of single calls: `$412.08`, `<$0.01` for a smaller one above 0, and no sign before zero. */
export function formatCents(micros: bigint, locale?: string): string {
  if (micros > 0n && micros < CENT) return `<${formatFixed(CENT, 2, locale)}`;
  const cents = (micros + (micros < 0n ? -CENT : CENT) / 2n) / CENT;
  return formatFixed(cents * CENT, 2, locale);
}
const CENT = 10_000n;

/** The amount of a single call or entry, with all six decimals: `$0.002510`. Zero is `$0.00`, as everywhere. */
export const formatExact = (micros: bigint, locale?: string): string => formatFixed(micros, micros === 0n ? 2 : DECIMALS, locale);

function formatFixed(micros: bigint, decimals: number, locale?: string): string {
  const [whole = '0', fraction = ''] = writeDollars(micros < 0n ? -micros : micros).split('.');
  return `${micros < 0n ? '−' : ''}$${BigInt(whole).toLocaleString(locale)}${decimalPoint(locale)}${fraction.slice(0, decimals)}`;
}

/** Formats exact amounts of a receipt with equal decimals, without common trailing zeros: `0.0008` and `0.0125`. At least two decimals. */
export function alignDecimals(amounts: readonly string[]): readonly string[] {
  const parts = amounts.map((amount) => amount.split('.'));
  const length = Math.max(2, ...parts.map(([, fraction = '']) => fraction.replace(/0+$/, '').length));
  return parts.map(([whole, fraction = '']) => `${whole}.${fraction.padEnd(length, '0').slice(0, length)}`);
}

const decimalPoint = (locale?: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** Returns `part` of `whole` in per mille, rounded down. 0 if `whole` is 0. */
export const toPerMille = (part: bigint, whole: bigint): number => (whole <= 0n ? 0 : Number((part * 1_000n) / whole));

/** Formats `95.0%`, always with one decimal, or `<0.1%` for a smaller share above 0. Null if `whole` is 0. */
export function formatShare(part: bigint | number, whole: bigint | number): string | null {
  const perMille = toPerMille(BigInt(part), BigInt(whole));
  if (perMille === 0 && part > 0 && whole > 0) return `<${formatTenths(1)}%`;
  return whole <= 0 ? null : `${formatTenths(perMille)}%`;
}
const formatTenths = (tenths: number): string => (tenths / 10).toLocaleString(undefined, { minimumFractionDigits: 1 });

/** Writes a decimal of the API as people type it: `20.500000` becomes `20.5`. */
export const trimZeros = (decimal: string): string => decimal.replace(/\.?0+$/, '');
