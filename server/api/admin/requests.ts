/** Admin API handlers for the request log: GET /requests lists completed calls, GET /requests/{request_id} returns all details of one. */

import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import {
  type ExplainedRequest,
  type LoggedRequest,
  MAX_LIST_DAYS,
  MAX_SORTED_DAYS,
  type requestRoutes,
} from '../../../contract/admin/requests.ts';
import { readOwnerNames } from '../../access/read-names.ts';
import { formatDollars, parseDollars } from '../../money/dollars.ts';
import type { ChargeRecord } from '../../money/store.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { type CallDetails, type LogRow, parseDetails } from '../../records/call-record.ts';
import { listLedgerEntries } from '../../records/ledger-entries.ts';
import { formatCursor, listRequests, listSortedRequests, type RowOrder, type RowQuery } from '../../records/list-requests.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { writeChecks } from './checks.ts';
import { CSV_PAGE_LENGTH, formatRequestLine, requestHeadings, writePagesCsv } from './csv.ts';
import { createInvalidValueError, createNotFoundError } from './errors.ts';
import type { Operations } from './operations.ts';
import { writePage } from './page.ts';
import { writeTime } from './times.ts';
import { writeReceipt, writeUsage } from './usage.ts';

const DAY_MS = 86_400_000;

interface RequestFilters extends Omit<RowQuery, 'from' | 'to' | 'slowerThanMs' | 'costsOver'> {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly slower_than?: number | undefined;
  readonly costs_over?: string | undefined;
}

/** Limits the time range, because an unbounded list would read every row. */
export function readRequestFilters(
  { from, to, slower_than, costs_over, ...filters }: RequestFilters,
  now: number,
  days = MAX_LIST_DAYS,
): RowQuery {
  const end = to === undefined ? now + DAY_MS : Date.parse(to);
  const earliest = (to === undefined ? now : end) - days * DAY_MS;
  const begin = from === undefined ? earliest : Date.parse(from);
  if (begin < earliest)
    throw createInvalidValueError('from', `This list can span at most ${days} days. Use a later 'from' or an earlier 'to'.`);
  return {
    ...filters,
    from: begin,
    to: end,
    slowerThanMs: slower_than,
    costsOver: costs_over === undefined ? undefined : parseDollars(costs_over),
  };
}

const CURSOR_RULE = "'after' must be the 'last_id' of a page with the same 'sort' and 'order'.";

/** Returns the maximum days of a list. Sorting by anything but time reads every row of the range. */
const getMaxDays = (sort: RowOrder['sort'], { account_id, key_id }: RequestFilters): number =>
  sort === 'time' || account_id !== undefined || key_id !== undefined ? MAX_LIST_DAYS : MAX_SORTED_DAYS;

export function createRequestHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof requestRoutes> {
  return {
    async listRequests({ query, ok }) {
      const { limit = PAGE_LENGTH, after, sort = 'time', order = 'desc', ...filters } = query;
      const rowOrder = { sort, order };
      const rowQuery = {
        ...readRequestFilters(filters, operations.now(), getMaxDays(sort, filters)),
        ...rowOrder,
        limit: limit + 1,
        after,
      };
      const rows = await listSortedRequests(operations.activity.ask, rowQuery);
      if (!rows) throw createInvalidValueError('after', CURSOR_RULE);
      const page = writePage(rows, limit, (row) => formatCursor(row, rowOrder));
      return ok({ ...page, data: await writeLoggedRequests(operations, page.data) });
    },

    async exportRequests({ query, reply, csv }) {
      const filters = readRequestFilters(query, operations.now());
      // Reads the first page before the headers are sent, so that a failure keeps its status.
      const firstRows = await listRequests(operations.activity.ask, { ...filters, limit: CSV_PAGE_LENGTH });
      return csv(reply, writeRequestsCsv(operations, filters, await writeLoggedRequests(operations, firstRows ?? [])));
    },

    async getRequest({ params: { request_id: id }, ok }) {
      const { activity, ledger } = operations;
      const [row, charge] = await Promise.all([activity.find(id), ledger?.findCharge(id)]);
      if (!row && !charge) {
        const retentionHint = 'Requests are kept only for the number of days in activity.days, but charges are kept permanently.';
        throw createNotFoundError('request_id', `Request '${toPrintable(id)}' not found. ${retentionHint}`);
      }
      const details = row ? parseDetails(row) : {};
      const [request = null] = await writeLoggedRequests(operations, row ? [row] : []);
      return ok({
        object: 'explained_request',
        request_id: id,
        request,
        error: row ? writeRequestError(row) : null,
        checks: row ? writeChecks(row) : [],
        attempts: writeOperatorAttempts(details),
        path: details.path ?? null,
        address: details.address ?? null,
        dropped: [...(details.dropped ?? [])],
        usage: charge ? writeUsage(charge) : null,
        receipt: charge && ledger ? await writeReceipt(ledger, charge) : null,
        entries: charge ? await listChargeEntries(operations, charge) : [],
      });
    },
  };
}

