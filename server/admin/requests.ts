/** The request log: GET /requests lists calls that ended, GET /requests/{request_id} tells all that is known of one. */
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { ExplainedRequest, requestRoutes } from '../../contract/admin/requests.ts';
import { LONGEST_LIST_DAYS } from '../../contract/admin/requests.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { entriesOf } from '../activity/entries.ts';
import { listRows, type RowQuery } from '../activity/reads.ts';
import { detailsOf, type LogRow } from '../activity/record.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import type { ChargeRecord } from '../ledger/store.ts';
import { pagesCsv, ROWS_AT_ONCE, requestHeadings, requestLine } from './csv.ts';
import type { Operations } from './operations.ts';
import { writeChecks, writeOperatorAttempts, writeRefusal, writeRow } from './request-rows.ts';
import { writeReceipt, writeUsage } from './usage.ts';
import { invalid, missing, writePage, writeTime } from './values.ts';

const DAY_MS = 86_400_000;

interface Filters extends Omit<RowQuery, 'from' | 'to' | 'slowerThanMs' | 'costsOver'> {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly slower_than?: number | undefined;
  readonly costs_over?: string | undefined;
}

/** A list without a bound in time would read every row. */
export function readFilters({ from, to, slower_than, costs_over, ...rest }: Filters, now: number): RowQuery {
  const end = to === undefined ? now + DAY_MS : Date.parse(to);
  const earliest = (to === undefined ? now : end) - LONGEST_LIST_DAYS * DAY_MS;
  const begin = from === undefined ? earliest : Date.parse(from);
  if (begin < earliest) throw invalid('from', `A list spans at most ${LONGEST_LIST_DAYS} days: give a later 'from', or an earlier 'to'.`);
  return {
    ...rest,
    from: begin,
    to: end,
    slowerThanMs: slower_than,
    costsOver: costs_over === undefined ? undefined : parseDollars(costs_over),
  };
}

export function requestHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof requestRoutes> {
  return {
    async listRequests({ query, ok }) {
      const { limit = PAGE_LENGTH, after, ...filters } = query;
      const page = { ...readFilters(filters, operations.now()), limit: limit + 1, after };
      const rows = await listRows(operations.activity.ask, page);
      if (!rows) throw invalid('after', "'after' must be the id of a request in the log.");
      return ok(writePage(rows.map(writeRow), limit, ({ request_id: id }) => id));
    },

    async exportRequests({ query, reply, csv }) {
      const filters = readFilters(query, operations.now());
      // The first page before the headers, so that a failure keeps its status.
      const first = await listRows(operations.activity.ask, { ...filters, limit: ROWS_AT_ONCE });
      return csv(reply, csvOf(operations, filters, first ?? []));
    },

    async getRequest({ params: { request_id: id }, ok }) {
      const { activity, ledger } = operations;
      const [row, charge] = await Promise.all([activity.find(id), ledger?.findCharge(id)]);
      if (!row && !charge) {
        const kept = 'Refused, failed and answered requests are kept for some days (activity.days), and charges permanently.';
        throw missing('request_id', `Nothing is known about a request '${shown(id)}'. ${kept}`);
      }
      const details = row ? detailsOf(row) : {};
      return ok({
        object: 'explained_request',
        request_id: id,
        request: row ? writeRow(row) : null,
        refusal: row ? writeRefusal(row) : null,
        checks: row ? writeChecks(row) : [],
        attempts: writeOperatorAttempts(details),
        ignored: [...(details.ignored ?? [])],
        usage: charge ? writeUsage(charge) : null,
        receipt: charge && ledger ? await writeReceipt(ledger, charge) : null,
        entries: charge ? await entriesFor(operations, charge) : [],
      });
    },
  };
}

export const csvOf = ({ activity }: Pick<Operations, 'activity'>, filters: RowQuery, first: readonly LogRow[]): AsyncGenerator<string> =>
  pagesCsv({
    headings: requestHeadings,
    first,
    length: ROWS_AT_ONCE,
    next: async ({ request_id: after }) => (await listRows(activity.ask, { ...filters, limit: ROWS_AT_ONCE, after })) ?? [],
    line: (row) => requestLine(writeRow(row)),
  });

export async function entriesFor({ activity }: Pick<Operations, 'activity'>, charge: ChargeRecord): Promise<ExplainedRequest['entries']> {
  const { requestId, settledAt, charged, overrun } = charge;
  if (settledAt === null || (charged === 0n && overrun === 0n)) return [];
  const entries = await entriesOf(activity.ask, requestId, settledAt);
  return entries.map(({ id, book, kind, amount, at }) => ({
    id: String(id),
    book,
    kind,
    amount: formatDollars(amount),
    at: writeTime(at),
  }));
}
