/** Values of other gateways' files, which nobody has checked: texts, numbers, lists, and exact decimals. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  // `as`: an object that is no list.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);
export const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
};

/** A text of JSON, or what it stands for; undefined for a text that is none. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Digits, and how many of them stand behind the point. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** A number as it is written: `1.25e-06` is 125 with eight places. Undefined for what is no number, or below zero. */
export function readDecimal(value: unknown): Decimal | undefined {
  const found = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if ((typeof value !== 'number' && typeof value !== 'string') || !found) return undefined;
  const [, whole = '0', part = '', power = '0'] = found;
  return { digits: BigInt(whole + part), places: part.length - Number(power) };
}

export const times = (one: Decimal, other: Decimal): Decimal => ({ digits: one.digits * other.digits, places: one.places + other.places });

/** Millions of it: a price of one token becomes that of a million. */
export const ofMillion = ({ digits, places }: Decimal): Decimal => ({ digits, places: places - 6 });

/** In decimal digits, without needless zeros; undefined where it needs more than six places behind the point. */
export function writeDecimal({ digits, places }: Decimal): string | undefined {
  const text = places > 0 ? String(digits).padStart(places + 1, '0') : String(digits) + '0'.repeat(-places);
  const whole = places > 0 ? text.slice(0, -places) : text;
  const part = (places > 0 ? text.slice(-places) : '').replace(/0+$/, '');
  if (part.length > 6) return undefined;
  return part === '' ? whole : `${whole}.${part}`;
}
