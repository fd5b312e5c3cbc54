/** Subscriptions of accounts: at most one runs at a time, and the one that began last rules what happens when it is used up or has ended. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type Audited, openAudit } from '../../storage/audit.ts';
import { isAmount } from '../charge.ts';
import { type AddSubscriptionResult, compareSubscription, type NewPrice, type PriceVersion, type SubscriptionRecord } from '../store.ts';

export const SUBSCRIPTION_COLUMNS = 'id, account_id, plan, included, period, on_exhaustion, price_list, starts_at, ends_at, cancelled_at';

/** Whether it ever ran: one that was cancelled before it began has no effect. */
const HAS_RUN = '(ends_at IS NULL OR ends_at > starts_at) AND (cancelled_at IS NULL OR cancelled_at > starts_at)';

/** The last subscription that had begun, over or not. Takes the account and the time. */
export const rulingSubscription = `
  SELECT id FROM subscriptions WHERE account_id = ? AND starts_at <= ? AND ${HAS_RUN} ORDER BY starts_at DESC LIMIT 1`;

export interface Cancellation extends Audited {
  readonly id: string;
  readonly at: number;
}

export function openSubscriptionSteps(connection: DatabaseSync) {
  const account = prepare(connection, 'SELECT 1 FROM accounts WHERE id = ?');
  const same = prepare(connection, `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE id = ?`);
  const others = prepare(
    connection,
    `SELECT id FROM subscriptions
     WHERE account_id = ? AND ${HAS_RUN} AND (? IS NULL OR starts_at < ?) AND (ends_at IS NULL OR ends_at > ?) AND (cancelled_at IS NULL OR cancelled_at > ?)
     ORDER BY starts_at LIMIT 1`,
  );
  const insert = prepare(connection, `INSERT INTO subscriptions (${SUBSCRIPTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const cancel = prepare(
    connection,
    'UPDATE subscriptions SET cancelled_at = ? WHERE id = ? AND cancelled_at IS NULL AND (ends_at IS NULL OR ends_at > ?)',
  );
  const writeAudit = openAudit(connection);
  return {
    addSubscription: ({ audit, ...record }: SubscriptionRecord & Audited): AddSubscriptionResult => {
      const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt } = record;
      if (!isAmount(included)) return { kind: 'too_much' };
      if (!account.get(accountId)) return { kind: 'unknown_account' };
      const added = same.get(id);
      if (added) return compareSubscription(record, asSubscription(added));
      const other = others.get(accountId, endsAt, endsAt, startsAt, startsAt);
      if (other) return { kind: 'overlaps', id: text(other.id) };
      insert.run(id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt);
      if (audit) writeAudit(audit);
      return { kind: 'added' };
    },
    /** False when there is none, or when it has ended. */
    cancelSubscription: ({ id, at, audit }: Cancellation): boolean => {
      if (cancel.run(at, id, at).changes !== 1n) return false;
      if (audit) writeAudit(audit);
      return true;
    },
  };
}

export function openSubscriptionReads(connection: DatabaseSync) {
  const ofAccount = prepare(connection, `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE account_id = ? ORDER BY starts_at, id`);
  const running = prepare(
    connection,
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE id = (${rulingSubscription})
       AND (ends_at IS NULL OR ends_at > ?) AND (cancelled_at IS NULL OR cancelled_at > ?)`,
  );
  return {
    listSubscriptions: (accountId: string): readonly SubscriptionRecord[] => ofAccount.all(accountId).map(asSubscription),
    activeSubscription: (accountId: string, at: number): SubscriptionRecord | undefined => {
      const row = running.get(accountId, at, at, at);
      return row && asSubscription(row);
    },
  };
}

export function asSubscription(row: Row): SubscriptionRecord {
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

const COLUMNS = 'version, price_list, model, source, prices, created_at';

export function openPriceSteps(connection: DatabaseSync) {
  const insert = prepare(
    connection,
    `INSERT INTO price_versions (price_list, model, source, prices, created_at) VALUES (?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const writeAudit = openAudit(connection);
  const addPrice = ({ priceList, model, source, prices, createdAt, audit }: NewPrice & Audited): PriceVersion => {
    const added = asPrice(insert.get(priceList, model, source, prices, createdAt) ?? {});
    if (audit) writeAudit({ ...audit, details: { version: added.version, ...audit.details } });
    return added;
  };
  return { addPrice, addPrices: (prices: readonly NewPrice[]): readonly PriceVersion[] => prices.map((price) => addPrice(price)) };
}

export function openPriceReads(connection: DatabaseSync) {
  const one = prepare(connection, `SELECT ${COLUMNS} FROM price_versions WHERE version = ?`);
  const newest = (which: string) =>
    prepare(
      connection,
      `SELECT ${COLUMNS} FROM price_versions
       WHERE version IN (SELECT max(version) FROM price_versions ${which} GROUP BY price_list, model) ORDER BY price_list, model`,
    );
  const latest = newest('');
  const configured = newest("WHERE source = 'config'");
  return {
    findPrice: (version: number): PriceVersion | undefined => {
      const row = one.get(version);
      return row && asPrice(row);
    },
    latestPrices: (): readonly PriceVersion[] => latest.all().map(asPrice),
    latestConfigPrices: (): readonly PriceVersion[] => configured.all().map(asPrice),
  };
}

function asPrice(row: Row): PriceVersion {
  return {
    version: number(row.version),
    priceList: text(row.price_list),
    model: text(row.model),
    source: row.source === 'admin' ? 'admin' : 'config',
    prices: text(row.prices),
    createdAt: number(row.created_at),
  };
}

export type Row = Readonly<Record<string, SQLOutputValue>>;

export function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** The tables are STRICT: a column of another type is a mistake of the statement. */
export function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  return value === null ? null : text(value);
}

export function integer(value: SQLOutputValue | undefined): bigint {
  if (typeof value !== 'bigint') throw new TypeError('an integer column holds no integer');
  return value;
}

/** Times and counts, which stay far below 2^53. */
export function number(value: SQLOutputValue | undefined): number {
  return Number(integer(value));
}

export function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value === null ? null : number(value);
}
