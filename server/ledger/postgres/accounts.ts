/** Subscriptions of accounts on PostgreSQL: at most one runs at a time. */
import type { AuditEntry } from '../../storage/audit.ts';
import { integer, number, numberOrNull, type Row, text, textOrNull } from '../../storage/postgres/connections.ts';
import type { Postgres, Queries } from '../../storage/postgres/pool.ts';
import { batched, writeAudit } from '../../storage/postgres/statements.ts';
import { OF_OPERATORS } from '../../storage/tables.ts';
import { isAmount, MAX_AMOUNT } from '../charge.ts';
import {
  type AddSubscriptionResult,
  type Adjustment,
  type AdjustResult,
  type BalanceRecord,
  compareSubscription,
  compareTransfer,
  type SubscriptionRecord,
} from '../store.ts';
import { clampAmount } from './calls.ts';

const COLUMNS = 'id, account_id, plan, included, period, on_exhaustion, price_list, starts_at, ends_at, cancelled_at';
const ofAccount = { text: `SELECT ${COLUMNS} FROM subscriptions WHERE account_id = $1 ORDER BY starts_at, id` };
const one = { text: `SELECT ${COLUMNS} FROM subscriptions WHERE id = $1` };
/** One row for each account that is asked for, in their order. */
const running = {
  name: 'running_subscriptions',
  text: `
    SELECT s.* FROM unnest($1::TEXT[], $2::BIGINT[]) WITH ORDINALITY AS asked (account, at, place)
    LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM ruling_subscription(asked.account, asked.at)
      WHERE (ends_at IS NULL OR ends_at > asked.at) AND (cancelled_at IS NULL OR cancelled_at > asked.at)
    ) AS s ON TRUE
    ORDER BY asked.place`,
};
/** By the names of its columns: a row in their order would have to have as many as a newer version's table has. */
const addOne = {
  text: `
    SELECT came_to, other FROM add_subscription(jsonb_populate_record(NULL::subscriptions, jsonb_build_object(
      'id', $1::TEXT, 'account_id', $2::TEXT, 'plan', $3::TEXT, 'included', $4::BIGINT, 'period', $5::TEXT, 'on_exhaustion', $6::TEXT,
      'price_list', $7::TEXT, 'starts_at', $8::BIGINT, 'ends_at', $9::BIGINT, 'cancelled_at', $10::BIGINT
    )))`,
};
const cancel = {
  text: 'UPDATE subscriptions SET cancelled_at = $1 WHERE id = $2 AND cancelled_at IS NULL AND (ends_at IS NULL OR ends_at > $1) RETURNING id',
};

export function openSubscriptions(postgres: Postgres) {
  /** Every paid call asks. */
  const active = batched(postgres, {
    async send(asked: readonly { readonly accountId: string; readonly at: number }[]) {
      const rows = await postgres.query(running, [asked.map(({ accountId }) => accountId), asked.map(({ at }) => at)]);
      return rows.map((row) => (row.id === null ? undefined : asSubscription(row)));
    },
  });
  return {
    activeSubscription: (accountId: string, at: number): Promise<SubscriptionRecord | undefined> => active({ accountId, at }),
    listSubscriptions: async (accountId: string): Promise<readonly SubscriptionRecord[]> =>
      (await postgres.query(ofAccount, [accountId])).map(asSubscription),
    addSubscription: (record: SubscriptionRecord, audit?: AuditEntry): Promise<AddSubscriptionResult> =>
      postgres.transaction('write', async (queries) => {
        const result = await add(queries, record);
        if (audit && result.kind === 'added') await writeAudit(queries, audit);
        return result;
      }),
    /** False when there is none, or when it has ended. */
    cancelSubscription: (id: string, at: number, audit?: AuditEntry): Promise<boolean> =>
      postgres.transaction('write', async (queries) => {
        const isCancelled = (await queries.query(cancel, [at, id])).length > 0;
        if (audit && isCancelled) await writeAudit(queries, audit);
        return isCancelled;
      }),
  };
}

async function add(queries: Queries, record: SubscriptionRecord): Promise<AddSubscriptionResult> {
  const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt } = record;
  if (!isAmount(included)) return { kind: 'too_much' };
  const values = [id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt, cancelledAt];
  const [row = {}] = await queries.query(addOne, values);
  const other = textOrNull(row.other);
  // The function knows no other words.
  const cameTo = text(row.came_to) as Exclude<AddSubscriptionResult['kind'], 'too_much' | 'mismatch'>;
  // Sold terms are never changed or removed.
  const [added] = cameTo === 'repeated' ? await queries.query(one, [id]) : [];
  if (added) return compareSubscription(record, asSubscription(added));
  return cameTo === 'overlaps' ? { kind: cameTo, id: other ?? '' } : { kind: cameTo };
}

function asSubscription(row: Row): SubscriptionRecord {
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

/** The account decides whether there is a balance; without a row it is zero. */
const balanceOf = {
  name: 'balance',
  text: `
    SELECT coalesce(balance, 0) AS balance, coalesce(held, 0) AS held
    FROM accounts LEFT JOIN balances ON balances.account_id = accounts.id WHERE accounts.id = $1`,
};
/** Entries are never changed, so it can be looked at after the step that found it. */
const named = {
  text: `SELECT kind, book, amount FROM entries WHERE transfer = $1 AND ${OF_OPERATORS} AND book <> 'funding'`,
};
const adjustBalance = { text: 'SELECT came_to, balance, held FROM adjust_balance($1, $2, $3, $4, $5, $6, $7)' };

export function openBalances(postgres: Postgres) {
  return {
    async balance(accountId: string): Promise<BalanceRecord | undefined> {
      const [row] = await postgres.query(balanceOf, [accountId]);
      return row && asBalance(row);
    },
    adjust: (adjustment: Adjustment, audit?: AuditEntry): Promise<AdjustResult> =>
      postgres.transaction('write', async (queries) => {
        const result = await adjust(queries, adjustment);
        if (audit && result.kind === 'adjusted') await writeAudit(queries, audit);
        return result;
      }),
  };
}

/** A part of what a transaction does. */
export async function adjust(queries: Queries, adjustment: Adjustment): Promise<AdjustResult> {
  const { accountId, transfer, kind, amount, note, at } = adjustment;
  const [row = {}] = await queries.query(adjustBalance, [accountId, transfer, kind, clampAmount(amount), note, at, MAX_AMOUNT]);
  // The function knows no other words.
  const cameTo = text(row.came_to) as Exclude<AdjustResult['kind'], 'mismatch'>;
  if (cameTo === 'unknown_account') return { kind: cameTo };
  const balance = asBalance(row);
  if (cameTo === 'refused') return { kind: cameTo, available: balance.balance - balance.held };
  const [booked] = cameTo === 'repeated' ? await queries.query(named, [transfer]) : [];
  return booked ? compareTransfer(adjustment, asEntry(booked), balance) : { kind: cameTo, ...balance };
}

const asEntry = (row: Row) => ({ kind: text(row.kind), book: text(row.book), amount: integer(row.amount) });
const asBalance = (row: Row): BalanceRecord => ({ balance: integer(row.balance), held: integer(row.held) });
