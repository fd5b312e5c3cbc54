/** Admin API handlers for usage, receipts, and the reconciliation of the ledger. */

import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { Receipt, Usage, usageRoutes } from '../../../contract/admin/usage.ts';
import { formatDollars } from '../../money/dollars.ts';
import { readPriceVersion } from '../../money/price-book.ts';
import { itemizeReceipt, writeAttempts } from '../../money/receipt.ts';
import type { ChargeRecord, LedgerStore } from '../../money/store.ts';
import { toPrintable } from '../../primitives/errors.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { requireAccount } from './accounts.ts';
import { createNotFoundError } from './errors.ts';
import { type Operations, requireLedger } from './operations.ts';
import { writePage } from './page.ts';
import { readPriceRecord, writePrices } from './prices.ts';
import { writeTime, writeTimeOrNull } from './times.ts';

export function writeUsage(charge: ChargeRecord): Usage {
  const { metered, source } = charge;
  const subscriptionId = source.startsWith('sub:') ? source.slice('sub:'.length) : null;
  return {
    object: 'usage',
    request_id: charge.requestId,
    account_id: charge.accountId,
    key_id: charge.keyId,
    model: charge.model,
    operation: charge.operation,
    state: charge.state,
    outcome: charge.outcome,
    source: subscriptionId === null ? 'balance' : 'subscription',
    subscription_id: subscriptionId,
    held: formatDollars(charge.held),
    charged: formatDollars(charge.charged),
    overrun: formatDollars(charge.overrun),
    estimated: charge.isEstimated,
    tokens: metered && {
      input: metered.input,
      cached_input: metered.cachedInput,
      cache_write: metered.cacheWrite,
      output: metered.output,
      reasoning: metered.reasoning,
    },
    images: metered && { ...metered.images },
    tools: metered && { ...metered.tools },
    created_at: writeTime(charge.createdAt),
    settled_at: writeTimeOrNull(charge.settledAt),
  };
}

export async function writeReceipt(ledger: LedgerStore, charge: ChargeRecord): Promise<Receipt> {
  const version = await ledger.findPrice(charge.priceVersion);
  return {
    ...writeUsage(charge),
    price_version: charge.priceVersion,
    price_list: version?.priceList ?? null,
    prices: version ? writePrices(readPriceRecord(version)) : null,
    attempts: writeAttempts(await ledger.listAttempts(charge.requestId)),
    ...itemizeReceipt(charge, version ? readPriceVersion(version).prices : null),
  };
}

const FAILED_REQUEST_HINT =
  'For a request that was rejected or failed, use GET /admin/v1/requests/{request_id} or modelgate explain --request.';

export function createUsageHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof usageRoutes> {
  return {
    async listUsage({ params, query, ok }) {
      const ledger = requireLedger(operations);
      const { id: accountId } = await requireAccount(operations, params.account_id);
      const { limit = PAGE_LENGTH, after, from, to, key_id: keyId } = query;
      const charges = await ledger.listCharges({
        accountId,
        limit: limit + 1,
        ...(after !== undefined && { after }),
        ...(from !== undefined && { from: Date.parse(from) }),
        ...(to !== undefined && { to: Date.parse(to) }),
        ...(keyId !== undefined && { keyId }),
      });
      return ok(writePage(charges.map(writeUsage), limit, ({ request_id: id }) => id));
    },

    async getUsage({ params, ok }) {
      const ledger = requireLedger(operations);
      const charge = await ledger.findCharge(params.request_id);
      if (!charge)
        throw createNotFoundError('request_id', `Paid request '${toPrintable(params.request_id)}' not found. ${FAILED_REQUEST_HINT}`);
      return ok(await writeReceipt(ledger, charge));
    },

    async reconcileLedger({ query, ok }) {
      const reconciliation = await requireLedger(operations).reconcile({ isFull: query.full === 'true' });
      const { differences, unbalanced, contradictions } = reconciliation;
      return ok({
        object: 'reconciliation',
        is_consistent: [differences, unbalanced, contradictions].every(({ length }) => length === 0),
        accounts: reconciliation.accounts,
        entries: reconciliation.entries,
        differences: differences.map(({ book, kept, counted }) => ({
          ledger_account: book,
          stored: formatDollars(kept),
          computed: formatDollars(counted),
        })),
        unbalanced: [...unbalanced],
        inconsistent_requests: [...contradictions],
        overrun: formatDollars(reconciliation.overrun),
      });
    },
  };
}
