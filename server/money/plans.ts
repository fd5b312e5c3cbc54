/**
 * The database methods of the ledger, the same on SQLite and PostgreSQL: balances, caps, subscriptions, charges, prices, and nodes. Each database adds its
 * own hold and settlement steps.
 */
import { type AuditEntry, writeAudit } from '../store/audit.ts';
import { type Dialect, defineStore, type Plan, preparedSql, type StorePlans, sql } from '../store/plan.ts';
import { type Row, readFlag, readInteger, readNumber, readNumberOrNull, readText, readTextOrNull } from '../store/rows.ts';
import { OPERATOR_ENTRIES_CONDITION } from '../store/tables.ts';
import type { Fund } from './decide-hold.ts';
import { isAmount } from './dollars.ts';
import { BALANCE_SOURCE, hasEnded, listCapFunds } from './ledger-batch.ts';
import { getPeriodStart } from './period.ts';
import { openRecentSubscriptions } from './recent-subscriptions.ts';
import { planEntryCheck, readLastEntry } from './reconcile.ts';
import type { Charge } from './settle-charge.ts';
import type { SpendingCap } from './spending-cap.ts';
import {
  type Adjustment,
  type AdjustResult,
  type BalanceRecord,
  type ChargeRecord,
  type ChargeState,
  compareSubscription,
  compareTransfer,
  type LedgerStore,
  type MeteredUsage,
  type NewPrice,
  type Orphan,
  type PriceVersion,
  type StoredAttempt,
  type SubscriptionRecord,
} from './store.ts';

type MoneyMethods = 'reserve' | 'post' | 'void' | 'dryRunHold' | 'reconcile';
/** The methods of the store that a ledger is assembled from. */
interface NodeMethods {
  recordHeartbeat(node: string, at: number | null, report: string | null): Promise<number>;
  /** Adds the processes that hold money but have no row. */
  addMissingNodes(at: number): Promise<void>;
  listDeadHolds(node: string, deadBefore: number): Promise<readonly string[]>;
  listOwnHolds(node: string): Promise<readonly string[]>;
  deleteDeadNode(node: string, deadBefore: number): Promise<void>;
  deleteNode(node: string): Promise<void>;
  getLastEntry(): Promise<number>;
  checkEntriesUpTo(end: number): Promise<number>;
}
type LedgerQueries = Omit<LedgerStore, MoneyMethods | 'heartbeat' | 'sweep' | 'removeNode' | 'checkEntries'> & NodeMethods;

export interface Expiry {
  readonly ids: readonly string[];
  readonly at: number;
}

/** The maximum number of holds in one step, because the step locks their accounts. */
const MAX_BATCH = 200;

export function assembleLedger(
  queries: LedgerQueries,
  { expire, ...moneyMethods }: Pick<LedgerStore, MoneyMethods> & { expire(expiry: Expiry): Promise<readonly Orphan[]> },
): LedgerStore {
  const recentSubscriptions = openRecentSubscriptions(queries.findActiveSubscription);
  async function* expireAll(listIds: () => Promise<readonly string[]>, at: number): AsyncGenerator<readonly Orphan[]> {
    for (;;) {
      const ids = await listIds();
      // Yielded immediately, because these holds have ended even if a later batch fails.
      if (ids.length > 0) yield await expire({ ids, at });
      if (ids.length < MAX_BATCH) return;
    }
  }
  let lastEntry = 0;
  return {
    ...queries,
    ...moneyMethods,
    async checkEntries() {
      const checkedCount = await queries.checkEntriesUpTo(lastEntry);
      if (checkedCount > 0) return checkedCount;
      lastEntry = await queries.getLastEntry();
      return await queries.checkEntriesUpTo(lastEntry);
    },
    findActiveSubscription: recentSubscriptions.find,
    addSubscription: (record, audit) => queries.addSubscription(record, audit).finally(recentSubscriptions.forget),
    cancelSubscription: (id, at, audit) => queries.cancelSubscription(id, at, audit).finally(recentSubscriptions.forget),
    heartbeat: (node, at, report) => queries.recordHeartbeat(node, at ?? null, report ?? null),
    async *sweep(node, at, deadBefore) {
      await queries.addMissingNodes(at);
      // The dead process's row stays until its holds have expired. While the row exists, no other process takes over its requests, so
      // none is paid for twice.
      yield* expireAll(() => queries.listDeadHolds(node, deadBefore), at);
      await queries.deleteDeadNode(node, deadBefore);
    },
    async *removeNode(node, at) {
      yield* expireAll(() => queries.listOwnHolds(node), at);
      await queries.deleteNode(node);
    },
  };
}

