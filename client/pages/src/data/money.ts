/** Money on pages: decimal text and BigInt micro-dollars. A float is made only to place a pixel, never to print or to add. */

const MICROS = 1_000_000n;
const DECIMALS = 6;

/** Micro-dollars of a text such as `-3.5` or `0.003300`, to six decimal places; null when it is no such text. */
export function readDollars(text: string): bigint | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const micros = BigInt(whole) * MICROS + BigInt(fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -micros : micros;
}

/** As the API writes it: always six decimal places. */
export function writeDollars(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? '-' : ''}${size / MICROS}.${String(size % MICROS).padStart(DECIMALS, '0')}`;
}

/** `$1,234.50`, with as many digits as the amount has, at least two. */
export function formatDollars(micros: bigint, locale?: string): string {
  const [whole = '0', fraction = ''] = writeDollars(micros < 0n ? -micros : micros).split('.');
  const digits = fraction.replace(/0{1,4}$/, '');
  return `${micros < 0n ? '−' : ''}$${BigInt(whole).toLocaleString(locale)}${decimalPoint(locale)}${digits}`;
}

/** To cents, for axes and sums of many: `$412.08`; an amount below a cent keeps its digits. */
export function formatCents(micros: bigint, locale?: string): string {
  const size = micros < 0n ? -micros : micros;
  if (size === 0n || size < 10_000n) return formatDollars(micros, locale);
  const cents = (size + 5_000n) / 10_000n;
  return `${micros < 0n ? '−' : ''}$${(cents / 100n).toLocaleString(locale)}${decimalPoint(locale)}${String(cents % 100n).padStart(2, '0')}`;
}

const decimalPoint = (locale?: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** `part` of `whole` in per mille, rounded down; 0 where there is no whole. */
export const toPerMille = (part: bigint, whole: bigint): number => (whole <= 0n ? 0 : Number((part * 1_000n) / whole));

/** `95%`, or `12.5%`; null: there is no whole. */
export const formatShare = (part: bigint, whole: bigint): string | null =>
  whole <= 0n ? null : `${(toPerMille(part, whole) / 10).toLocaleString()}%`;
