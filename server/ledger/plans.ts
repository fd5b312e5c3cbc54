import { type AuditEntry, writeAudit } from '../storage/audit.ts';
import { type Dialect, hot, openRoom, type Plan, type PlansOf, sql } from '../storage/plan.ts';
import { flag, integer, number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';
import { OF_OPERATORS } from '../storage/tables.ts';
import { isAmount } from './charge.ts';
import { BALANCE, type Charge, hasEnded } from './decide.ts';
import { openRecentSubscriptions } from './price-book.ts';
import { checkUpTo, lastEntry } from './reconcile.ts';
import {
  type Adjustment,
  type AdjustResult,
  type BalanceRecord,
  type ChargeRecord,
  type ChargeState,
  compareSubscription,
  compareTransfer,
  type KeptAttempt,
  type LedgerStore,
  type Metered,
  type NewPrice,
  type Orphan,
  type PriceVersion,
  periodStart,
  type SubscriptionRecord,
} from './store.ts';

type Money = 'reserve' | 'post' | 'void' | 'dryRunHold' | 'reconcile';
/** The methods of the room that a ledger puts together from. */
interface Processes {
  beat(node: string, at: number | null, report: string | null): Promise<number>;
  /** Adds the processes that hold money and have no row. */
  meet(at: number): Promise<void>;
  deadHolds(node: string, deadBefore: number): Promise<readonly string[]>;
  ownHolds(node: string): Promise<readonly string[]>;
  bury(node: string, deadBefore: number): Promise<void>;
  remove(node: string): Promise<void>;
  lastEntry(): Promise<number>;
  checkUpTo(end: number): Promise<number>;
}
type LedgerRoom = Omit<LedgerStore, Money | 'heartbeat' | 'sweep' | 'leave' | 'checkEntries'> & Processes;

export interface Expiry {
  readonly ids: readonly string[];
  readonly at: number;
}

interface MoneySteps extends Pick<LedgerStore, Money> {
  expire(expiry: Expiry): Promise<readonly Orphan[]>;
}

/** So many in one step, since it has their accounts locked. */
const MAX_BATCH = 200;

export function assembleLedger(room: LedgerRoom, { expire, ...money }: MoneySteps): LedgerStore {
  const recent = openRecentSubscriptions(room.activeSubscription);
  async function* expireAll(list: () => Promise<readonly string[]>, at: number): AsyncGenerator<readonly Orphan[]> {
    for (;;) {
      const ids = await list();
      // Reported immediately: these holds have ended, even if a later batch fails.
      if (ids.length > 0) yield await expire({ ids, at });
      if (ids.length < MAX_BATCH) return;
    }
  }
  let end = 0;
  return {
    ...room,
    ...money,
    async checkEntries() {
      const checked = await room.checkUpTo(end);
      if (checked > 0) return checked;
      end = await room.lastEntry();
      return await room.checkUpTo(end);
    },
    activeSubscription: recent.find,
    addSubscription: (record, audit) => room.addSubscription(record, audit).finally(recent.forget),
    cancelSubscription: (id, at, audit) => room.cancelSubscription(id, at, audit).finally(recent.forget),
    heartbeat: (node, at, report) => room.beat(node, at ?? null, report ?? null),
    async *sweep(node, at, deadBefore) {
      await room.meet(at);
      // While its row exists, no other process takes over its requests, so none of them is paid for twice.
      yield* expireAll(() => room.deadHolds(node, deadBefore), at);
      await room.bury(node, deadBefore);
    },
    async *leave(node, at) {
      yield* expireAll(() => room.ownHolds(node), at);
      await room.remove(node);
    },
  };
}

const SUBSCRIPTION_COLUMNS = 'id, account_id, plan, included, period, on_exhaustion, price_list, starts_at, ends_at, cancelled_at';
/** Whether it ever ran: one that was cancelled before it began has no effect. */
const HAS_RUN = '(ends_at IS NULL OR ends_at > starts_at) AND (cancelled_at IS NULL OR cancelled_at > starts_at)';
/** The last subscription that had begun, over or not. */
export const rulingSql = (account: string, at: string): string => `
  SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE account_id = ${account} AND starts_at <= ${at} AND ${HAS_RUN} ORDER BY starts_at DESC LIMIT 1`;
export const RULING = rulingSql('?1', '?2');

/** A charge, and for one that has expired what is left in its source. */
export const CHARGE_FACTS = `
  SELECT c.request_id, c.account_id, c.node, c.state, c.source, c.source_period, c.cap_owner, c.cap_period, c.held,
    CASE WHEN c.state = 'expired' THEN coalesce(
      (SELECT b.balance - b.held FROM balances AS b WHERE c.source = '${BALANCE}' AND b.account_id = c.account_id),
      (SELECT -a.used - a.held FROM allowances AS a WHERE a.owner = c.source AND a.period_start = c.source_period), 0) ELSE 0 END AS free,
    CASE WHEN c.state = 'expired' THEN coalesce((SELECT s.included FROM subscriptions AS s WHERE s.id = substr(c.source, 5)), 0) ELSE 0 END AS included
  FROM charges AS c`;

export function toCharge(row: Row, hasKey: boolean): Charge {
  const [accountId, source] = [text(row.account_id), text(row.source)];
  return {
    requestId: text(row.request_id),
    accountId,
    node: text(row.node),
    // The table lets in no other word.
    state: text(row.state) as ChargeState,
    source: source === BALANCE ? { owner: accountId, start: null } : { owner: source, start: number(row.source_period) },
    cap: row.cap_owner === null ? null : { owner: text(row.cap_owner), start: number(row.cap_period) },
    held: integer(row.held),
    included: integer(row.included),
    hasKey,
  };
}

/** The account decides whether there is a balance; without a row it is zero. */
const BALANCE_SQL = `
  SELECT coalesce(balance, 0) AS balance, coalesce(held, 0) AS held
  FROM accounts LEFT JOIN balances ON balances.account_id = accounts.id WHERE accounts.id = ?1`;
const NAMED = `SELECT kind, book, amount FROM entries WHERE transfer = ?1 AND ${OF_OPERATORS} AND book <> 'funding'`;
const SET_BALANCE =
  'INSERT INTO balances (account_id, balance) VALUES (?1, ?2) ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance';
const FUND = `INSERT INTO entries (transfer, kind, book, amount, note, created_at) VALUES (?1, ?2, 'funding', ?3, ?5, ?6), (?1, ?2, ?7, ?4, ?5, ?6)`;

/** Lock ID of an account in PostgreSQL. */
export const accountLock = (account: string): string => `hashtextextended(${account}, 7301529464217)`;

/** Other steps of this account wait until the end. */
function* lockAccount({ isShared }: Dialect, accountId: string): Plan<void> {
  if (isShared) yield sql(`SELECT pg_advisory_xact_lock(${accountLock('?1')})`, accountId);
}

/** A part of what a transaction does. */
export function* adjust(db: Dialect, adjustment: Adjustment): Plan<AdjustResult> {
  const { accountId, transfer, kind, amount, note, at } = adjustment;
  if (db.isShared) yield sql('SELECT pg_advisory_xact_lock(7302, hashtext(?1))', transfer);
  yield* lockAccount(db, accountId);
  const [row] = yield sql(BALANCE_SQL, accountId);
  if (!row) return { kind: 'unknown_account' };
  const before = toBalance(row);
  const [posted] = yield sql(NAMED, transfer);
  if (posted)
    return compareTransfer(adjustment, { kind: text(posted.kind), book: text(posted.book), amount: integer(posted.amount) }, before);
  const balance = before.balance + amount;
  // Neither below the held amount nor above what can be added without overflow.
  if (balance < before.held || !isAmount(balance)) return { kind: 'rejected', available: before.balance - before.held };
  yield sql(SET_BALANCE, accountId, balance);
  yield sql(FUND, transfer, kind, -amount, amount, note, at, `account:${accountId}`);
  return { kind: 'adjusted', balance, held: before.held };
}

const toBalance = (row: Row): BalanceRecord => ({ balance: integer(row.balance), held: integer(row.held) });

const OTHERS = `
  SELECT id FROM subscriptions
  WHERE account_id = ?1 AND ${HAS_RUN} AND (CAST(?2 AS BIGINT) IS NULL OR starts_at < CAST(?2 AS BIGINT))
    AND (ends_at IS NULL OR ends_at > ?3) AND (cancelled_at IS NULL OR cancelled_at > ?3)
  ORDER BY starts_at LIMIT 1`;
const ADD = `INSERT INTO subscriptions (${SUBSCRIPTION_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`;
const CANCEL = `
  UPDATE subscriptions SET cancelled_at = ?1 WHERE id = ?2 AND cancelled_at IS NULL AND (ends_at IS NULL OR ends_at > ?1) RETURNING id`;

const CHARGE_COLUMNS = `request_id, account_id, key_id, model, operation, price_version, multiplier, state, source, held, charged, overrun,
  usage, estimated, outcome, created_at, settled_at`;
const PAGE = `
  SELECT ${CHARGE_COLUMNS} FROM charges
  WHERE account_id = ?1 AND created_at >= ?2 AND created_at < ?3 AND (CAST(?4 AS TEXT) IS NULL OR key_id = ?4)
    AND (CAST(?5 AS TEXT) IS NULL OR (created_at, request_id) < (CAST(?6 AS BIGINT), ?5))
  ORDER BY created_at DESC, request_id DESC LIMIT ?7`;

const PRICE_COLUMNS = 'version, price_list, model, source, prices, created_at';
const newestSql = (which: string): string => `
  SELECT ${PRICE_COLUMNS} FROM price_versions
  WHERE version IN (SELECT max(version) FROM price_versions ${which} GROUP BY price_list, model) ORDER BY price_list, model`;
const ADD_PRICE = `
  INSERT INTO price_versions (price_list, model, source, prices, created_at) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING ${PRICE_COLUMNS}`;

function* addPrices({ isShared }: Dialect, prices: readonly NewPrice[], audit?: AuditEntry): Plan<readonly PriceVersion[]> {
  // One after the other: a reader who has seen a version has seen all earlier ones.
  if (isShared) yield sql('LOCK TABLE price_versions IN SHARE ROW EXCLUSIVE MODE');
  const added: PriceVersion[] = [];
  for (const { priceList, model, source, prices: terms, createdAt } of prices)
    added.push(...(yield sql(ADD_PRICE, priceList, model, source, terms, createdAt)).map(toPrice));
  const [first] = added;
  if (audit && first) yield* writeAudit({ ...audit, details: { version: first.version, ...audit.details } });
  return added;
}

const beatSql = ({ now }: Dialect): string => `
  INSERT INTO nodes (id, seen_at, report, reported_at) VALUES (?1, ${now('?2')}, ?3, CASE WHEN CAST(?3 AS TEXT) IS NOT NULL THEN ${now('?2')} END)
  ON CONFLICT (id) DO UPDATE SET seen_at = CASE WHEN nodes.seen_at > excluded.seen_at THEN nodes.seen_at ELSE excluded.seen_at END,
    report = coalesce(excluded.report, nodes.report), reported_at = coalesce(excluded.reported_at, nodes.reported_at)
  RETURNING ${now('?2')} AS at`;
/** By the index of open holds: charges are many, those that are open are few, and the planner of SQLite wouldn't see it. */
const openCharges = ({ isShared }: Dialect): string => (isShared ? 'charges' : 'charges INDEXED BY charges_open');
// Without a row a process has left, or was silent for long and is back. A hold is a sign of life too, and its own time is that of another clock.
const meetSql = (db: Dialect): string => `
  INSERT INTO nodes (id, seen_at)
  SELECT DISTINCT node, CAST(?1 AS BIGINT) FROM ${openCharges(db)} WHERE state = 'held' AND node NOT IN (SELECT id FROM nodes)
  ON CONFLICT DO NOTHING`;
const holdsSql = (db: Dialect, which: string): string =>
  `SELECT request_id FROM ${openCharges(db)} WHERE state = 'held' AND ${which} ORDER BY request_id LIMIT ${MAX_BATCH}`;
// No reservation is on its way for as long as a day.
const DELETE_OLD_BARS = 'DELETE FROM barred_requests WHERE created_at < ?1';
const DAY_MS = 86_400_000;

const ids = (rows: readonly Row[]): readonly string[] => rows.map((row) => text(row.request_id));

const processPlans = (db: Dialect): PlansOf<Processes> => ({
  beat: function* (node, at, report) {
    const [row] = yield hot('beat', beatSql(db), node, at, report);
    return number(row?.at);
  },
  meet: function* (at) {
    if (db.isShared) yield hot('old_bars', DELETE_OLD_BARS, at - DAY_MS);
    yield hot('meet', meetSql(db), at);
  },
  deadHolds: function* (node, deadBefore) {
    return ids(yield hot('dead_holds', holdsSql(db, 'node IN (SELECT id FROM nodes WHERE seen_at < ?1 AND id <> ?2)'), deadBefore, node));
  },
  ownHolds: function* (node) {
    return ids(yield hot('own_holds', holdsSql(db, 'node = ?1'), node));
  },
  bury: function* (node, deadBefore) {
    yield hot('bury', 'DELETE FROM nodes WHERE seen_at < ?1 AND id <> ?2', deadBefore, node);
  },
  remove: function* (node) {
    yield hot('remove_node', 'DELETE FROM nodes WHERE id = ?1', node);
  },
  lastEntry: () => lastEntry(db),
  checkUpTo,
});

export const ledgerRoom = openRoom<LedgerRoom>(
  'ledger',
  {
    reads: [
      ...(['balance', 'findCharge', 'listAttempts', 'listCharges', 'activeSubscription', 'listSubscriptions', 'allowance'] as const),
      ...(['latestPrices', 'latestConfigPrices', 'findPrice', 'deadHolds', 'ownHolds'] as const),
    ],
    noTransaction: ['beat', 'meet', 'bury', 'remove'],
  },
  (db) => ({
    balance: function* (accountId) {
      return (yield hot('balance', BALANCE_SQL, accountId)).map(toBalance)[0];
    },
    adjust: function* (adjustment, audit) {
      const result = yield* adjust(db, adjustment);
      if (audit && result.kind === 'adjusted') yield* writeAudit(audit);
      return result;
    },
    findCharge: function* (requestId) {
      return (yield hot('charge', `SELECT ${CHARGE_COLUMNS} FROM charges WHERE request_id = ?1`, requestId)).map(toChargeRecord)[0];
    },
    listAttempts: function* (requestId) {
      const [row] = yield hot('attempts', 'SELECT attempts FROM attempts WHERE request_id = ?1', requestId);
      // Written with the settlement of this request, from the same type.
      return row ? (JSON.parse(text(row.attempts)) as KeptAttempt[]) : [];
    },
    listCharges: function* ({ accountId, keyId = null, from = 0, to = Number.MAX_SAFE_INTEGER, limit, after = null }) {
      const place =
        after === null ? [] : yield sql('SELECT created_at FROM charges WHERE request_id = ?1 AND account_id = ?2', after, accountId);
      // The ID of another account counts as unknown: the page after it is empty.
      if (after !== null && place.length === 0) return [];
      const start = place[0] ? number(place[0].created_at) : null;
      return (yield sql(PAGE, accountId, from, to, keyId, after, start, limit)).map(toChargeRecord);
    },
    activeSubscription: function* (accountId, at) {
      const [found] = (yield hot('ruling', RULING, accountId, at)).map(toSubscription);
      return found && !hasEnded(found, at) ? found : undefined;
    },
    listSubscriptions: function* (accountId) {
      const all = `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE account_id = ?1 ORDER BY starts_at, id`;
      return (yield hot('subscriptions', all, accountId)).map(toSubscription);
    },
    addSubscription: function* (record, audit) {
      const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt } = record;
      if (!isAmount(included)) return { kind: 'too_much' };
      yield* lockAccount(db, accountId);
      if ((yield sql('SELECT 1 FROM accounts WHERE id = ?1', accountId)).length === 0) return { kind: 'unknown_account' };
      const [added] = (yield sql(`SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE id = ?1`, id)).map(toSubscription);
      if (added) return compareSubscription(record, added);
      const [other] = yield sql(OTHERS, accountId, endsAt, startsAt);
      if (other) return { kind: 'overlaps', id: text(other.id) };
      yield sql(ADD, id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt);
      if (audit) yield* writeAudit(audit);
      return { kind: 'added' };
    },
    cancelSubscription: function* (id, at, audit) {
      const isCancelled = (yield sql(CANCEL, at, id)).length > 0;
      if (audit && isCancelled) yield* writeAudit(audit);
      return isCancelled;
    },
    allowance: function* (owner, period, at) {
      const [row] = yield hot(
        'allowance',
        'SELECT used, held FROM allowances WHERE owner = ?1 AND period_start = ?2',
        owner,
        periodStart(period, at),
      );
      return row ? { used: integer(row.used), held: integer(row.held) } : { used: 0n, held: 0n };
    },
    latestPrices: function* () {
      return (yield hot('latest_prices', newestSql(''))).map(toPrice);
    },
    latestConfigPrices: function* () {
      return (yield hot('config_prices', newestSql("WHERE source = 'config'"))).map(toPrice);
    },
    findPrice: function* (version) {
      return (yield hot('price', `SELECT ${PRICE_COLUMNS} FROM price_versions WHERE version = ?1`, version)).map(toPrice)[0];
    },
    addPrice: function* (price, audit) {
      const [added] = yield* addPrices(db, [price], audit);
      if (!added) throw new TypeError('writing a price returned no version');
      return added;
    },
    addPrices: (prices) => addPrices(db, prices),
    ...processPlans(db),
  }),
);