const SUBSCRIPTION_COLUMNS = 'id, account_id, plan, included, period, on_exhaustion, price_list, starts_at, ends_at, cancelled_at';
/** Whether the subscription ever ran. One canceled before its start has no effect. */
const HAS_RUN_CONDITION = '(ends_at IS NULL OR ends_at > starts_at) AND (cancelled_at IS NULL OR cancelled_at > starts_at)';
/** Selects the subscription that started last, even if it has ended. */
export const buildCurrentSubscriptionSql = (account: string, at: string): string => `
  SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE account_id = ${account} AND starts_at <= ${at} AND ${HAS_RUN_CONDITION} ORDER BY starts_at DESC LIMIT 1`;
export const CURRENT_SUBSCRIPTION_SQL = buildCurrentSubscriptionSql('?1', '?2');

/** Selects a charge. For an expired one, also the remaining amount of its source. */
export const CHARGE_FACTS = `
  SELECT c.request_id, c.account_id, c.node, c.state, c.source, c.source_period, c.cap_owner, c.cap_period, c.held,
    CASE WHEN c.state = 'expired' THEN coalesce(
      (SELECT b.balance - b.held FROM balances AS b WHERE c.source = '${BALANCE_SOURCE}' AND b.account_id = c.account_id),
      (SELECT -a.used - a.held FROM allowances AS a WHERE a.owner = c.source AND a.period_start = c.source_period), 0) ELSE 0 END AS free,
    CASE WHEN c.state = 'expired' THEN coalesce((SELECT s.included FROM subscriptions AS s WHERE s.id = substr(c.source, 5)), 0) ELSE 0 END AS included
  FROM charges AS c`;

/** Reads a row of `charge_caps`. */
export const toFund = ({ owner, period_start: start }: Row): Fund => ({ owner: readText(owner), start: readNumber(start) });

export function toCharge(row: Row, { hasKey, furtherCaps }: { readonly hasKey: boolean; readonly furtherCaps: readonly Fund[] }): Charge {
  const [accountId, source] = [readText(row.account_id), readText(row.source)];
  return {
    requestId: readText(row.request_id),
    accountId,
    node: readText(row.node),
    // `as`: the table allows only these states.
    state: readText(row.state) as ChargeState,
    source: source === BALANCE_SOURCE ? { owner: accountId, start: null } : { owner: source, start: readNumber(row.source_period) },
    caps: row.cap_owner === null ? [] : [{ owner: readText(row.cap_owner), start: readNumber(row.cap_period) }, ...furtherCaps],
    held: readInteger(row.held),
    included: readInteger(row.included),
    hasKey,
  };
}

/** Returns a row if the account exists. Without a balance row, the balance is zero. */
const BALANCE_SQL = `
  SELECT coalesce(balance, 0) AS balance, coalesce(held, 0) AS held
  FROM accounts LEFT JOIN balances ON balances.account_id = accounts.id WHERE accounts.id = ?1`;
const FIND_TRANSFER = `SELECT kind, book, amount FROM entries WHERE transfer = ?1 AND ${OPERATOR_ENTRIES_CONDITION} AND book <> 'funding'`;
const SET_BALANCE =
  'INSERT INTO balances (account_id, balance) VALUES (?1, ?2) ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance';
const ADD_FUNDING_ENTRIES = `INSERT INTO entries (transfer, kind, book, amount, note, created_at) VALUES (?1, ?2, 'funding', ?3, ?5, ?6), (?1, ?2, ?7, ?4, ?5, ?6)`;

/** Lock ID of an account in PostgreSQL. */
export const buildAccountLockSql = (account: string): string => `hashtextextended(${account}, 7301529464217)`;

/** Locks the account, so that its other steps wait until the transaction ends. */
function* lockAccount({ isShared }: Dialect, accountId: string): Plan<void> {
  if (isShared) yield sql(`SELECT pg_advisory_xact_lock(${buildAccountLockSql('?1')})`, accountId);
}

