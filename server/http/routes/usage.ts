/** GET /v1/usage and /v1/usage/{request_id}: lists the charged requests of the key's account, with their costs. */
import { type Receipt, USAGE_PAGE_LENGTH, type UsageList, type UsageQuery, type UsageRecord } from '../../../contract/usage.ts';
import { type ErrorOf, GatewayError, shown } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { formatDollars } from '../../ledger/money.ts';
import { readPriceVersion } from '../../ledger/price-book.ts';
import { itemise, writeAttempts } from '../../ledger/receipt.ts';
import type { ChargeRecord, LedgerStore } from '../../ledger/store.ts';
import { callOf } from '../entrance.ts';
import type { Handlers } from '../ts-rest.ts';

const SECOND_MS = 1_000;

/** Without billing no request is recorded: the list is empty, and every id is unknown. */
export function usageHandlers({ money }: Gateway): Handlers<'listUsage' | 'getUsage'> {
  const ledger = money?.ledger ?? null;
  return {
    async listUsage({ request, reply, query, ok }) {
      const { principal } = callOf(request);
      reply.header('cache-control', 'private, no-store');
      return ok(await readPage(ledger, principal.accountId, query));
    },
    async getUsage({ request, reply, params, ok }) {
      const { principal } = callOf(request);
      const id = params.request_id;
      const charge = await ownCharge(ledger, principal.accountId, id);
      if (!charge || !ledger) throw unknownRequest(id);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeReceipt(ledger, charge));
    },
  };
}

/** The receipt as its caller gets it, here and in the portal. */
export async function writeReceipt(ledger: LedgerStore, charge: ChargeRecord): Promise<Receipt> {
  const [version, attempts] = await Promise.all([ledger.findPrice(charge.priceVersion), ledger.listAttempts(charge.requestId)]);
  const lines = itemise(charge, version ? readPriceVersion(version).prices : null);
  return { ...writeUsage(charge), price_version: charge.priceVersion, attempts: writeAttempts(attempts), ...lines };
}

const unknownRequest = (id: string): ErrorOf<'getUsage', 404> =>
  new GatewayError('not_found', { param: 'request_id', message: `No request of this account has the id '${shown(id)}'.` });

/** A request of another account is answered like one that does not exist. */
async function ownCharge(ledger: LedgerStore | null, accountId: string, requestId: string): Promise<ChargeRecord | undefined> {
  const charge = await ledger?.findCharge(requestId);
  return charge?.accountId === accountId ? charge : undefined;
}

async function readPage(ledger: LedgerStore | null, accountId: string, query: UsageQuery): Promise<UsageList> {
  const { from, to, limit = USAGE_PAGE_LENGTH, after } = query;
  if (after !== undefined && !(await ownCharge(ledger, accountId, after))) throw notAfter();
  const order = {
    accountId,
    limit: limit + 1,
    ...(from !== undefined && { from: from * SECOND_MS }),
    ...(to !== undefined && { to: to * SECOND_MS }),
    ...(after !== undefined && { after }),
  };
  const found = (await ledger?.listCharges(order)) ?? [];
  const data = found.slice(0, limit).map(writeUsage);
  return {
    object: 'list',
    data,
    first_id: data[0]?.request_id ?? null,
    last_id: data.at(-1)?.request_id ?? null,
    has_more: found.length > limit,
  };
}

const notAfter = (): ErrorOf<'listUsage', 400> =>
  new GatewayError('invalid_value', { param: 'after', message: "'after' has to be the id of a request of this account." });

/** Leaves out the overrun: what the operator paid because the upstream used more than was held. */
function writeUsage(charge: ChargeRecord): UsageRecord {
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
