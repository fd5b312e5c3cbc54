/** The ledger on the embedded database: a thread runs the steps that write, reads run here (promises G1 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Audited, openAudit } from '../storage/audit.ts';
import type { StepRunner } from '../storage/sqlite/database.ts';
import { OF_OPERATORS } from '../storage/tables.ts';
import { isAmount } from './charge.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { openRecentSubscriptions } from './price-book.ts';
import {
  type Cancellation,
  integer,
  number,
  numberOrNull,
  openPriceReads,
  openPriceSteps,
  openSubscriptionReads,
  openSubscriptionSteps,
  prepare,
  type Row,
  text,
  textOrNull,
} from './sqlite/accounts.ts';
import { type Heartbeat, type Leaving, openNodeSteps, reconcile, type Sweep } from './sqlite/books.ts';
import { books, openAllowanceReads, openDryRun, openEntries, openReserve, openSettleSteps, type Voiding } from './sqlite/settlement.ts';
import {
  type AddSubscriptionResult,
  type Adjustment,
  type AdjustResult,
  type BalanceRecord,
  type ChargeQuery,
  type ChargeRecord,
  type ChargeState,
  compareTransfer,
  type HoldOrder,
  type HoldResult,
  type KeptAttempt,
  type LedgerStore,
  type Metered,
  type NewPrice,
  type Orphan,
  type Posting,
  type PriceVersion,
  type Reconciliation,
  type SettleResult,
  type SubscriptionRecord,
} from './store.ts';

interface SqliteLedgerOptions {
  /** For reads: it sees committed data and waits for no writer. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<LedgerSteps>, 'run'>;
  /** Counts this process's requests that hold money. */
  readonly inFlight?: InFlightCalls;
}

export function openSqliteLedger({ connection, steps, inFlight = { count: 0 } }: SqliteLedgerOptions): LedgerStore {
  const { balance } = openBalanceReads(connection);
  const { allowance } = openAllowanceReads(connection);
  const { findCharge, listAttempts, listCharges } = openChargeReads(connection);
  const { activeSubscription, listSubscriptions } = openSubscriptionReads(connection);
  const recent = openRecentSubscriptions(activeSubscription);
  const { findPrice, latestPrices, latestConfigPrices } = openPriceReads(connection);
  const moves: Pick<LedgerStore, 'reserve' | 'post' | 'void'> = {
    reserve: (order) => steps.run('reserve', order),
    post: (posting) => steps.run('post', posting),
    void: (requestId, at, outcome, attempts) => steps.run('void', { requestId, at, outcome, attempts }),
  };
  return {
    ...countInFlight(inFlight, moves),
    // Few ask, and each of them a person.
    dryRunHold: async (order) => openDryRun(connection)(order),
    // All processes on one file are on one machine, with one clock.
    async heartbeat(node, at = Date.now(), report) {
      await steps.run('heartbeat', { node, at, report });
      return at;
    },
    async *sweep(node, at, deadBefore) {
      yield await steps.run('sweep', { node, at, deadBefore });
    },
    async *leave(node, at) {
      yield await steps.run('leave', { node, at });
    },
    adjust: (adjustment, audit) => steps.run('adjust', { ...adjustment, audit }),
    addSubscription: (record, audit) => steps.run('addSubscription', { ...record, audit }).finally(recent.forget),
    cancelSubscription: (id, at, audit) => steps.run('cancelSubscription', { id, at, audit }).finally(recent.forget),
    addPrice: (price, audit) => steps.run('addPrice', { ...price, audit }),
    addPrices: (prices) => steps.run('addPrices', prices),
    balance: async (accountId) => balance(accountId),
    findCharge: async (requestId) => findCharge(requestId),
    listAttempts: async (requestId) => listAttempts(requestId),
    listCharges: async (query) => listCharges(query),
    activeSubscription: recent.find,
    listSubscriptions: async (accountId) => listSubscriptions(accountId),
    allowance: async (owner, period, at) => allowance(owner, period, at),
    findPrice: async (version) => findPrice(version),
    latestPrices: async () => latestPrices(),
    latestConfigPrices: async () => latestConfigPrices(),
    reconcile: () => reconcileApart(connection),
  };
}

const COLUMNS = `request_id, account_id, key_id, model, operation, price_version, multiplier, state, source, held, charged, overrun,
  usage, estimated, outcome, created_at, settled_at`;

function openChargeReads(connection: DatabaseSync) {
  const one = prepare(connection, `SELECT ${COLUMNS} FROM charges WHERE request_id = ?`);
  const place = prepare(connection, 'SELECT created_at FROM charges WHERE request_id = ? AND account_id = ?');
  const page = prepare(
    connection,
    `SELECT ${COLUMNS} FROM charges
     WHERE account_id = ? AND created_at >= ? AND created_at < ? AND (? IS NULL OR key_id = ?) AND (? IS NULL OR (created_at, request_id) < (?, ?))
     ORDER BY created_at DESC, request_id DESC LIMIT ?`,
  );
  const attempts = prepare(connection, 'SELECT attempts FROM attempts WHERE request_id = ?');
  return {
    listAttempts: (requestId: string): readonly KeptAttempt[] => {
      const row = attempts.get(requestId);
      // Written with the settlement of this request, from the same type.
      return row ? (JSON.parse(text(row.attempts)) as KeptAttempt[]) : [];
    },
    findCharge: (requestId: string): ChargeRecord | undefined => {
      const row = one.get(requestId);
      return row && asCharge(row);
    },
    listCharges: (query: ChargeQuery): readonly ChargeRecord[] => {
      const { accountId, keyId = null, from = 0, to = Number.MAX_SAFE_INTEGER, limit, after = null } = query;
      const start = after === null ? null : place.get(after, accountId)?.created_at;
      // The id of another account counts as unknown: the page after it is empty.
      if (start === undefined) return [];
      return page.all(accountId, from, to, keyId, keyId, after, start, after, limit).map(asCharge);
    },
  };
}

