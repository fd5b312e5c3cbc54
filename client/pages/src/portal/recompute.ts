/** Recomputes the cost of a receipt from its lines, with integers. */
import type { PortalContract } from '../../../../contract/portal/index.ts';
import type { Success } from '../data/contract-types.ts';
import { readDollars } from '../data/money.ts';

export type Receipt = NonNullable<Success<PortalContract['getRequest']>['receipt']>;

const MILLION = 1_000_000n;

/** Micro-dollars: Σ quantity × price × multiplier, rounded up to a whole micro-dollar. */
export function recompute({ lines, multiplier }: Pick<Receipt, 'lines' | 'multiplier'>): bigint {
  // In millionths of a micro-dollar, the price unit of one token.
  const subtotal = lines.reduce((sum, { quantity, price, per }) => {
    const amount = BigInt(quantity) * (readDollars(price) ?? 0n);
    return sum + (per === 'million_tokens' ? amount : amount * MILLION);
  }, 0n);
  const whole = MILLION * MILLION;
  return (subtotal * (readDollars(multiplier) ?? MILLION) + whole - 1n) / whole;
}
