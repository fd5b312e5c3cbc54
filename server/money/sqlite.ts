/** The ledger on SQLite: a thread runs the steps that write, and the event loop runs those that read (promises G1 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { createRunner, type Plan, preparedSql } from '../store/plan.ts';
import { readFlag, readInteger, readText } from '../store/rows.ts';
import type { StepRunner, Steps } from '../store/sqlite/database.ts';
import type { Fund } from './decide-hold.ts';
import { buildCanClaimSql, buildIsFreeSql } from './idempotency.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import {
  BALANCE_SOURCE,
  LedgerBatch,
  listCapFunds,
  type NewCharge,
  type SettledClosing,
  type Transfer,
  toPlanFund,
} from './ledger-batch.ts';
import {
  ADD_CHARGE_CAP,
  assembleLedger,
  CHARGE_FACTS,
  CURRENT_SUBSCRIPTION_SQL,
  type Expiry,
  ledgerStoreDefinition,
  toCharge,
  toFund,
  toSubscription,
} from './plans.ts';
import { type ReconcileOptions, reconcile } from './reconcile.ts';
import { type Charge, type Closing, toClosing, toExpiredClosing, toOrphan, toVoidClosing } from './settle-charge.ts';
import type { HoldOrder, HoldResult, LedgerStore, Orphan, Posting, Reconciliation, SettleResult, SubscriptionRecord } from './store.ts';

interface SqliteLedgerOptions {
  /** Connection for reads. It sees committed data and doesn't wait for writers. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<LedgerSteps>, 'run'>;
  /** Counts this process's requests that hold money. */
  readonly inFlight?: InFlightCalls;
}

/** The ledger's money steps. The store's other steps are named after its methods. Steps never begin or end a transaction. */
export type LedgerSteps = Steps & {
  readonly reserve: (order: HoldOrder) => HoldResult;
  readonly post: (posting: Posting) => SettleResult;
  readonly void: (args: Parameters<LedgerStore['void']>) => SettleResult;
  readonly expire: (expiry: Expiry) => readonly Orphan[];
};

export function openLedgerSteps(connection: DatabaseSync): LedgerSteps {
  const run = createRunner(connection);
  return {
    ...ledgerStoreDefinition.steps(connection),
    reserve: (order) => run(reserve(order)),
    post: (posting) => run(closeCharge(toClosing(posting))),
    void: (args) => run(closeCharge(toVoidClosing(...args))),
    expire: ({ ids, at }) => run(expire(ids, at)),
  };
}

export function openSqliteLedger({ connection, steps, inFlight = { count: 0 } }: SqliteLedgerOptions): LedgerStore {
  const run = createRunner(connection);
  return assembleLedger(ledgerStoreDefinition.onSqlite({ connection, steps }), {
    ...countInFlight(inFlight, {
      reserve: (order) => steps.run('reserve', order),
      post: (posting) => steps.run('post', posting),
      void: (...args) => steps.run('void', args),
    }),
    dryRunHold: async (order) => run(reserve(order, { isDryRun: true })),
    expire: (expiry) => steps.run('expire', expiry),
    reconcile: (extent) => reconcileInThread(connection, extent),
  });
}

/** Reads the facts for most decisions in one query. An account without a balance row has 0. */
const READ_HOLD_FACTS = `
  SELECT
    EXISTS (SELECT 1 FROM charges WHERE request_id = ?1) AS is_known,
    coalesce((SELECT balance - held FROM balances WHERE account_id = ?2), 0) AS free,
    coalesce((SELECT held FROM balances WHERE account_id = ?2), 0) AS held,
    EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ?2) AS has_plan`;
const READ_ALLOWANCE = 'SELECT used + held AS taken, held FROM allowances WHERE owner = ?1 AND period_start = ?2';
const ADD_HOLD = `
  INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, node,
    source, source_period, cap_owner, cap_period, held, created_at, state)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 'held')`;
const HOLD_ALLOWANCE = `
  INSERT INTO allowances (owner, period_start, held) VALUES (?1, ?2, ?3)
  ON CONFLICT (owner, period_start) DO UPDATE SET held = held + excluded.held`;
