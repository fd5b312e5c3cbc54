/** Handlers for GET /v1/usage and GET /v1/usage/{request_id}: the charged requests of an account, and the receipt of one. */

import { USAGE_PAGE_LENGTH, type UsageList, type UsageQuery } from '../../../contract/usage.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { ChargeRecord, LedgerStore } from '../../money/store.ts';
import { GatewayError, type OperationError, toPrintable } from '../../primitives/errors.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';
import { SECOND_MS, writeReceipt, writeUsage } from './receipt.ts';

/** Without billing, no charges are recorded: the list is empty, and every ID is unknown. */
export function createUsageHandlers({ money }: Gateway): Handlers<'listUsage' | 'getUsage'> {
  const ledger = money?.ledger ?? null;
  return {
    async listUsage({ request, reply, query, ok }) {
      const { principal } = getCall(request);
      reply.header('cache-control', 'private, no-store');
      return ok(await fetchUsagePage(ledger, principal.accountId, query));
    },
    async getUsage({ request, reply, params, ok }) {
      const { principal } = getCall(request);
      const id = params.request_id;
      const charge = await findOwnCharge(ledger, principal.accountId, id);
      if (!charge || !ledger) throw createRequestNotFoundError(id);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeReceipt(ledger, charge));
    },
  };
}

const createRequestNotFoundError = (id: string): OperationError<'getUsage', 404> =>
  new GatewayError('not_found', {
    param: 'request_id',
    message: `Request '${toPrintable(id)}' not found. This account has no request with this ID.`,
  });

/** Another account's request gets the same error as one that doesn't exist. */
async function findOwnCharge(ledger: LedgerStore | null, accountId: string, requestId: string): Promise<ChargeRecord | undefined> {
  const charge = await ledger?.findCharge(requestId);
  return charge?.accountId === accountId ? charge : undefined;
}

async function fetchUsagePage(ledger: LedgerStore | null, accountId: string, query: UsageQuery): Promise<UsageList> {
  const { from, to, limit = USAGE_PAGE_LENGTH, after } = query;
  if (after !== undefined && !(await findOwnCharge(ledger, accountId, after))) throw createInvalidCursorError();
  const chargeQuery = {
    accountId,
    limit: limit + 1,
    ...(from !== undefined && { from: from * SECOND_MS }),
    ...(to !== undefined && { to: to * SECOND_MS }),
    ...(after !== undefined && { after }),
  };
  const charges = (await ledger?.listCharges(chargeQuery)) ?? [];
  const data = charges.slice(0, limit).map(writeUsage);
  return {
    object: 'list',
    data,
    first_id: data[0]?.request_id ?? null,
    last_id: data.at(-1)?.request_id ?? null,
    has_more: charges.length > limit,
  };
}

const createInvalidCursorError = (): OperationError<'listUsage', 400> =>
  new GatewayError('invalid_value', { param: 'after', message: "'after' must be the ID of a request of this account." });
