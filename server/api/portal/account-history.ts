/** Portal handlers for an account's activity, requests, and statement entries. */

import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AnyPortalCode } from '../../../contract/portal/errors.ts';
import type { PortalContract } from '../../../contract/portal/index.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { ChargeRecord } from '../../money/store.ts';
import { GatewayError, toPrintable } from '../../primitives/errors.ts';
import { type LogRow, parseDetails } from '../../records/call-record.ts';
import { listRequests, type RowQuery } from '../../records/list-requests.ts';
import { queryActivity } from '../admin/activity.ts';
import { writeChecks } from '../admin/checks.ts';
import { CSV_PAGE_LENGTH } from '../admin/csv.ts';
import { createInvalidValueError } from '../admin/errors.ts';
import { listEntries, writeEntriesCsv } from '../admin/money.ts';
import { writePage } from '../admin/page.ts';
import {
  listChargeEntries,
  readRequestFilters,
  writeLoggedAttempts,
  writeLoggedRequests,
  writeRequestError,
  writeRequestsCsv,
} from '../admin/requests.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { writeReceipt } from '../v1/receipt.ts';
import { getPortalUser } from './portal-user.ts';

type ReadOperation = 'getActivity' | 'listRequests' | 'exportRequests' | 'getRequest' | 'listEntries' | 'exportEntries';

export function createAccountHistoryHandlers(gateway: Gateway): ContractHandlers<PortalContract, ReadOperation> {
  const { activity } = gateway;
  return {
    async getActivity({ request, query, ok }) {
      const activityQuery = { ...query, account_id: getAccountId(request) };
      // Without the ledger, so that nothing is reconciled: the difference would reveal the calls of all accounts.
      const { reconciled: _, ...summary } = await queryActivity({ activity, ledger: null, now: Date.now }, activityQuery);
      return ok(summary);
    },

    async listRequests({ request, query, ok }) {
      const { limit = PAGE_LENGTH, after, ...filterFields } = query;
      const filters = toFilters(filterFields, getAccountId(request));
      const isOwn = after === undefined || (await activity.find(after))?.account_id === filters.account_id;
      const rows = isOwn ? await listRequests(activity.ask, { ...filters, limit: limit + 1, after }) : undefined;
      if (!rows) throw createInvalidValueError('after', "'after' must be the ID of a request of this account in the request log.");
      return ok(writePage(await writeLoggedRequests(gateway, rows), limit, ({ request_id: id }) => id));
    },

    async exportRequests({ request, query, reply, csv }) {
      const filters = toFilters(query, getAccountId(request));
      // Reads the first page before the headers are sent, so that a failure keeps its status.
      const firstRows = await listRequests(activity.ask, { ...filters, limit: CSV_PAGE_LENGTH });
      return csv(reply, writeRequestsCsv(gateway, filters, await writeLoggedRequests(gateway, firstRows ?? [])));
    },

    async getRequest({ request, params: { request_id: id }, ok }) {
      const { row, charge } = await findOwnRequest(gateway, getAccountId(request), id);
      if (!row && !charge) throw createRequestNotFoundError(id);
      const details = row ? parseDetails(row) : {};
      const [logged = null] = await writeLoggedRequests(gateway, row ? [row] : []);
      const ledger = gateway.money?.ledger;
      return ok({
        object: 'portal_request',
        request_id: id,
        request: logged,
        error: row ? writeRequestError(row) : null,
        checks: row ? writeChecks(row) : [],
        attempts: writeLoggedAttempts(details),
        dropped: [...(details.dropped ?? [])],
        receipt: charge && ledger ? await writeReceipt(ledger, charge) : null,
        entries: charge ? (await listChargeEntries({ activity }, charge)).filter(isHolderEntry) : [],
      });
    },

    listEntries: async ({ request, query, ok }) => ok(await listEntries(activity.ask, getAccountId(request), query)),
    exportEntries: async ({ request, query, reply, csv }) => csv(reply, await writeEntriesCsv(activity.ask, getAccountId(request), query)),
  };
}

const getAccountId = (request: Parameters<typeof getPortalUser>[0]): string => getPortalUser(request).key.account.id;

/** Sets the account after the filters, so that no filter can replace it. */
const toFilters = (query: Parameters<typeof readRequestFilters>[0], accountId: string): RowQuery & { readonly account_id: string } => ({
  ...readRequestFilters(query, Date.now()),
  account_id: accountId,
});

/** Another account's request gets the same error as one that doesn't exist. */
async function findOwnRequest(
  { activity, money }: Gateway,
  accountId: string,
  id: string,
): Promise<{ row: LogRow | undefined; charge: ChargeRecord | undefined }> {
  const [row, charge] = await Promise.all([activity.find(id), money?.ledger.findCharge(id)]);
  return { row: row?.account_id === accountId ? row : undefined, charge: charge?.accountId === accountId ? charge : undefined };
}

/** Other entries are the operator's: revenue, and costs above a hold. */
const isHolderEntry = ({ ledger_account: ledgerAccount }: { readonly ledger_account: string }): boolean =>
  /^(?:account|sub|subscription):/.test(ledgerAccount);

const createRequestNotFoundError = (id: string): GatewayError =>
  new GatewayError<AnyPortalCode>('not_found', {
    param: 'request_id',
    message: `Request '${toPrintable(id)}' not found. This account has no request with this ID.`,
  });