/** Runs inside a transaction of the caller. */
export function* adjust(db: Dialect, adjustment: Adjustment): Plan<AdjustResult> {
  const { accountId, transfer, kind, amount, note, at } = adjustment;
  if (db.isShared) yield sql('SELECT pg_advisory_xact_lock(7302, hashtext(?1))', transfer);
  yield* lockAccount(db, accountId);
  const [row] = yield sql(BALANCE_SQL, accountId);
  if (!row) return { kind: 'unknown_account' };
  const balanceBefore = toBalance(row);
  const [transferRow] = yield sql(FIND_TRANSFER, transfer);
  if (transferRow)
    return compareTransfer(
      adjustment,
      { kind: readText(transferRow.kind), book: readText(transferRow.book), amount: readInteger(transferRow.amount) },
      balanceBefore,
    );
  const balance = balanceBefore.balance + amount;
  // The balance can't fall below the held amount, or exceed the amount that can be added without overflow.
  if (balance < balanceBefore.held || !isAmount(balance))
    return { kind: 'rejected', available: balanceBefore.balance - balanceBefore.held };
  yield sql(SET_BALANCE, accountId, balance);
  yield sql(ADD_FUNDING_ENTRIES, transfer, kind, -amount, amount, note, at, `account:${accountId}`);
  return { kind: 'adjusted', balance, held: balanceBefore.held };
}

/** New caps of a key or an account. */
interface CapChange {
  readonly accountId: string;
  /** The owner of the caps: see `OwnedCap`. */
  readonly owner: string;
  /** The keys whose calls count toward the caps. */
  readonly keyIds: readonly string[];
  readonly caps: readonly SpendingCap[];
  readonly at: number;
}

const buildUncountedSql = (db: Dialect): string => `account_id = ?1 AND created_at >= ?3 AND key_id IN ${db.list('?4')}
  AND NOT (coalesce(cap_owner, '') = ?2 AND coalesce(cap_period, -1) = ?3)
  AND NOT EXISTS (SELECT 1 FROM charge_caps AS c WHERE c.request_id = charges.request_id AND c.owner = ?2 AND c.period_start = ?3)`;
const SET_FIRST_CAP = 'UPDATE charges SET cap_owner = ?2, cap_period = ?3 WHERE request_id = ?1';
/** A charge's first cap is in its own row, because most have at most one. */
export const ADD_CHARGE_CAP = 'INSERT INTO charge_caps (request_id, owner, period_start) VALUES (?1, ?2, ?3)';
const ADD_TO_ALLOWANCE = `
  INSERT INTO allowances (owner, period_start, used, held, charged_before) VALUES (?1, ?2, ?3, ?4, ?3)
  ON CONFLICT (owner, period_start) DO UPDATE SET used = allowances.used - allowances.charged_before + excluded.used,
    held = allowances.held + excluded.held, charged_before = excluded.charged_before`;

/**
 * Counts charges of the periods from before the caps were set, and calls in flight, toward the caps. Runs inside a transaction of the caller.
 */
export function* countTowardsCaps(db: Dialect, { accountId, owner, keyIds, caps, at }: CapChange): Plan<void> {
  if (caps.length === 0) return;
  yield* lockAccount(db, accountId);
  const uncounted = buildUncountedSql(db);
  for (const { start } of listCapFunds({ caps: caps.map(({ period }) => ({ owner, period })), at })) {
    const values = [accountId, owner, start, keyIds] as const;
    const [chargedBefore] = yield sql(
      `SELECT CAST(coalesce(sum(charged), 0) AS BIGINT) AS charged FROM charges WHERE state = 'posted' AND ${uncounted}`,
      ...values,
    );
    const heldRows = yield sql(`SELECT request_id, held, cap_owner FROM charges WHERE state = 'held' AND ${uncounted}`, ...values);
    for (const { request_id: requestId, cap_owner: firstOwner } of heldRows)
      yield sql(firstOwner === null ? SET_FIRST_CAP : ADD_CHARGE_CAP, readText(requestId), owner, start);
    const held = heldRows.reduce((sum, row) => sum + readInteger(row.held), 0n);
    yield sql(ADD_TO_ALLOWANCE, owner, start, readInteger(chargedBefore?.charged), held);
  }
}

const toBalance = (row: Row): BalanceRecord => ({ balance: readInteger(row.balance), held: readInteger(row.held) });

