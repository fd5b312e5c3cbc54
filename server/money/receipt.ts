/** Itemizes a charge for a receipt: one line per token class, image, or tool, with its exact amount. Also lists the attempts. */

import { computeCost } from './cost.ts';
import { formatDollars, MILLION } from './dollars.ts';
import { getImagePrice, getPartialImagePrice, getRates, getToolPrice, PARTIAL_IMAGE, type Prices, tokenClasses } from './prices.ts';
import type { ChargeRecord, MeteredUsage, StoredAttempt } from './store.ts';

interface ReceiptLine {
  readonly class: string;
  readonly quantity: number;
  readonly price: string;
  readonly per: 'million_tokens' | 'image' | 'call';
  readonly amount: string;
}

interface ItemizedCharge {
  readonly lines: ReceiptLine[];
  readonly subtotal: string;
  readonly multiplier: string;
  readonly rounding: string;
  readonly cost: string;
}

type ReceiptItem = Pick<ReceiptLine, 'class' | 'quantity' | 'per'> & { readonly micros: bigint };

/** Tokens times micro-dollars per million tokens are millionths of a micro-dollar. */
const LINE_DECIMALS = 12;

/** The multiplier adds six decimal places. */
const PRODUCT_DECIMALS = 18;

/** Lists no lines before the charge, or if its prices are missing. */
export function itemizeReceipt(
  { metered, multiplier }: Pick<ChargeRecord, 'metered' | 'multiplier'>,
  prices: Prices | null,
): ItemizedCharge {
  const items =
    metered && prices ? listItems(prices, metered).filter(({ quantity }) => Number.isSafeInteger(quantity) && quantity > 0) : [];
  const cost = metered && prices ? computeCost(prices, metered, multiplier) : 0n;
  const subtotal = items.reduce((sum, item) => sum + computeAmount(item), 0n);
  return {
    lines: items.map(writeLine),
    subtotal: formatDecimal(subtotal, LINE_DECIMALS),
    multiplier: formatDollars(BigInt(multiplier)),
    rounding: formatDecimal(cost * MILLION * MILLION - subtotal * BigInt(multiplier), PRODUCT_DECIMALS),
    cost: formatDollars(cost),
  };
}

function listItems(prices: Prices, metered: MeteredUsage): ReceiptItem[] {
  if (prices.kind === 'images') {
    const images = Object.entries(metered.images).map(([kind, n]) => ({ class: kind, quantity: n, micros: getImagePrice(prices, kind) }));
    const partialImages = { class: PARTIAL_IMAGE, quantity: metered.partialImages ?? 0, micros: getPartialImagePrice(prices) };
    return [...images, partialImages].map((item) => ({ ...item, per: 'image' }));
  }
  const rates = prices.kind === 'free' ? null : getRates(prices, metered);
  const tokens = tokenClasses.map(
    ({ name, line, tokensIn }): ReceiptItem => ({
      class: line,
      quantity: tokensIn(metered),
      micros: rates?.[name] ?? 0n,
      per: 'million_tokens',
    }),
  );
  const calls = Object.entries(metered.tools ?? {}).map(
    ([type, n]): ReceiptItem => ({
      class: type,
      quantity: n,
      per: 'call',
      micros: prices.kind === 'free' ? 0n : getToolPrice(prices, type),
    }),
  );
  return [...tokens, ...calls];
}

const computeAmount = ({ quantity, per, micros }: ReceiptItem): bigint =>
  BigInt(quantity) * micros * (per === 'million_tokens' ? 1n : MILLION);

const writeLine = (item: ReceiptItem): ReceiptLine => ({
  class: item.class,
  quantity: item.quantity,
  price: formatDollars(item.micros),
  per: item.per,
  amount: formatDecimal(computeAmount(item), LINE_DECIMALS),
});

/** Rounds to milliseconds: the clock's fractions don't matter to a reader. */
export const writeAttempts = (attempts: readonly StoredAttempt[]): Required<StoredAttempt>[] =>
  attempts.map(({ upstream, status, code, ms, protocol = null }) => ({ upstream, status, code, ms: Math.round(ms), protocol }));

/** Formats a non-negative amount with decimal places. */
function formatDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
