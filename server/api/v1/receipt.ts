/** Writes receipts and usage records for callers. */

import type { Receipt, UsageRecord } from '../../../contract/usage.ts';
import { formatDollars } from '../../money/dollars.ts';
import { readPriceVersion } from '../../money/price-book.ts';
import { itemizeReceipt, writeAttempts } from '../../money/receipt.ts';
import type { ChargeRecord, LedgerStore } from '../../money/store.ts';

export const SECOND_MS = 1_000;

/** Writes the caller's receipt, for this API and the portal. */
export async function writeReceipt(ledger: LedgerStore, charge: ChargeRecord): Promise<Receipt> {
  const [version, attempts] = await Promise.all([ledger.findPrice(charge.priceVersion), ledger.listAttempts(charge.requestId)]);
  const lines = itemizeReceipt(charge, version ? readPriceVersion(version).prices : null);
  const tier = charge.metered?.serviceTier ?? null;
  return { ...writeUsage(charge), price_version: charge.priceVersion, attempts: writeAttempts(attempts), service_tier: tier, ...lines };
}

/** Omits the overrun, the amount that the operator paid because the upstream used more than was held. */
export function writeUsage(charge: ChargeRecord): UsageRecord {
  const { metered } = charge;
  return {
    object: 'usage',
    request_id: charge.requestId,
    key_id: charge.keyId,
    model: charge.model,
    operation: charge.operation,
    state: charge.state,
    outcome: charge.outcome,
    source: charge.source === 'balance' ? 'balance' : 'subscription',
    held: formatDollars(charge.held),
    charged: formatDollars(charge.charged),
    estimated: charge.isEstimated,
    tokens: metered && writeTokens(metered),
    output_limit: metered?.outputLimit ?? null,
    images: metered && { ...metered.images },
    tools: metered && { ...metered.tools },
    created_at: toSeconds(charge.createdAt),
    settled_at: charge.settledAt === null ? null : toSeconds(charge.settledAt),
  };
}

const writeTokens = ({ input, cachedInput, cacheWrite, output, reasoning }: NonNullable<ChargeRecord['metered']>) => ({
  input,
  cached_input: cachedInput,
  cache_write: cacheWrite,
  output,
  reasoning,
});

const toSeconds = (at: number): number => Math.floor(at / SECOND_MS);