function asCharge(row: Row): ChargeRecord {
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
    isEstimated: row.estimated === 1n,
    outcome: textOrNull(row.outcome),
    createdAt: number(row.created_at),
    settledAt: numberOrNull(row.settled_at),
  };
}

/** The account decides whether there is a balance; without a row it is zero. */
const BALANCE_SQL = `
  SELECT coalesce(balance, 0) AS balance, coalesce(held, 0) AS held
  FROM accounts LEFT JOIN balances ON balances.account_id = accounts.id WHERE accounts.id = ?`;

function openBalanceReads(connection: DatabaseSync) {
  const one = prepare(connection, BALANCE_SQL);
  return {
    balance: (accountId: string): BalanceRecord | undefined => asBalance(one.get(accountId)),
  };
}

export function openBalanceSteps(connection: DatabaseSync) {
  const { balance: balanceOf } = openBalanceReads(connection);
  const named = prepare(
    connection,
    `SELECT kind, book, amount FROM entries WHERE transfer = ? AND ${OF_OPERATORS} AND book <> '${books.funding}'`,
  );
  const add = prepare(
    connection,
    'INSERT INTO balances (account_id, balance) VALUES (?, ?) ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance',
  );
  const write = openEntries(connection);
  const writeAudit = openAudit(connection);
  return {
    adjust: (adjustment: Adjustment & Audited): AdjustResult => {
      const { accountId, transfer, kind, amount, note, at, audit } = adjustment;
      const before = balanceOf(accountId);
      if (!before) return { kind: 'unknown_account' };
      const booked = named.get(transfer);
      if (booked) return compareTransfer(adjustment, asEntry(booked), before);
      const { held } = before;
      const balance = before.balance + amount;
      // Neither below the held amount nor above what can be added without overflow.
      if (balance < held || !isAmount(balance)) return { kind: 'refused', available: before.balance - held };
      add.run(accountId, balance);
      write({ transfer, kind, from: books.funding, to: books.account(accountId), amount, note, at });
      if (audit) writeAudit(audit);
      return { kind: 'adjusted', balance, held };
    },
  };
}

const asEntry = (row: Row) => ({ kind: text(row.kind), book: text(row.book), amount: integer(row.amount) });

function asBalance(row: Row | undefined): BalanceRecord | undefined {
  return row && { balance: integer(row.balance), held: integer(row.held) };
}

/** A refusal is a return value and changes nothing; an error is an error of the database. No step begins or ends a transaction. */
// A type, since an interface would be no record of steps.
export type LedgerSteps = {
  readonly reserve: (order: HoldOrder) => HoldResult;
  readonly post: (posting: Posting) => SettleResult;
  readonly void: (voiding: Voiding) => SettleResult;
  readonly heartbeat: (heartbeat: Heartbeat) => void;
  readonly sweep: (sweep: Sweep) => readonly Orphan[];
  readonly leave: (leaving: Leaving) => readonly Orphan[];
  readonly adjust: (adjustment: Adjustment & Audited) => AdjustResult;
  readonly addSubscription: (record: SubscriptionRecord & Audited) => AddSubscriptionResult;
  readonly cancelSubscription: (cancellation: Cancellation) => boolean;
  readonly addPrice: (price: NewPrice & Audited) => PriceVersion;
  readonly addPrices: (prices: readonly NewPrice[]) => readonly PriceVersion[];
};

export function openLedgerSteps(connection: DatabaseSync): LedgerSteps {
  const { expire, ...settle } = openSettleSteps(connection);
  return {
    reserve: openReserve(connection),
    ...settle,
    ...openNodeSteps(connection, expire),
    ...openBalanceSteps(connection),
    ...openSubscriptionSteps(connection),
    ...openPriceSteps(connection),
  };
}

function reconcileApart(connection: DatabaseSync): Promise<Reconciliation> {
  const file = connection.location();
  // A database in memory cannot be seen from another thread.
  return file === null ? new Promise((resolve) => resolve(reconcile(connection))) : reconcileFile(file);
}

function reconcileFile(file: string): Promise<Reconciliation> {
  return new Promise((resolve, reject) => {
    // Options of this process may be none that a thread knows. Node 22 calls its SQLite experimental in every thread.
    const options = { workerData: file, execArgv: ['--disable-warning=ExperimentalWarning'] };
    const worker = new Worker(new URL('./sqlite/reconcile-worker.ts', import.meta.url), options);
    worker.once('message', (found: Reconciliation) => resolve(found));
    worker.once('error', reject);
    // After a message this has no effect.
    worker.once('exit', () => reject(new Error('the thread that reconciles ended without a word')));
  });
}
