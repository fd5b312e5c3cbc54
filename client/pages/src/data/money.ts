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

/** Formats `$1,234.50`, with as many decimals as the amount needs, at least two. */
export function formatDollars(micros: bigint, locale?: string): string {
  const [whole = '0', fraction = ''] = writeDollars(micros < 0n ? -micros : micros).split('.');
  const digits = fraction.replace(/0{1,4}$/, '');
  return `${micros < 0n ? '−' : ''}$${BigInt(whole).toLocaleString(locale)}${decimalPoint(locale)}${digits}`;
}

/** Rounds to cents, for axes and totals: `$412.08`. An amount below one cent keeps its digits. */
export function formatCents(micros: bigint, locale?: string): string {
  const size = micros < 0n ? -micros : micros;
  if (size === 0n || size < 10_000n) return formatDollars(micros, locale);
  const cents = (size + 5_000n) / 10_000n;
  return `${micros < 0n ? '−' : ''}$${(cents / 100n).toLocaleString(locale)}${decimalPoint(locale)}${String(cents % 100n).padStart(2, '0')}`;
}

/** Decimals of the amounts in one column. */
export type Decimals = 2 | 6;
/** One rule per column: cents, or six decimals if every amount is below one dollar. */
export function chooseDecimals(amounts: readonly (bigint | null)[]): Decimals {
  const sizes = amounts.map((micros) => (micros ?? 0n) * ((micros ?? 0n) < 0n ? -1n : 1n));
  return sizes.some((size) => size >= MICROS) || sizes.every((size) => size === 0n) ? 2 : 6;
}

/** Formats with this many decimals, so that decimal points align: `$1,234.50`, `$0.002510`, or `<$0.01` for less than a cent. */
export function formatColumn(micros: bigint, decimals: Decimals, locale?: string): string {
  const size = micros < 0n ? -micros : micros;
  const sign = micros < 0n ? '−' : '';
  if (decimals === 2 && size !== 0n && size < MICROS / 100n) return `${sign}<$0${decimalPoint(locale)}01`;
  const [whole = '0', fraction = ''] = writeDollars(decimals === 2 ? ((size + 5_000n) / 10_000n) * 10_000n : size).split('.');
  return `${sign}$${BigInt(whole).toLocaleString(locale)}${decimalPoint(locale)}${fraction.slice(0, decimals)}`;
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