const FIND_OVERLAP = `
  SELECT id FROM subscriptions
  WHERE account_id = ?1 AND ${HAS_RUN_CONDITION} AND (CAST(?2 AS BIGINT) IS NULL OR starts_at < CAST(?2 AS BIGINT))
    AND (ends_at IS NULL OR ends_at > ?3) AND (cancelled_at IS NULL OR cancelled_at > ?3)
  ORDER BY starts_at LIMIT 1`;
const ADD_SUBSCRIPTION = `INSERT INTO subscriptions (${SUBSCRIPTION_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`;
const CANCEL_SUBSCRIPTION = `
  UPDATE subscriptions SET cancelled_at = ?1 WHERE id = ?2 AND cancelled_at IS NULL AND (ends_at IS NULL OR ends_at > ?1) RETURNING id`;

const CHARGE_COLUMNS = `request_id, account_id, key_id, model, operation, price_version, multiplier, state, source, held, charged, overrun,
  usage, estimated, outcome, created_at, settled_at`;
const LIST_CHARGES = `
  SELECT ${CHARGE_COLUMNS} FROM charges
  WHERE account_id = ?1 AND created_at >= ?2 AND created_at < ?3 AND (CAST(?4 AS TEXT) IS NULL OR key_id = ?4)
    AND (CAST(?5 AS TEXT) IS NULL OR (created_at, request_id) < (CAST(?6 AS BIGINT), ?5))
  ORDER BY created_at DESC, request_id DESC LIMIT ?7`;

const PRICE_COLUMNS = 'version, price_list, model, source, prices, created_at';
const buildNewestPricesSql = (condition: string): string => `
  SELECT ${PRICE_COLUMNS} FROM price_versions
  WHERE version IN (SELECT max(version) FROM price_versions ${condition} GROUP BY price_list, model) ORDER BY price_list, model`;
const ADD_PRICE = `
  INSERT INTO price_versions (price_list, model, source, prices, created_at) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING ${PRICE_COLUMNS}`;

function* addPrices({ isShared }: Dialect, prices: readonly NewPrice[], audit?: AuditEntry): Plan<readonly PriceVersion[]> {
  // Prices are added one transaction at a time: a reader who has seen a version has seen all earlier ones.
  if (isShared) yield sql('LOCK TABLE price_versions IN SHARE ROW EXCLUSIVE MODE');
  const versions: PriceVersion[] = [];
  for (const { priceList, model, source, prices: pricesJson, createdAt } of prices)
    versions.push(...(yield sql(ADD_PRICE, priceList, model, source, pricesJson, createdAt)).map(toPrice));
  const [first] = versions;
  if (audit && first) yield* writeAudit({ ...audit, details: { version: first.version, ...audit.details } });
  return versions;
}

const buildHeartbeatSql = ({ now }: Dialect): string => `
  INSERT INTO nodes (id, seen_at, report, reported_at) VALUES (?1, ${now('?2')}, ?3, CASE WHEN CAST(?3 AS TEXT) IS NOT NULL THEN ${now('?2')} END)
  ON CONFLICT (id) DO UPDATE SET seen_at = CASE WHEN nodes.seen_at > excluded.seen_at THEN nodes.seen_at ELSE excluded.seen_at END,
    report = coalesce(excluded.report, nodes.report), reported_at = coalesce(excluded.reported_at, nodes.reported_at)
  RETURNING ${now('?2')} AS at`;
/** Forces the index of open holds. There are many charges and few open holds, and SQLite's planner doesn't know that. */
const buildOpenChargesSql = ({ isShared }: Dialect): string => (isShared ? 'charges' : 'charges INDEXED BY charges_open');
// Adds processes that hold money without a row: they have left, or returned after a long silence. Uses the current time, because a hold's
// time is from another clock.
const buildAddNodesSql = (db: Dialect): string => `
  INSERT INTO nodes (id, seen_at)
  SELECT DISTINCT node, CAST(?1 AS BIGINT) FROM ${buildOpenChargesSql(db)} WHERE state = 'held' AND node NOT IN (SELECT id FROM nodes)
  ON CONFLICT DO NOTHING`;
const buildHoldsSql = (db: Dialect, condition: string): string =>
  `SELECT request_id FROM ${buildOpenChargesSql(db)} WHERE state = 'held' AND ${condition} ORDER BY request_id LIMIT ${MAX_BATCH}`;