export const writeRequestsCsv = (
  operations: Pick<Operations, 'activity'>,
  filters: RowQuery,
  first: readonly LoggedRequest[],
): AsyncGenerator<string> =>
  writePagesCsv({
    headings: requestHeadings,
    first,
    length: CSV_PAGE_LENGTH,
    next: async ({ request_id: after }) => {
      const rows = await listRequests(operations.activity.ask, { ...filters, limit: CSV_PAGE_LENGTH, after });
      return await writeLoggedRequests(operations, rows ?? []);
    },
    line: formatRequestLine,
  });

export async function listChargeEntries(
  { activity }: Pick<Operations, 'activity'>,
  charge: ChargeRecord,
): Promise<ExplainedRequest['entries']> {
  const { requestId, settledAt, charged, overrun } = charge;
  if (settledAt === null || (charged === 0n && overrun === 0n)) return [];
  const entries = await listLedgerEntries(activity.ask, requestId, settledAt);
  return entries.map(({ id, book, kind, amount, at }) => ({
    id: String(id),
    ledger_account: book,
    kind,
    amount: formatDollars(amount),
    at: writeTime(at),
  }));
}

type OwnerNames = Awaited<ReturnType<typeof readOwnerNames>>;

export async function writeLoggedRequests({ activity }: Pick<Operations, 'activity'>, rows: readonly LogRow[]): Promise<LoggedRequest[]> {
  const names = await readOwnerNames(activity.ask, rows);
  return rows.map((row) => writeLoggedRequest(row, names));
}

function writeLoggedRequest(row: LogRow, names: OwnerNames): LoggedRequest {
  return {
    object: 'request',
    request_id: row.request_id,
    at: writeTime(row.ended_at),
    account_id: row.account_id,
    account_name: row.account_id === null ? null : (names.get(row.account_id) ?? null),
    key_id: row.key_id,
    key_name: row.key_id === null ? null : (names.get(row.key_id) ?? null),
    model: row.model,
    operation: row.operation,
    upstream: row.upstream,
    session: row.session,
    end_user: row.end_user,
    tag: row.tag,
    status: row.status,
    code: row.code,
    outcome: row.outcome,
    is_stream: row.is_stream === 1,
    attempts: row.attempts,
    first_ms: row.first_ms,
    total_ms: row.total_ms,
    tokens: { input: row.input, cached_input: row.cached_input, cache_write: row.cache_write, output: row.output },
    images: row.images,
    charged: row.charged === null ? null : formatDollars(BigInt(row.charged)),
    repeats: row.repeats,
  };
}

export const writeLoggedAttempts = ({ attempts = [] }: CallDetails) =>
  attempts.map(({ ms, providerError: _, protocol = null, ...attempt }) => ({ ...attempt, ms: Math.round(ms), protocol }));

/** For operators only. Callers never see the provider's message. */
const writeOperatorAttempts = (details: CallDetails): ExplainedRequest['attempts'] =>
  writeLoggedAttempts(details).map((attempt, index) => {
    const { code = null, message = null } = details.attempts?.[index]?.providerError ?? {};
    return { ...attempt, provider_code: code, provider_message: message };
  });

/** Null if the caller got no error. */
export function writeRequestError(row: LogRow): ExplainedRequest['error'] {
  const details = parseDetails(row);
  if (row.code === null || details.message === undefined) return null;
  return {
    status: row.status,
    code: row.code,
    param: details.param ?? null,
    message: details.message,
    operation: row.operation,
    model: row.model ?? details.requested ?? null,
    account_id: row.account_id,
    key_id: row.key_id,
    attempts: writeLoggedAttempts(details),
    created_at: writeTime(row.ended_at - row.total_ms),
  };
}
