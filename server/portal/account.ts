/** GET /v1/account, /v1/key and what lies below: the key owner of a key reads what is left, what was used, and what was paid. */

import {
  type OwnAccount,
  type OwnKey,
  STATEMENT_LENGTH,
  type Statement,
  type StatementLine,
  type StatementQuery,
  type UsageSummary,
  type UsageSummaryQuery,
} from '../../contract/account.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AnyPortalCode } from '../../contract/portal/errors.ts';
import type { PortalContract } from '../../contract/portal/index.ts';
import type { KeyRecord, Principal } from '../access/store.ts';
import { listRows, type RowQuery } from '../activity/reads.ts';
import { detailsOf, type LogRow } from '../activity/record.ts';
import { type MoneyLine, readStatement } from '../activity/statement.ts';
import { entriesCsv, listEntries } from '../admin/accounts.ts';
import { invalid, ROWS_AT_ONCE, writePage } from '../admin/csv.ts';
import { explainKeyLimits, type Funds, readFunds, writeCap, writeSubscription } from '../admin/explanations.ts';
import { csvOf, entriesFor, readFilters, writeChecks, writeKeptAttempts, writeRefusal, writeRow } from '../admin/requests.ts';
import { readActivity } from '../admin/usage.ts';
import { type ErrorOf, GatewayError, type KeyedCode, shown, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { callOf } from '../http/entrance.ts';
import { writeReceipt } from '../http/routes/reads.ts';
import type { Handlers, HandlersOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/charge.ts';
import type { ChargeRecord } from '../ledger/store.ts';
import { portalUserOf } from './portal.ts';

const SECOND_MS = 1_000;
const RANGE_MS = 30 * 86_400_000;

export function ownAccountHandlers(gateway: Gateway): Handlers<'getAccount' | 'getKey' | 'getUsageSummary' | 'listStatement'> {
  return {
    async getAccount({ request, reply, ok }) {
      const own = await readOwn(gateway, callOf(request).principal);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeAccount(gateway, own));
    },
    async getKey({ request, reply, ok }) {
      const own = await readOwn(gateway, callOf(request).principal);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeOwnKey(gateway, own));
    },
    async getUsageSummary({ request, reply, query, ok }) {
      const { accountId } = callOf(request).principal;
      reply.header('cache-control', 'private, no-store');
      return ok(await summarize(gateway, accountId, query));
    },
    async listStatement({ request, reply, query, ok }) {
      const { accountId } = callOf(request).principal;
      reply.header('cache-control', 'private, no-store');
      return ok(await readPage(gateway, accountId, query));
    },
  };
}

interface Own {
  readonly key: KeyRecord;
  /** Null if calls aren't charged. */
  readonly funds: Funds | null;
  readonly now: number;
}

async function readOwn({ access, money }: Gateway, { keyId }: Principal): Promise<Own> {
  const now = Date.now();
  const key = await access.store.findKeyById(keyId).catch(storeFailed);
  if (!key) throw new GatewayError<KeyedCode>('invalid_api_key');
  return { key, now, funds: money ? await readFunds(money.ledger, key, now).catch(storeFailed) : null };
}

const toSeconds = (at: number): number => Math.floor(at / SECOND_MS);
const secondsOf = (time: string): number => toSeconds(Date.parse(time));
const secondsOrNull = (time: string | null): number | null => (time === null ? null : secondsOf(time));

async function writeAccount(gateway: Gateway, { key, funds, now }: Own): Promise<OwnAccount> {
  const { account } = key;
  const ruling = funds && writeSubscription(funds.subscription, now);
  const limits = await limitsOf(gateway, key);
  return {
    object: 'account',
    id: account.id,
    name: account.name,
    group: account.group,
    state: funds === null || canPay(funds) ? 'active' : 'no_money',
    balance: funds && {
      balance: formatDollars(funds.balance.balance),
      held: formatDollars(funds.balance.held),
      available: formatDollars(funds.balance.balance - funds.balance.held),
    },
    subscription: ruling && { ...ruling, resets_at: secondsOf(ruling.resets_at), ends_at: secondsOrNull(ruling.ends_at) },
    limits: limits.filter(({ scope }) => scope !== 'key'),
    created_at: toSeconds(account.createdAt),
  };
}

function canPay({ subscription: ruling, balance }: Funds): boolean {
  if (ruling && ruling.left > 0n) return true;
  return (ruling === null || ruling.record.onExhaustion === 'balance') && balance.balance - balance.held > 0n;
}

async function writeOwnKey(gateway: Gateway, { key, funds, now }: Own): Promise<OwnKey> {
  const { operations, models, mayStore, manageKeys = false } = key.permissions;
  const cap = funds && writeCap(key, funds.capLeft, now);
  return {
    object: 'key',
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    account_id: key.account.id,
    state: key.replacedBy === null ? 'active' : 'replaced',
    permissions: { operations: operations && [...operations], models: models && [...models], may_store: mayStore, manage_keys: manageKeys },
    ip_ranges: key.ipRanges && [...key.ipRanges],
    spending_cap: key.cap && {
      amount: formatDollars(key.cap.micros),
      period: key.cap.period,
      left: cap?.left ?? null,
      resets_at: secondsOrNull(cap?.resets_at ?? null),
    },
    limits: (await limitsOf(gateway, key)).filter(({ scope }) => scope === 'key'),
    created_at: toSeconds(key.createdAt),
    expires_at: key.expiresAt === null ? null : toSeconds(key.expiresAt),
    replaced_by: key.replacedBy,
  };
}