// No reservation is in flight for as long as a day.
const DELETE_OLD_BARRED_REQUESTS = 'DELETE FROM barred_requests WHERE created_at < ?1';
const DAY_MS = 86_400_000;

const toIds = (rows: readonly Row[]): readonly string[] => rows.map((row) => readText(row.request_id));

const createNodePlans = (db: Dialect): StorePlans<NodeMethods> => ({
  recordHeartbeat: function* (node, at, report) {
    const [row] = yield preparedSql('beat', buildHeartbeatSql(db), node, at, report);
    return readNumber(row?.at);
  },
  addMissingNodes: function* (at) {
    if (db.isShared) yield preparedSql('old_bars', DELETE_OLD_BARRED_REQUESTS, at - DAY_MS);
    yield preparedSql('meet', buildAddNodesSql(db), at);
  },
  listDeadHolds: function* (node, deadBefore) {
    return toIds(
      yield preparedSql(
        'dead_holds',
        buildHoldsSql(db, 'node IN (SELECT id FROM nodes WHERE seen_at < ?1 AND id <> ?2)'),
        deadBefore,
        node,
      ),
    );
  },
  listOwnHolds: function* (node) {
    return toIds(yield preparedSql('own_holds', buildHoldsSql(db, 'node = ?1'), node));
  },
  deleteDeadNode: function* (node, deadBefore) {
    yield preparedSql('bury', 'DELETE FROM nodes WHERE seen_at < ?1 AND id <> ?2', deadBefore, node);
  },
  deleteNode: function* (node) {
    yield preparedSql('remove_node', 'DELETE FROM nodes WHERE id = ?1', node);
  },
  getLastEntry: () => readLastEntry(db),
  checkEntriesUpTo: planEntryCheck,
});

export const ledgerStoreDefinition = defineStore<LedgerQueries>(
  'ledger',
  {
    reads: [
      ...([
        'getBalance',
        'findCharge',
        'listAttempts',
        'listCharges',
        'findActiveSubscription',
        'listSubscriptions',
        'getAllowance',
      ] as const),
      ...(['listLatestPrices', 'listLatestConfigPrices', 'findPrice', 'listDeadHolds', 'listOwnHolds'] as const),
    ],
    noTransaction: ['recordHeartbeat', 'addMissingNodes', 'deleteDeadNode', 'deleteNode'],
  },
  (db) => ({
    getBalance: function* (accountId) {
      return (yield preparedSql('balance', BALANCE_SQL, accountId)).map(toBalance)[0];
    },
    adjust: function* (adjustment, audit) {
      const result = yield* adjust(db, adjustment);
      if (audit && result.kind === 'adjusted') yield* writeAudit(audit);
      return result;
    },
    findCharge: function* (requestId) {
      return (yield preparedSql('charge', `SELECT ${CHARGE_COLUMNS} FROM charges WHERE request_id = ?1`, requestId)).map(toChargeRecord)[0];
    },
    listAttempts: function* (requestId) {
      const [row] = yield preparedSql('attempts', 'SELECT attempts FROM attempts WHERE request_id = ?1', requestId);
      // `as`: this request's settlement wrote the JSON from the same type.
      return row ? (JSON.parse(readText(row.attempts)) as StoredAttempt[]) : [];
    },
    listCharges: function* ({ accountId, keyId = null, from = 0, to = Number.MAX_SAFE_INTEGER, limit, after = null }) {
      const cursorRows =
        after === null ? [] : yield sql('SELECT created_at FROM charges WHERE request_id = ?1 AND account_id = ?2', after, accountId);
      // The ID of another account counts as unknown, so the page after it is empty.
      if (after !== null && cursorRows.length === 0) return [];
      const cursorTime = cursorRows[0] ? readNumber(cursorRows[0].created_at) : null;
      return (yield sql(LIST_CHARGES, accountId, from, to, keyId, after, cursorTime, limit)).map(toChargeRecord);
    },
    findActiveSubscription: function* (accountId, at) {
      const [subscription] = (yield preparedSql('ruling', CURRENT_SUBSCRIPTION_SQL, accountId, at)).map(toSubscription);
      return subscription && !hasEnded(subscription, at) ? subscription : undefined;
    },
    listSubscriptions: function* (accountId) {
      const subscriptionsSql = `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE account_id = ?1 ORDER BY starts_at, id`;
      return (yield preparedSql('subscriptions', subscriptionsSql, accountId)).map(toSubscription);
    },
    addSubscription: function* (record, audit) {
      const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt } = record;
      if (!isAmount(included)) return { kind: 'too_much' };
      yield* lockAccount(db, accountId);
      if ((yield sql('SELECT 1 FROM accounts WHERE id = ?1', accountId)).length === 0) return { kind: 'unknown_account' };
      const [existingSubscription] = (yield sql(`SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE id = ?1`, id)).map(toSubscription);
      if (existingSubscription) return compareSubscription(record, existingSubscription);
      const [overlap] = yield sql(FIND_OVERLAP, accountId, endsAt, startsAt);
      if (overlap) return { kind: 'overlaps', id: readText(overlap.id) };
      yield sql(ADD_SUBSCRIPTION, id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt);
      if (audit) yield* writeAudit(audit);
      return { kind: 'added' };
    },
    cancelSubscription: function* (id, at, audit) {
      const isCancelled = (yield sql(CANCEL_SUBSCRIPTION, at, id)).length > 0;
      if (audit && isCancelled) yield* writeAudit(audit);
      return isCancelled;
    },
    getAllowance: function* (owner, period, at) {
      const [row] = yield preparedSql(
        'allowance',
        'SELECT used, held FROM allowances WHERE owner = ?1 AND period_start = ?2',
        owner,
        getPeriodStart(period, at),
      );
      return row ? { used: readInteger(row.used), held: readInteger(row.held) } : { used: 0n, held: 0n };
    },
    listLatestPrices: function* () {
      return (yield preparedSql('latest_prices', buildNewestPricesSql(''))).map(toPrice);
    },
    listLatestConfigPrices: function* () {
      return (yield preparedSql('config_prices', buildNewestPricesSql("WHERE source = 'config'"))).map(toPrice);
    },
    findPrice: function* (version) {
      return (yield preparedSql('price', `SELECT ${PRICE_COLUMNS} FROM price_versions WHERE version = ?1`, version)).map(toPrice)[0];
    },
    addPrice: function* (price, audit) {
      const [added] = yield* addPrices(db, [price], audit);
      if (!added) throw new TypeError('writing a price returned no version');
      return added;
    },
    addPrices: (prices) => addPrices(db, prices),
    ...createNodePlans(db),
  }),
);

