/** Exact decimals for imported prices: reads, multiplies, and writes them without floating point. */

/** Digits, and how many of them follow the decimal point. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Reads a number exactly as written: `1.25e-06` is 125 with eight places. Returns undefined for negative numbers and other values. */
export function parseDecimal(value: unknown): Decimal | undefined {
  const match = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if ((typeof value !== 'number' && typeof value !== 'string') || !match) return undefined;
  const [, whole = '0', fraction = '', power = '0'] = match;
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(power) };
}

export const multiply = (one: Decimal, other: Decimal): Decimal => ({
  digits: one.digits * other.digits,
  places: one.places + other.places,
});

/** Multiplies by a million, which turns a price per token into one per million tokens. */
export const toPerMillion = ({ digits, places }: Decimal): Decimal => ({ digits, places: places - 6 });

/** Writes the number without trailing zeros. Returns undefined if it needs more than six decimal places. */
export function formatDecimal({ digits, places }: Decimal): string | undefined {
  const text = places > 0 ? String(digits).padStart(places + 1, '0') : String(digits) + '0'.repeat(-places);
  const whole = places > 0 ? text.slice(0, -places) : text;
  const fraction = (places > 0 ? text.slice(-places) : '').replace(/0+$/, '');
  if (fraction.length > 6) return undefined;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
