/** GET /v1/account, /v1/key and what lies below: the holder of a key reads what is left, what was used, and what was paid. */
import {
  type OwnAccount,
  type OwnKey,
  STATEMENT_LENGTH,
  type Statement,
  type StatementLine,
  type StatementQuery,
  type UsageSummary,
  type UsageSummaryQuery,
} from '../../contract/own-account.ts';
import type { Principal } from '../access/principal.ts';
import type { KeyRecord } from '../access/store.ts';
import { type MoneyLine, readStatement } from '../activity/statement.ts';
import { readActivity } from '../admin/activity.ts';
import { explainKeyLimits } from '../admin/explained-limits.ts';
import { type Funds, readFunds, writeCap, writeRuling } from '../admin/funds.ts';
import { type ErrorOf, GatewayError, type KeyedCode, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { callOf } from '../http/entrance.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/money.ts';

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
      return ok(await summarise(gateway, accountId, query));
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
  /** Null when calls are not charged. */
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
  const ruling = funds && writeRuling(funds.ruling, now);
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

function canPay({ ruling, balance }: Funds): boolean {
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

async function summarise({ activity }: Gateway, accountId: string, query: UsageSummaryQuery): Promise<UsageSummary> {
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
  new GatewayError('invalid_value', { param, message: `'${param}' must be a time in seconds since 1970, before the year 10000.` });

const writeSums = ({ requests, errors, refused, tokens, images, charged }: UsageSummary['total']): UsageSummary['total'] => ({
  requests,
  errors,
  refused,
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
  new GatewayError('invalid_value', { param: 'after', message: "'after' has to be the id of a line of this account." });

function writeLine({ id, kind, amount, source, model, keyId, at }: MoneyLine): StatementLine {
  const dollars = formatDollars(amount);
  return { id, kind, amount: dollars, source: source === 'balance' ? 'balance' : 'subscription', model, key_id: keyId, at: toSeconds(at) };
}