async function limitsOf(gateway: Gateway, key: KeyRecord): Promise<OwnAccount['limits']> {
  const limits = await explainKeyLimits(gateway, key);
  return limits.flatMap(({ scope, subject: _, ...rest }) => (scope === 'model' ? [] : [{ scope, ...rest }]));
}

const timeOf = (seconds: number): string => new Date(seconds * SECOND_MS).toISOString();
/** No date can be later, in seconds since 1970. */
const LATEST = 253_402_300_799;

async function summarize({ activity }: Gateway, accountId: string, query: UsageSummaryQuery): Promise<UsageSummary> {
  // The end of the running second, so that its calls are counted.
  const { from, to = toSeconds(Date.now()) + 1, bucket = 'day', group_by, then_by, model, key_id } = query;
  if (to > LATEST) throw notThen('to');
  const begin = from ?? Math.max(0, to - RANGE_MS / SECOND_MS);
  if (begin > LATEST) throw notThen('from');
  const question = { from: timeOf(begin), to: timeOf(to), bucket, group_by, then_by, model, key_id, account_id: accountId, top: 12 };
  const { series, total, ...sums } = await readActivity({ activity, ledger: null, now: Date.now }, question);
  return {
    object: 'usage_summary',
    from: secondsOf(sums.from),
    to: secondsOf(sums.to),
    bucket: sums.bucket,
    complete_until: secondsOf(sums.complete_until),
    data: series.flatMap(({ key, then_key: thenKey, is_other: isRest, points }) => {
      const named = { [group_by ?? '']: key, [then_by ?? '']: thenKey };
      const keys = { model: named.model ?? null, key_id: named.key ?? null, is_rest: isRest };
      return points.map(({ at, ...point }) => ({ at: secondsOf(at), ...keys, ...writeSums(point) }));
    }),
    total: writeSums(total),
  };
}

const notThen = (param: string): ErrorOf<'getUsageSummary', 400> =>
  new GatewayError('invalid_value', { param, message: `'${param}' must be a Unix time in seconds, before the year 10000.` });

const writeSums = ({ requests, errors, rejected, tokens, images, charged }: UsageSummary['total']): UsageSummary['total'] => ({
  requests,
  errors,
  rejected,
  tokens,
  images,
  charged,
});

async function readPage({ activity, money }: Gateway, accountId: string, query: StatementQuery): Promise<Statement> {
  const { from = 0, to = LATEST, limit = STATEMENT_LENGTH, after } = query;
  const range = { from: from * SECOND_MS, to: Math.min(to, LATEST) * SECOND_MS };
  const found = money ? await readStatement(activity.ask, { accountId, ...range, limit: limit + 1, after }) : [];
  if (!found) throw notAfter();
  const data = found.slice(0, limit).map(writeLine);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}

const notAfter = (): ErrorOf<'listStatement', 400> =>
  new GatewayError('invalid_value', { param: 'after', message: "'after' must be the ID of a line in this account's statement." });

function writeLine({ id, kind, amount, source, model, keyId, at }: MoneyLine): StatementLine {
  const dollars = formatDollars(amount);
  return { id, kind, amount: dollars, source: source === 'balance' ? 'balance' : 'subscription', model, key_id: keyId, at: toSeconds(at) };
}

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
      if (!rows) throw invalid('after', "'after' must be the ID of a request of this account in the request log.");
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
        error: row ? writeRefusal(row) : null,
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

const accountOf = (request: Parameters<typeof portalUserOf>[0]): string => portalUserOf(request).key.account.id;

/** The account after the filters: nothing that was asked for can take its place. */
const filtersOf = (asked: Parameters<typeof readFilters>[0], accountId: string): RowQuery & { readonly account_id: string } => ({
  ...readFilters(asked, Date.now()),
  account_id: accountId,
});

interface Found {
  readonly row: LogRow | undefined;
  readonly charge: ChargeRecord | undefined;
}

/** A call of another account is answered like one that doesn't exist. */
async function findOwn({ activity, money }: Gateway, accountId: string, id: string): Promise<Found> {
  const [row, charge] = await Promise.all([activity.find(id), money?.ledger.findCharge(id)]);
  return { row: row?.account_id === accountId ? row : undefined, charge: charge?.accountId === accountId ? charge : undefined };
}

/** The other lines are the operator's: his revenue, and what he paid above a hold. */
const isOfHolder = ({ book }: { readonly book: string }): boolean => /^(?:account|sub|subscription):/.test(book);

const unknownRequest = (id: string): GatewayError =>
  new GatewayError<AnyPortalCode>('not_found', {
    param: 'request_id',
    message: `Request '${shown(id)}' not found. This account has no request with this ID.`,
  });
