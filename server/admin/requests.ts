/** The request log: GET /requests lists calls that ended, GET /requests/{request_id} tells all that is known of one. */
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import {
  type Check,
  type ExplainedRequest,
  type LoggedRequest,
  MAX_LIST_DAYS,
  MAX_SORTED_DAYS,
  type requestRoutes,
  rules,
} from '../../contract/admin/requests.ts';
import type { SearchHit, searchRoutes } from '../../contract/admin/search.ts';
import { findAccounts, findKeys } from '../access/lists.ts';
import { cursorOf, listRows, listSorted, type RowOrder, type RowQuery } from '../activity/reads.ts';
import { type Details, detailsOf, type Figures, type LogRow } from '../activity/record.ts';
import { entriesOf } from '../activity/statement.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/charge.ts';
import type { ChargeRecord } from '../ledger/store.ts';
import { invalid, missing, pagesCsv, ROWS_AT_ONCE, requestHeadings, requestLine, writePage, writeTime } from './csv.ts';
import type { Operations } from './operations.ts';
import { writeReceipt, writeUsage } from './usage.ts';

const DAY_MS = 86_400_000;

interface Filters extends Omit<RowQuery, 'from' | 'to' | 'slowerThanMs' | 'costsOver'> {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly slower_than?: number | undefined;
  readonly costs_over?: string | undefined;
}

/** A list without a bound in time would read every row. */
export function readFilters({ from, to, slower_than, costs_over, ...rest }: Filters, now: number, days = MAX_LIST_DAYS): RowQuery {
  const end = to === undefined ? now + DAY_MS : Date.parse(to);
  const earliest = (to === undefined ? now : end) - days * DAY_MS;
  const begin = from === undefined ? earliest : Date.parse(from);
  if (begin < earliest) throw invalid('from', `This list can span at most ${days} days. Use a later 'from' or an earlier 'to'.`);
  return {
    ...rest,
    from: begin,
    to: end,
    slowerThanMs: slower_than,
    costsOver: costs_over === undefined ? undefined : parseDollars(costs_over),
  };
}

const CURSOR_RULE = "'after' must be the 'last_id' of a page with the same 'sort' and 'order'.";

/** How many days a list may span: sorted by anything but time, it's made of every row of its range. */
const mostDays = (sort: RowOrder['sort'], { account_id, key_id }: Filters): number =>
  sort === 'time' || account_id !== undefined || key_id !== undefined ? MAX_LIST_DAYS : MAX_SORTED_DAYS;

