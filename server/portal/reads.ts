/** What the holder of a key reads of his account: sums, calls, one call with its receipt. The account is the session's, whatever was asked for. */
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { PortalContract } from '../../contract/portal.ts';
import type { AnyPortalCode } from '../../contract/portal-errors.ts';
import { listRows, type RowQuery } from '../activity/reads.ts';
import { detailsOf, type LogRow } from '../activity/record.ts';
import { readActivity } from '../admin/activity.ts';
import { ROWS_AT_ONCE } from '../admin/csv.ts';
import { entriesCsv, listEntries } from '../admin/entries.ts';
import { writeChecks, writeKeptAttempts, writeRefusal, writeRow } from '../admin/request-rows.ts';
import { csvOf, entriesFor, readFilters } from '../admin/requests.ts';
import { invalid, writePage } from '../admin/values.ts';
import { GatewayError, shown } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { writeReceipt } from '../http/routes/usage.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import type { ChargeRecord } from '../ledger/store.ts';
import { holderOf } from './holder.ts';

type ReadName = 'getActivity' | 'listRequests' | 'exportRequests' | 'getRequest' | 'listEntries' | 'exportEntries';

export function readHandlers(gateway: Gateway): HandlersOf<PortalContract, ReadName> {
  const { activity } = gateway;
  return {
    async getActivity({ request, query, ok }) {
      const question = { ...query, account_id: accountOf(request) };
      // Without the ledger nothing is compared: that would tell about the calls of all accounts.
      const { reconciled: _, ...sums } = await readActivity({ activity, ledger: null, now: Date.now }, question);
      return ok(sums);
    },

    async listRequests({ request, query, ok }) {
      const { limit = PAGE_LENGTH, after, ...asked } = query;
      const filters = filtersOf(asked, accountOf(request));
      const isOwn = after === undefined || (await activity.find(after))?.account_id === filters.account_id;
      const rows = isOwn ? await listRows(activity.ask, { ...filters, limit: limit + 1, after }) : undefined;
      if (!rows) throw invalid('after', "'after' must be the id of a request of this account in the log.");
      return ok(writePage(rows.map(writeRow), limit, ({ request_id: id }) => id));
    },

    async exportRequests({ request, query, reply, csv }) {
      const filters = filtersOf(query, accountOf(request));
      // The first page before the headers, so that a failure keeps its status.
      const first = await listRows(activity.ask, { ...filters, limit: ROWS_AT_ONCE });
      return csv(reply, csvOf({ activity }, filters, first ?? []));
    },

    async getRequest({ request, params: { request_id: id }, ok }) {
      const { row, charge } = await findOwn(gateway, accountOf(request), id);
      if (!row && !charge) throw unknownRequest(id);
      const details = row ? detailsOf(row) : {};
      const ledger = gateway.money?.ledger;
      return ok({
        object: 'portal_request',
        request_id: id,
        request: row ? writeRow(row) : null,
        refusal: row ? writeRefusal(row) : null,
        checks: row ? writeChecks(row) : [],
        attempts: writeKeptAttempts(details),
        ignored: [...(details.ignored ?? [])],
        receipt: charge && ledger ? await writeReceipt(ledger, charge) : null,
        entries: charge ? (await entriesFor({ activity }, charge)).filter(isOfHolder) : [],
      });
    },

    listEntries: async ({ request, query, ok }) => ok(await listEntries(activity.ask, accountOf(request), query)),
    exportEntries: async ({ request, query, reply, csv }) => csv(reply, await entriesCsv(activity.ask, accountOf(request), query)),
  };
}

const accountOf = (request: Parameters<typeof holderOf>[0]): string => holderOf(request).key.account.id;

/** The account after the filters: nothing that was asked for can take its place. */
const filtersOf = (asked: Parameters<typeof readFilters>[0], accountId: string): RowQuery & { readonly account_id: string } => ({
  ...readFilters(asked, Date.now()),
  account_id: accountId,
});

interface Found {
  readonly row: LogRow | undefined;
  readonly charge: ChargeRecord | undefined;
}

/** A call of another account is answered like one that does not exist. */
async function findOwn({ activity, money }: Gateway, accountId: string, id: string): Promise<Found> {
  const [row, charge] = await Promise.all([activity.find(id), money?.ledger.findCharge(id)]);
  return { row: row?.account_id === accountId ? row : undefined, charge: charge?.accountId === accountId ? charge : undefined };
}

/** The other lines are the operator's: his revenue, and what he paid above a hold. */
const isOfHolder = ({ book }: { readonly book: string }): boolean => /^(?:account|sub|subscription):/.test(book);

const unknownRequest = (id: string): GatewayError =>
  new GatewayError<AnyPortalCode>('not_found', { param: 'request_id', message: `No request of this account has the id '${shown(id)}'.` });