const MOVE_BALANCE = 'UPDATE balances SET balance = balance - ?2, held = held + ?3 WHERE account_id = ?1';
const MOVE_ALLOWANCE = 'UPDATE allowances SET used = used + ?3, held = held + ?4 WHERE owner = ?1 AND period_start = ?2';
const END_CHARGE = `
  UPDATE charges SET state = ?2, charged = ?3, overrun = ?4, usage = ?5, estimated = ?6, outcome = ?7, settled_at = ?8 WHERE request_id = ?1`;
const ADD_TRANSFER = `
  INSERT INTO entries (transfer, kind, book, amount, note, created_at) VALUES (?1, ?2, ?3, -?4, ?5, ?6), (?1, ?2, 'revenue', ?4, ?5, ?6)`;

const FIND_TAKEN_KEY = `SELECT 1 FROM idempotency AS i WHERE account_id = ?1 AND idempotency_key = ?2 AND NOT ${buildCanClaimSql('i', '?3')}`;
const CLAIM_KEY = `
  INSERT INTO idempotency (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (account_id, idempotency_key) DO UPDATE
    SET fingerprint = excluded.fingerprint, request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at`;
const FIND_RECLAIMED_KEY = `
  SELECT 1 FROM idempotency AS i WHERE account_id = ?1 AND idempotency_key = ?2 AND request_id <> ?3 AND NOT (${buildIsFreeSql('i')})`;
/** A late charge takes its key back from a call without a result. */
const SAVE_RESULT = `
  UPDATE idempotency AS i SET request_id = ?3, content_type = coalesce(?4, content_type), answer = coalesce(?5, answer)
  WHERE account_id = ?1 AND idempotency_key = ?2 AND (request_id = ?3 OR ${buildIsFreeSql('i')})`;

function* reserve(order: HoldOrder, { isDryRun = false } = {}): Plan<HoldResult> {
  const { requestId, accountId, at, claim } = order;
  const isKeyTaken = claim && (yield preparedSql('is_taken', FIND_TAKEN_KEY, accountId, claim.key, claim.fingerprint)).length > 0;
  const [facts = {}] = yield preparedSql('look', READ_HOLD_FACTS, requestId, accountId);
  const batch = new LedgerBatch();
  batch.set({ owner: accountId, start: null }, readInteger(facts.free), readInteger(facts.held));
  for (const fund of listCapFunds(order)) yield* readAllowance(batch, fund);
  const subscription = readFlag(facts.has_plan) ? yield* readCurrentPlan(batch, accountId, at) : null;
  const result = batch.reserve(order, { isKnown: readFlag(facts.is_known), isTaken: isKeyTaken, plan: subscription });
  if (!isDryRun) for (const hold of batch.holds) yield* writeHold(hold);
  return result;
}

function* readCurrentPlan(batch: LedgerBatch, accountId: string, at: number): Plan<SubscriptionRecord | null> {
  const [row] = yield preparedSql('ruling', CURRENT_SUBSCRIPTION_SQL, accountId, at);
  if (!row) return null;
  const plan = toSubscription(row);
  yield* readAllowance(batch, toPlanFund(plan, at));
  return plan;
}

function* readAllowance(batch: LedgerBatch, fund: Fund): Plan<void> {
  const [used] = yield preparedSql('allowance', READ_ALLOWANCE, fund.owner, fund.start);
  if (used) batch.set(fund, -readInteger(used.taken), readInteger(used.held));
}

function* writeHold({ order, source, caps, amount }: NewCharge): Plan<void> {
  const { requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, at, claim } = order;
  const [cap, ...furtherCaps] = caps;
  const fundValues = [source.start === null ? BALANCE_SOURCE : source.owner, source.start, cap?.owner ?? null, cap?.start ?? null];
  yield preparedSql(
    'hold',
    ADD_HOLD,
    requestId,
    accountId,
    keyId,
    model,
    operation,
    priceVersion,
    multiplier,
    node,
    ...fundValues,
    amount,
    at,
  );
  for (const { owner, start } of furtherCaps) yield preparedSql('further_cap', ADD_CHARGE_CAP, requestId, owner, start);
  for (const { owner, start } of [source, ...caps])
    yield start === null
      ? preparedSql('move', MOVE_BALANCE, owner, 0n, amount)
      : preparedSql('allow', HOLD_ALLOWANCE, owner, start, amount);
  if (claim) yield preparedSql('claim', CLAIM_KEY, accountId, claim.key, claim.fingerprint, requestId, node, at);
}

