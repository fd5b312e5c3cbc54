/** Handlers for GET /v1/account, GET /v1/key, and the routes below them: key owners read what is left, used, and paid. */

import {
  type OwnAccount,
  type OwnKey,
  STATEMENT_LENGTH,
  type Statement,
  type StatementLine,
  type StatementQuery,
  type UsageSummary,
  type UsageSummaryQuery,
} from '../../../contract/account.ts';
import type { Principal } from '../../access/principal.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { formatDollars } from '../../money/dollars.ts';
import { GatewayError, type KeyedCode, type OperationError, throwStoreDown } from '../../primitives/errors.ts';
import { type MoneyLine, readStatement } from '../../records/statement.ts';
import { queryActivity } from '../admin/activity.ts';
import { type Funds, fetchFunds, writeRemainingCaps, writeSubscription } from '../admin/funds.ts';
import { explainKeyLimits } from '../admin/key-limits.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from '../v1/auth-hook.ts';

const SECOND_MS = 1_000;
const DEFAULT_RANGE_MS = 30 * 86_400_000;

export function createOwnAccountHandlers(gateway: Gateway): Handlers<'getAccount' | 'getKey' | 'getUsageSummary' | 'listStatement'> {
  return {
    async getAccount({ request, reply, ok }) {
      const state = await fetchCallerState(gateway, getCall(request).principal);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeAccount(gateway, state));
    },
    async getKey({ request, reply, ok }) {
      const state = await fetchCallerState(gateway, getCall(request).principal);
      reply.header('cache-control', 'private, no-store');
      return ok(await writeOwnKey(gateway, state));
    },
    async getUsageSummary({ request, reply, query, ok }) {
      const { accountId } = getCall(request).principal;
      reply.header('cache-control', 'private, no-store');
      return ok(await summarizeUsage(gateway, accountId, query));
    },
    async listStatement({ request, reply, query, ok }) {
      const { accountId } = getCall(request).principal;
      reply.header('cache-control', 'private, no-store');
      return ok(await fetchStatementPage(gateway, accountId, query));
    },
  };
}

interface CallerState {
  readonly key: KeyRecord;
  /** Null if billing is off. */
  readonly funds: Funds | null;
  readonly now: number;
}

async function fetchCallerState({ access, money }: Gateway, { keyId }: Principal): Promise<CallerState> {
  const now = Date.now();
  const key = await access.store.findKeyById(keyId).catch(throwStoreDown);
  if (!key) throw new GatewayError<KeyedCode>('invalid_api_key');
  return { key, now, funds: money ? await fetchFunds(money.ledger, key, now).catch(throwStoreDown) : null };
}

const toSeconds = (at: number): number => Math.floor(at / SECOND_MS);
const parseSeconds = (time: string): number => toSeconds(Date.parse(time));
const parseSecondsOrNull = (time: string | null): number | null => (time === null ? null : parseSeconds(time));

async function writeAccount(gateway: Gateway, { key, funds, now }: CallerState): Promise<OwnAccount> {
  const { account } = key;
  const subscription = funds && writeSubscription(funds.subscription, now);
  const limits = await fetchOwnLimits(gateway, key);
  return {
    object: 'account',
    id: account.id,
    name: account.name,
    group: account.group,
    state: funds === null || canPay(funds) ? 'active' : 'no_balance',
    balance: funds && {
      balance: formatDollars(funds.balance.balance),
      held: formatDollars(funds.balance.held),
      available: formatDollars(funds.balance.balance - funds.balance.held),
    },
    subscription: subscription && {
      ...subscription,
      resets_at: parseSeconds(subscription.resets_at),
      ends_at: parseSecondsOrNull(subscription.ends_at),
    },
    spending_caps: writeOwnCaps(funds, now).filter(({ scope }) => scope === 'account'),
    limits: limits.filter(({ scope }) => scope !== 'key'),
    created_at: toSeconds(account.createdAt),
  };
}

/** Calls are free without billing, so caps have no effect. */
const writeOwnCaps = (funds: Funds | null, now: number): OwnKey['spending_caps'] =>
  funds ? writeRemainingCaps(funds, now).map((cap) => ({ ...cap, resets_at: parseSecondsOrNull(cap.resets_at) })) : [];

function canPay({ subscription, balance }: Funds): boolean {
  if (subscription && subscription.left > 0n) return true;
  return (subscription === null || subscription.record.onExhaustion === 'balance') && balance.balance - balance.held > 0n;
}