export function toSubscription(row: Row): SubscriptionRecord {
  return {
    id: readText(row.id),
    accountId: readText(row.account_id),
    plan: readText(row.plan),
    included: readInteger(row.included),
    // `as`: the table allows only these periods.
    period: readText(row.period) as SubscriptionRecord['period'],
    onExhaustion: row.on_exhaustion === 'stop' ? 'stop' : 'balance',
    priceList: readText(row.price_list),
    startsAt: readNumber(row.starts_at),
    endsAt: readNumberOrNull(row.ends_at),
    cancelledAt: readNumberOrNull(row.cancelled_at),
  };
}

export function toChargeRecord(row: Row): ChargeRecord {
  const usage = readTextOrNull(row.usage);
  return {
    requestId: readText(row.request_id),
    accountId: readText(row.account_id),
    keyId: readText(row.key_id),
    model: readText(row.model),
    operation: readText(row.operation),
    priceVersion: readNumber(row.price_version),
    multiplier: readNumber(row.multiplier),
    // `as`: the table allows only these states.
    state: readText(row.state) as ChargeState,
    source: readText(row.source),
    held: readInteger(row.held),
    charged: readInteger(row.charged),
    overrun: readInteger(row.overrun),
    // `as`: this request's settlement wrote the JSON from the same type.
    metered: usage === null ? null : (JSON.parse(usage) as MeteredUsage),
    isEstimated: readFlag(row.estimated),
    outcome: readTextOrNull(row.outcome),
    createdAt: readNumber(row.created_at),
    settledAt: readNumberOrNull(row.settled_at),
  };
}

function toPrice(row: Row): PriceVersion {
  return {
    version: readNumber(row.version),
    priceList: readText(row.price_list),
    model: readText(row.model),
    source: row.source === 'admin' ? 'admin' : 'config',
    prices: readText(row.prices),
    createdAt: readNumber(row.created_at),
  };
}
