/** A receipt: every class of a request times its price, exact to the last digit and rounded once, so that anyone can work the charge out again. */
import { costOf } from './charge.ts';
import { formatDollars } from './money.ts';
import { imagePrice, type Prices, toolPrice } from './prices.ts';
import type { ChargeRecord, KeptAttempt, Metered } from './store.ts';

export interface ReceiptLine {
  readonly class: string;
  readonly quantity: number;
  readonly price: string;
  readonly per: 'million_tokens' | 'picture' | 'call';
  readonly amount: string;
}

export interface Itemised {
  readonly lines: ReceiptLine[];
  readonly subtotal: string;
  readonly multiplier: string;
  readonly rounding: string;
  readonly cost: string;
}

type Item = Pick<ReceiptLine, 'class' | 'quantity' | 'per'> & { readonly micros: bigint };

const MILLION = 1_000_000n;
/** Tokens times micro-dollars per million tokens are millionths of a micro-dollar. */
const LINE_PLACES = 12;
/** The multiplier has six digits more. */
const PRODUCT_PLACES = 18;

/** Without the prices of the charge, or before the charge, there is nothing to list. */
export function itemise({ metered, multiplier }: Pick<ChargeRecord, 'metered' | 'multiplier'>, prices: Prices | null): Itemised {
  const items = metered && prices ? itemsOf(prices, metered).filter(({ quantity }) => Number.isSafeInteger(quantity) && quantity > 0) : [];
  const cost = metered && prices ? costOf(prices, metered, multiplier) : 0n;
  const subtotal = items.reduce((sum, item) => sum + amountOf(item), 0n);
  return {
    lines: items.map(writeLine),
    subtotal: decimal(subtotal, LINE_PLACES),
    multiplier: formatDollars(BigInt(multiplier)),
    rounding: decimal(cost * MILLION * MILLION - subtotal * BigInt(multiplier), PRODUCT_PLACES),
    cost: formatDollars(cost),
  };
}

function itemsOf(prices: Prices, metered: Metered): Item[] {
  if (prices.kind === 'images') {
    return Object.entries(metered.images).map(([kind, n]) => ({
      class: kind,
      quantity: n,
      per: 'picture',
      micros: imagePrice(prices, kind),
    }));
  }
  const price = (name: 'input' | 'cachedInput' | 'cacheWrite' | 'output') => (prices.kind === 'free' ? 0n : prices[name]);
  const tokens = [
    { class: 'input', quantity: metered.input, micros: price('input') },
    { class: 'cached_input', quantity: metered.cachedInput, micros: price('cachedInput') },
    { class: 'cache_write', quantity: metered.cacheWrite, micros: price('cacheWrite') },
    { class: 'output', quantity: metered.output, micros: price('output') },
  ].map((item): Item => ({ ...item, per: 'million_tokens' }));
  const calls = Object.entries(metered.tools ?? {}).map(
    ([type, n]): Item => ({ class: type, quantity: n, per: 'call', micros: prices.kind === 'free' ? 0n : toolPrice(prices, type) }),
  );
  return [...tokens, ...calls];
}

const amountOf = ({ quantity, per, micros }: Item): bigint => BigInt(quantity) * micros * (per === 'million_tokens' ? 1n : MILLION);

const writeLine = (item: Item): ReceiptLine => ({
  class: item.class,
  quantity: item.quantity,
  price: formatDollars(item.micros),
  per: item.per,
  amount: decimal(amountOf(item), LINE_PLACES),
});

/** The clock has tenths of a millisecond, which mean nothing to a reader. */
export const writeAttempts = (attempts: readonly KeptAttempt[]): KeptAttempt[] =>
  attempts.map(({ upstream, status, code, ms }) => ({ upstream, status, code, ms: Math.round(ms) }));

/** For numbers that are never negative. */
function decimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
