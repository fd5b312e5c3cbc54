/** Usage, receipts and the check of the books in the operators' API. */

import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { Receipt, Usage, usageRoutes } from '../../contract/admin/usage.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/money.ts';
import { readPriceVersion } from '../ledger/price-book.ts';
import { itemise, writeAttempts } from '../ledger/receipt.ts';
import type { ChargeRecord, LedgerStore } from '../ledger/store.ts';
import { findAccount } from './accounts.ts';
import { ledgerOf, type Operations } from './operations.ts';
import { readRecord, writePrices } from './prices.ts';
import { missing, writePage, writeTime, writeTimeOrNull } from './values.ts';

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
    prices: version ? writePrices(readRecord(version)) : null,
    attempts: writeAttempts(await ledger.listAttempts(charge.requestId)),
    ...itemise(charge, version ? readPriceVersion(version).prices : null),
  };
}

const OF_REFUSED =
  'One that was refused or failed is explained by GET /admin/v1/requests/{request_id}, and by modelgate explain --request.';

export function usageHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof usageRoutes> {
  return {
    async listUsage({ params, query, ok }) {
      const ledger = ledgerOf(operations);
      const { id: accountId } = await findAccount(operations, params.account_id);
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
      const ledger = ledgerOf(operations);
      const charge = await ledger.findCharge(params.request_id);
      if (!charge) throw missing('request_id', `No paid request has the id '${shown(params.request_id)}'. ${OF_REFUSED}`);
      return ok(await writeReceipt(ledger, charge));
    },

    async reconcileLedger({ ok }) {
      const found = await ledgerOf(operations).reconcile();
      const { differences, unbalanced, contradictions } = found;
      return ok({
        object: 'reconciliation',
        sound: [differences, unbalanced, contradictions].every(({ length }) => length === 0),
        accounts: found.accounts,
        entries: found.entries,
        differences: differences.map(({ book, kept, counted }) => ({ book, kept: formatDollars(kept), counted: formatDollars(counted) })),
        unbalanced: [...unbalanced],
        contradictions: [...contradictions],
        overrun: formatDollars(found.overrun),
      });
    },
  };
}