async function writeOwnKey(gateway: Gateway, { key, funds, now }: CallerState): Promise<OwnKey> {
  const { operations, models, mayStore, manageKeys = false } = key.permissions;
  return {
    object: 'key',
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    account_id: key.account.id,
    state: key.replacedBy === null ? 'active' : 'replaced',
    permissions: { operations: operations && [...operations], models: models && [...models], may_store: mayStore, manage_keys: manageKeys },
    ip_ranges: key.ipRanges && [...key.ipRanges],
    spending_caps: writeOwnCaps(funds, now),
    limits: (await fetchOwnLimits(gateway, key)).filter(({ scope }) => scope === 'key'),
    created_at: toSeconds(key.createdAt),
    expires_at: key.expiresAt === null ? null : toSeconds(key.expiresAt),
    replaced_by: key.replacedBy,
  };
}

async function fetchOwnLimits(gateway: Gateway, key: KeyRecord): Promise<OwnAccount['limits']> {
  const limits = await explainKeyLimits(gateway, key);
  return limits.flatMap(({ scope, subject: _, ...limit }) => (scope === 'model' ? [] : [{ scope, ...limit }]));
}

const formatTime = (seconds: number): string => new Date(seconds * SECOND_MS).toISOString();
/** The latest possible date, in seconds since 1970. */
const MAX_UNIX_SECONDS = 253_402_300_799;

async function summarizeUsage({ activity }: Gateway, accountId: string, query: UsageSummaryQuery): Promise<UsageSummary> {
  // The end of the current second, so that its calls are included.
  const { from, to = toSeconds(Date.now()) + 1, bucket = 'day', group_by, then_by, model, key_id } = query;
  if (to > MAX_UNIX_SECONDS) throw createInvalidTimeError('to');
  const start = from ?? Math.max(0, to - DEFAULT_RANGE_MS / SECOND_MS);
  if (start > MAX_UNIX_SECONDS) throw createInvalidTimeError('from');
  const activityQuery = {
    from: formatTime(start),
    to: formatTime(to),
    bucket,
    group_by,
    then_by,
    model,
    key_id,
    account_id: accountId,
    top: 12,
  };
  const { series, total, ...range } = await queryActivity({ activity, ledger: null, now: Date.now }, activityQuery);
  return {
    object: 'usage_summary',
    from: parseSeconds(range.from),
    to: parseSeconds(range.to),
    bucket: range.bucket,
    complete_until: parseSeconds(range.complete_until),
    data: series.flatMap(({ key, then_key: thenKey, is_other: isOther, points }) => {
      const keyByDimension = { [group_by ?? '']: key, [then_by ?? '']: thenKey };
      const dimensions = { model: keyByDimension.model ?? null, key_id: keyByDimension.key ?? null, is_other: isOther };
      return points.map(({ at, ...point }) => ({ at: parseSeconds(at), ...dimensions, ...writeTotals(point) }));
    }),
    total: writeTotals(total),
  };
}

const createInvalidTimeError = (param: string): OperationError<'getUsageSummary', 400> =>
  new GatewayError('invalid_value', { param, message: `'${param}' must be a Unix time in seconds, before the year 10000.` });

const writeTotals = ({ requests, errors, rejected, tokens, images, charged }: UsageSummary['total']): UsageSummary['total'] => ({
  requests,
  errors,
  rejected,
  tokens,
  images,
  charged,
});

async function fetchStatementPage({ activity, money }: Gateway, accountId: string, query: StatementQuery): Promise<Statement> {
  const { from = 0, to = MAX_UNIX_SECONDS, limit = STATEMENT_LENGTH, after } = query;
  const range = { from: from * SECOND_MS, to: Math.min(to, MAX_UNIX_SECONDS) * SECOND_MS };
  const lines = money ? await readStatement(activity.ask, { accountId, ...range, limit: limit + 1, after }) : [];
  if (!lines) throw createInvalidCursorError();
  const data = lines.slice(0, limit).map(writeLine);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: lines.length > limit,
  };
}

const createInvalidCursorError = (): OperationError<'listStatement', 400> =>
  new GatewayError('invalid_value', { param: 'after', message: "'after' must be the ID of a line in this account's statement." });

function writeLine({ id, kind, amount, source, model, keyId, at }: MoneyLine): StatementLine {
  const dollars = formatDollars(amount);
  return { id, kind, amount: dollars, source: source === 'balance' ? 'balance' : 'subscription', model, key_id: keyId, at: toSeconds(at) };
}