export function toSubscription(row: Row): SubscriptionRecord {
  return {
    id: text(row.id),
    accountId: text(row.account_id),
    plan: text(row.plan),
    included: integer(row.included),
    // The table lets in no other word.
    period: text(row.period) as SubscriptionRecord['period'],
    onExhaustion: row.on_exhaustion === 'stop' ? 'stop' : 'balance',
    priceList: text(row.price_list),
    startsAt: number(row.starts_at),
    endsAt: numberOrNull(row.ends_at),
    cancelledAt: numberOrNull(row.cancelled_at),
  };
}

export function toChargeRecord(row: Row): ChargeRecord {
  const usage = textOrNull(row.usage);
  return {
    requestId: text(row.request_id),
    accountId: text(row.account_id),
    keyId: text(row.key_id),
    model: text(row.model),
    operation: text(row.operation),
    priceVersion: number(row.price_version),
    multiplier: number(row.multiplier),
    // The table lets in no other word.
    state: text(row.state) as ChargeState,
    source: text(row.source),
    held: integer(row.held),
    charged: integer(row.charged),
    overrun: integer(row.overrun),
    // Written by the post of this request, from the same type.
    metered: usage === null ? null : (JSON.parse(usage) as Metered),
    isEstimated: flag(row.estimated),
    outcome: textOrNull(row.outcome),
    createdAt: number(row.created_at),
    settledAt: numberOrNull(row.settled_at),
  };
}

function toPrice(row: Row): PriceVersion {
  return {
    version: number(row.version),
    priceList: text(row.price_list),
    model: text(row.model),
    source: row.source === 'admin' ? 'admin' : 'config',
    prices: text(row.prices),
    createdAt: number(row.created_at),
  };
}