export function requestHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof requestRoutes> {
  return {
    async listRequests({ query, ok }) {
      const { limit = PAGE_LENGTH, after, sort = 'time', order = 'desc', ...filters } = query;
      const by = { sort, order };
      const asked = { ...readFilters(filters, operations.now(), mostDays(sort, filters)), ...by, limit: limit + 1, after };
      const rows = await listSorted(operations.activity.ask, asked);
      if (!rows) throw invalid('after', CURSOR_RULE);
      const page = writePage(rows, limit, (row) => cursorOf(row, by));
      return ok({ ...page, data: page.data.map(writeRow) });
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
        const kept = 'Requests are kept only for the number of days in activity.days, but charges are kept permanently.';
        throw missing('request_id', `Request '${shown(id)}' not found. ${kept}`);
      }
      const details = row ? detailsOf(row) : {};
      return ok({
        object: 'explained_request',
        request_id: id,
        request: row ? writeRow(row) : null,
        error: row ? writeRefusal(row) : null,
        checks: row ? writeChecks(row) : [],
        attempts: writeOperatorAttempts(details),
        path: details.path ?? null,
        address: details.address ?? null,
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

export function writeRow(row: LogRow): LoggedRequest {
  return {
    object: 'request',
    request_id: row.request_id,
    at: writeTime(row.ended_at),
    account_id: row.account_id,
    key_id: row.key_id,
    model: row.model,
    operation: row.operation,
    upstream: row.upstream,
    session: row.session,
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

export const writeKeptAttempts = ({ attempts = [] }: Details) =>
  attempts.map(({ ms, said: _, protocol = null, ...attempt }) => ({ ...attempt, ms: Math.round(ms), protocol }));

/** Shown only to operators. Callers never see the provider's message. */
const writeOperatorAttempts = (details: Details): ExplainedRequest['attempts'] =>
  writeKeptAttempts(details).map((attempt, index) => {
    const { code = null, message = null } = details.attempts?.[index]?.said ?? {};
    return { ...attempt, provider_code: code, provider_message: message };
  });

/** Null for a call that its caller got no error for. */
export function writeRefusal(row: LogRow): ExplainedRequest['error'] {
  const details = detailsOf(row);
  if (row.code === null || details.message === undefined) return null;
  return {
    status: row.status,
    code: row.code,
    param: details.param ?? null,
    message: details.message,
    operation: row.operation,
    model: row.model ?? details.asked ?? null,
    account_id: row.account_id,
    key_id: row.key_id,
    attempts: writeKeptAttempts(details),
    created_at: writeTime(row.ended_at - row.total_ms),
  };
}

type Rule = Check['rule'];
const byQuantity: Readonly<Record<string, Rule>> = { requests: 'requests', tokens: 'tokens', concurrency: 'concurrency' };
const byCode: Readonly<Record<string, Rule>> = {
  invalid_api_key: 'key',
  rate_limit_exceeded: 'requests',
  token_limit_exceeded: 'tokens',
  concurrency_limit_exceeded: 'concurrency',
  model_not_found: 'model',
  permission_denied: 'permission',
  insufficient_balance: 'money',
  subscription_inactive: 'money',
};
const byStatus: Readonly<Record<number, Rule>> = { 401: 'key', 403: 'permission', 404: 'model', 429: 'requests' };
const FIRST_FAULT = 500;

/** Returns the rule that rejected the call, or null. A call that reached an upstream passed all rules. */
function refusingRule({ code, status, attempts }: LogRow, { rejectedBy }: Details): Rule | null {
  if (rejectedBy) return byQuantity[rejectedBy.quantity] ?? null;
  if (code === null || attempts > 0 || status >= FIRST_FAULT) return null;
  return byCode[code] ?? byStatus[status] ?? 'body';
}

export function writeChecks(row: LogRow): Check[] {
  const details = detailsOf(row);
  const refusing = refusingRule(row, details);
  const place = refusing === null ? null : rules.indexOf(refusing);
  // A failure before any upstream was asked says not how far the call came.
  const isUnknown = place === null && row.attempts === 0 && row.outcome === 'failed';
  return rules.map((rule, index) => {
    const result = isUnknown || (place !== null && index > place) ? 'not_reached' : index === place ? 'rejected' : 'passed';
    const figures = result === 'not_reached' ? undefined : figuresOf(rule, details);
    const isRefusing = result === 'rejected' && details.rejectedBy !== undefined;
    return {
      rule,
      result,
      scope: isRefusing ? (details.rejectedBy?.scope ?? null) : null,
      limit: isRefusing ? (details.rejectedBy?.most ?? null) : (figures?.limit ?? null),
      remaining: isRefusing ? 0 : (figures?.remaining ?? null),
    };
  });
}

function figuresOf(rule: Rule, { requests, tokens }: Details): Figures | undefined {
  if (rule === 'requests') return requests;
  return rule === 'tokens' ? tokens : undefined;
}

const MOST = 10;
type Hit = Pick<SearchHit, 'kind' | 'id' | 'label'>;

export function searchHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof searchRoutes> {
  return {
    async search({ query: { q }, ok }) {
      const found = [
        await requestsOf(operations, q),
        await keysOf(operations, q),
        await accountsOf(operations, q),
        modelsOf(operations, q),
      ].flat();
      const exact = found.filter(({ id, label }) => id === q || label === q);
      const ordered = [...exact, ...found.filter((hit) => !exact.includes(hit))].slice(0, MOST);
      return ok({ object: 'list', data: ordered.map((hit) => ({ object: 'search_hit' as const, ...hit })) });
    },
  };
}

/** A request by its whole id: nobody knows the beginning of one. */
async function requestsOf({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const row = q.startsWith('req_') ? await activity.find(q) : undefined;
  return row ? [{ kind: 'request', id: row.request_id, label: `${row.model ?? '–'} ${row.status}` }] : [];
}

async function keysOf({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const keys = await findKeys(activity.ask, q, MOST);
  return keys.map(({ id, name, lastFour, account }) => ({ kind: 'key', id, label: `${name} …${lastFour}, ${account.name}` }));
}

async function accountsOf({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  return (await findAccounts(activity.ask, q, MOST)).map(({ id, name }) => ({ kind: 'account', id, label: name }));
}

function modelsOf({ config }: Operations, q: string): readonly Hit[] {
  const wanted = q.toLowerCase();
  return config.models.filter(({ id }) => id.toLowerCase().includes(wanted)).map(({ id }) => ({ kind: 'model', id, label: id }));
}