function* closeCharge(closing: Closing): Plan<SettleResult> {
  return (yield* closeAndGetCharge(closing)).result;
}

function* closeAndGetCharge(closing: Closing): Plan<{ readonly result: SettleResult; readonly charge: Charge | undefined }> {
  const { requestId, state, key } = closing;
  const [row] = yield preparedSql('charge_facts', `${CHARGE_FACTS} WHERE c.request_id = ?1`, requestId);
  const isLate = row?.state === 'expired' && state === 'posted';
  const hasKey =
    isLate &&
    key !== undefined &&
    (yield preparedSql('other_has_key', FIND_RECLAIMED_KEY, readText(row.account_id), key, requestId)).length === 0;
  const batch = new LedgerBatch();
  const charge = row && toCharge(row, { hasKey, furtherCaps: row.cap_owner === null ? [] : yield* readFurtherCaps(requestId) });
  if (row && charge && isLate) batch.set(charge.source, readInteger(row.free), 0n);
  const result = batch.close(charge, closing);
  for (const settledClosing of batch.ended) yield* writeEnd(settledClosing);
  for (const { owner, start, spent, held } of batch.fundChanges)
    yield start === null
      ? preparedSql('move', MOVE_BALANCE, owner, spent, held)
      : preparedSql('settle', MOVE_ALLOWANCE, owner, start, spent, held);
  for (const transfer of batch.transfers) yield writeTransfer(transfer);
  for (const { keep } of batch.ended)
    if (charge && key !== undefined && (keep || isLate))
      yield preparedSql('keep', SAVE_RESULT, charge.accountId, key, requestId, keep?.contentType ?? null, keep?.bytes ?? null);
  return { result, charge };
}

function* readFurtherCaps(requestId: string): Plan<readonly Fund[]> {
  return (yield preparedSql('further_caps', 'SELECT owner, period_start FROM charge_caps WHERE request_id = ?1', requestId)).map(toFund);
}

function* writeEnd({ requestId, state, charged, overrun, usage, isEstimated, outcome, at, attempts }: SettledClosing): Plan<void> {
  yield preparedSql('end', END_CHARGE, requestId, state, charged, overrun, usage, isEstimated, outcome, at);
  if (attempts)
    yield preparedSql('attempts', 'INSERT INTO attempts (request_id, attempts) VALUES (?1, ?2)', requestId, JSON.stringify(attempts));
}

const writeTransfer = ({ transfer, kind, from, amount, note, at }: Transfer) =>
  preparedSql('transfer', ADD_TRANSFER, transfer, kind, from, amount, note, at);

function* expire(ids: readonly string[], at: number): Plan<readonly Orphan[]> {
  const orphans: Orphan[] = [];
  for (const requestId of ids) {
    const { result, charge } = yield* closeAndGetCharge(toExpiredClosing(requestId, at));
    if (charge && result.kind === 'settled') orphans.push(toOrphan(charge));
  }
  return orphans;
}

async function reconcileInThread(connection: DatabaseSync, options: ReconcileOptions = {}): Promise<Reconciliation> {
  const file = connection.location();
  // An in-memory database isn't visible from another thread.
  return file === null ? reconcile(connection, options) : await reconcileFile({ file, extent: options });
}

function reconcileFile(workerData: { readonly file: string; readonly extent: ReconcileOptions }): Promise<Reconciliation> {
  return new Promise((resolve, reject) => {
    // Passes no options of this process, because a thread may not support them. In Node 22, every thread warns that SQLite is
    // experimental.
    const options = { workerData, execArgv: ['--disable-warning=ExperimentalWarning'] };
    const worker = new Worker(new URL('./reconcile-worker.ts', import.meta.url), options);
    worker.once('message', (found: Reconciliation) => resolve(found));
    worker.once('error', reject);
    // No effect after a message.
    worker.once('exit', () => reject(new Error('the reconciliation thread exited without a result')));
  });
}
