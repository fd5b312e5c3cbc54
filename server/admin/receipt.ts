/** A receipt: every class of a request times its price, so that anyone can work the charge out again. Exact to the last digit, rounded once. */
import type { Receipt } from '../../contract/admin/usage.ts';
import type { Prices as PriceSetting } from '../config/prices.ts';
import { costOf } from '../ledger/charge.ts';
import { formatDollars } from '../ledger/money.ts';
import { imagePrice, type Prices, readPrices } from '../ledger/prices.ts';
import type { ChargeRecord, Metered } from '../ledger/store.ts';

type Line = Receipt['lines'][number];
/** In millionths of a millionth of a dollar: tokens times micro-dollars per million tokens. */
type Exact = bigint;

const PLACES = 12;
const MILLION = 1_000_000n;

function formatExact(amount: Exact): string {
  const digits = amount.toString().padStart(PLACES + 1, '0');
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}

interface Item extends Pick<Line, 'class' | 'quantity' | 'per'> {
  readonly micros: bigint;
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
  const classes = [
    { class: 'input', quantity: metered.input, micros: price('input') },
    { class: 'cached_input', quantity: metered.cachedInput, micros: price('cachedInput') },
    { class: 'cache_write', quantity: metered.cacheWrite, micros: price('cacheWrite') },
    { class: 'output', quantity: metered.output, micros: price('output') },
  ];
  return classes.filter(({ quantity }) => quantity > 0).map((one) => ({ ...one, per: 'million_tokens' }));
}

const exactOf = ({ quantity, per, micros }: Item): Exact => BigInt(quantity) * micros * (per === 'picture' ? MILLION : 1n);

/** `setting`: the prices of the version that the request was charged by. */
export function itemise(
  { metered, multiplier }: Pick<ChargeRecord, 'metered' | 'multiplier'>,
  setting: PriceSetting | null,
): Pick<Receipt, 'lines' | 'subtotal' | 'cost'> {
  if (!metered || setting === null) return { lines: [], subtotal: formatExact(0n), cost: formatDollars(0n) };
  const prices = readPrices(setting);
  const items = itemsOf(prices, metered);
  const lines = items.map((item) => ({
    class: item.class,
    quantity: item.quantity,
    price: formatDollars(item.micros),
    per: item.per,
    amount: formatExact(exactOf(item)),
  }));
  const subtotal = items.reduce((sum, item) => sum + exactOf(item), 0n);
  return { lines, subtotal: formatExact(subtotal), cost: formatDollars(costOf(prices, metered, multiplier)) };
}
