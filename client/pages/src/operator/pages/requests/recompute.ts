/** Recomputes a charge from quantities, prices, and multiplier with integers, and lists differences from the receipt and the ledger. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';

export type ExplainedRequest = Success<AdminContract['getRequest']>;
export type Receipt = NonNullable<ExplainedRequest['receipt']>;
type Line = Receipt['lines'][number];

export type Difference = { readonly part: 'line'; readonly name: string } | { readonly part: 'subtotal' | 'cost' | 'charged' | 'ledger' };

/** Turns `0.25` into 250000 with six decimals. Null if the text isn't a decimal, or has more. */
export function readDecimal(text: string, places: number): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || fraction.length > places) return null;
  const units = BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0') || '0');
  return sign === '-' ? -units : units;
}

const MICRO = 6;
const PICO = 12;
const ATTO = 18;

/** A price of micro-dollars per million tokens equals pico-dollars per token. Other units have a price each. */
function computeAmount({ quantity, price, per }: Line): bigint {
  const product = BigInt(quantity) * (readDecimal(price, MICRO) ?? 0n);
  return per === 'million_tokens' ? product : product * 1_000_000n;
}

/** The differences. Empty if everything matches. `entries`: ledger entries of the request. */
export function recompute(receipt: Receipt, entries: ExplainedRequest['entries']): readonly Difference[] {
  const { lines, subtotal, multiplier, rounding, cost, held, charged } = receipt;
  const amounts = lines.map((line) => ({ name: line.class, isSame: computeAmount(line) === readDecimal(line.amount, PICO) }));
  const sum = lines.reduce((total, line) => total + computeAmount(line), 0n);
  const exact = sum * (readDecimal(multiplier, MICRO) ?? 0n) + (readDecimal(rounding, ATTO) ?? -1n);
  const costIs = readDecimal(cost, MICRO) ?? -1n;
  const mostIs = readDecimal(held, MICRO) ?? 0n;
  const chargedIs = readDecimal(charged, MICRO) ?? -1n;
  return [
    ...amounts.flatMap(({ name, isSame }) => (isSame ? [] : [{ part: 'line', name } as const])),
    ...(sum === readDecimal(subtotal, PICO) ? [] : [{ part: 'subtotal' } as const]),
    ...(exact === costIs * 10n ** 12n ? [] : [{ part: 'cost' } as const]),
    ...(chargedIs === (costIs < mostIs ? costIs : mostIs) ? [] : [{ part: 'charged' } as const]),
    ...(isPosted(chargedIs, entries) ? [] : [{ part: 'ledger' } as const]),
  ];
}

/** Whether debits equal credits, and the payer's ledger account was debited the charge. */
function isPosted(charged: bigint, entries: ExplainedRequest['entries']): boolean {
  const sumEntries = (fits: (book: string) => boolean) =>
    entries.reduce((total, { ledger_account: book, amount }) => total + (fits(book) ? (readDecimal(amount, MICRO) ?? 0n) : 0n), 0n);
  return (
    sumEntries(() => true) === 0n && -sumEntries((book) => book.startsWith('account:') || book.startsWith('subscription:')) === charged
  );
}
