/** The ledger on the embedded database: a thread runs the steps that write, reads run here (promises G1 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { hot, type Plan, runnerOn } from '../storage/plan.ts';
import { flag, integer, text } from '../storage/rows.ts';
import type { StepRunner, Steps } from '../storage/sqlite/database.ts';
import {
  BALANCE,
  type Charge,
  type Closing,
  capOf,
  type Ended,
  expiring,
  type Hold,
  planOf,
  postingOf,
  Sheet,
  type Transfer,
  toOrphan,
  voiding,
} from './decide.ts';
import { isFree } from './idempotency.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { assembleLedger, CHARGE_FACTS, type Expiry, ledgerRoom, RULING, toCharge, toSubscription } from './plans.ts';
import { type Extent, reconcile } from './reconcile.ts';
import type { HoldOrder, HoldResult, LedgerStore, Orphan, Posting, Reconciliation, SettleResult, SubscriptionRecord } from './store.ts';

interface SqliteLedgerOptions {
  /** Connection for reads. It sees committed data and doesn't wait for writers. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<LedgerSteps>, 'run'>;
  /** Counts this process's requests that hold money. */
  readonly inFlight?: InFlightCalls;
}

/** The steps of money; those of the room alongside them go by the names of its methods. None begins or ends a transaction. */
export type LedgerSteps = Steps & {
  readonly reserve: (order: HoldOrder) => HoldResult;
  readonly post: (posting: Posting) => SettleResult;
  readonly void: (args: Parameters<LedgerStore['void']>) => SettleResult;
  readonly expire: (expiry: Expiry) => readonly Orphan[];
};

export function openLedgerSteps(connection: DatabaseSync): LedgerSteps {
  const run = runnerOn(connection);
  return {
    ...ledgerRoom.steps(connection),
    reserve: (order) => run(reserve(order)),
    post: (posting) => run(close(postingOf(posting))),
    void: (args) => run(close(voiding(...args))),
    expire: ({ ids, at }) => run(expire(ids, at)),
  };
}

export function openSqliteLedger({ connection, steps, inFlight = { count: 0 } }: SqliteLedgerOptions): LedgerStore {
  const run = runnerOn(connection);
  return assembleLedger(ledgerRoom.onSqlite({ connection, steps }), {
    ...countInFlight(inFlight, {
      reserve: (order) => steps.run('reserve', order),
      post: (posting) => steps.run('post', posting),
      void: (...args) => steps.run('void', args),
    }),
    dryRunHold: async (order) => run(reserve(order, { isDryRun: true })),
    expire: (expiry) => steps.run('expire', expiry),
    reconcile: (extent) => reconcileApart(connection, extent),
  });
}

/** What most decisions need, in one read; an account without a balance row has 0. */
const LOOK = `
  SELECT
    EXISTS (SELECT 1 FROM charges WHERE request_id = ?1) AS is_known,
    coalesce((SELECT balance - held FROM balances WHERE account_id = ?2), 0) AS free,
    coalesce((SELECT held FROM balances WHERE account_id = ?2), 0) AS held,
    EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ?2) AS has_plan,
    coalesce((SELECT used + held FROM allowances WHERE owner = ?3 AND period_start = ?4), 0) AS cap_taken,
    coalesce((SELECT held FROM allowances WHERE owner = ?3 AND period_start = ?4), 0) AS cap_held`;
const ALLOWANCE = 'SELECT used + held AS taken, held FROM allowances WHERE owner = ?1 AND period_start = ?2';
const HOLD = `
  INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, node,
    source, source_period, cap_owner, cap_period, held, created_at, state)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 'held')`;
const HOLD_ALLOWANCE = `
  INSERT INTO allowances (owner, period_start, held) VALUES (?1, ?2, ?3)
  ON CONFLICT (owner, period_start) DO UPDATE SET held = held + excluded.held`;
const MOVE_BALANCE = 'UPDATE balances SET balance = balance - ?2, held = held + ?3 WHERE account_id = ?1';
const MOVE_ALLOWANCE = 'UPDATE allowances SET used = used + ?3, held = held + ?4 WHERE owner = ?1 AND period_start = ?2';
const END = `
  UPDATE charges SET state = ?2, charged = ?3, overrun = ?4, usage = ?5, estimated = ?6, outcome = ?7, settled_at = ?8 WHERE request_id = ?1`;
const TRANSFER = `
  INSERT INTO entries (transfer, kind, book, amount, note, created_at) VALUES (?1, ?2, ?3, -?4, ?5, ?6), (?1, ?2, 'revenue', ?4, ?5, ?6)`;

const IS_TAKEN = `SELECT 1 FROM idempotency AS i WHERE account_id = ?1 AND idempotency_key = ?2 AND NOT (fingerprint = ?3 AND ${isFree('i')})`;
const CLAIM = `
  INSERT INTO idempotency (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (account_id, idempotency_key) DO UPDATE SET request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at`;
const OTHER_HAS_KEY = `
  SELECT 1 FROM idempotency AS i WHERE account_id = ?1 AND idempotency_key = ?2 AND request_id <> ?3 AND NOT (${isFree('i')})`;
/** One that is charged late takes its key back from a call that came to nothing. */
const KEEP = `
  UPDATE idempotency AS i SET request_id = ?3, content_type = coalesce(?4, content_type), answer = coalesce(?5, answer)
  WHERE account_id = ?1 AND idempotency_key = ?2 AND (request_id = ?3 OR ${isFree('i')})`;

function* reserve(order: HoldOrder, { isDryRun = false } = {}): Plan<HoldResult> {
  const { requestId, accountId, at, claim } = order;
  const cap = capOf(order);
  const isTaken = claim && (yield hot('is_taken', IS_TAKEN, accountId, claim.key, claim.fingerprint)).length > 0;
  const [facts = {}] = yield hot('look', LOOK, requestId, accountId, cap?.owner ?? null, cap?.start ?? null);
  const sheet = new Sheet();
  sheet.set({ owner: accountId, start: null }, integer(facts.free), integer(facts.held));
  if (cap) sheet.set(cap, -integer(facts.cap_taken), integer(facts.cap_held));
  const plan = flag(facts.has_plan) ? yield* rulingPlan(sheet, accountId, at) : null;
  const result = sheet.reserve(order, { isKnown: flag(facts.is_known), isTaken, plan });
  if (!isDryRun) for (const hold of sheet.holds) yield* write(hold);
  return result;
}

function* rulingPlan(sheet: Sheet, accountId: string, at: number): Plan<SubscriptionRecord | null> {
  const [row] = yield hot('ruling', RULING, accountId, at);
  if (!row) return null;
  const plan = toSubscription(row);
  const fund = planOf(plan, at);
  const [used] = yield hot('allowance', ALLOWANCE, fund.owner, fund.start);
  if (used) sheet.set(fund, -integer(used.taken), integer(used.held));
  return plan;
}

function* write({ order, source, cap, amount }: Hold): Plan<void> {
  const { requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, at, claim } = order;
  const places = [source.start === null ? BALANCE : source.owner, source.start, cap?.owner ?? null, cap?.start ?? null];
  yield hot('hold', HOLD, requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, ...places, amount, at);
  for (const { owner, start } of cap ? [source, cap] : [source])
    yield start === null ? hot('move', MOVE_BALANCE, owner, 0n, amount) : hot('allow', HOLD_ALLOWANCE, owner, start, amount);
  if (claim) yield hot('claim', CLAIM, accountId, claim.key, claim.fingerprint, requestId, node, at);
}

function* close(closing: Closing): Plan<SettleResult> {
  return (yield* closeOne(closing)).result;
}

function* closeOne(closing: Closing): Plan<{ readonly result: SettleResult; readonly charge: Charge | undefined }> {
  const { requestId, state, key } = closing;
  const [row] = yield hot('charge_facts', `${CHARGE_FACTS} WHERE c.request_id = ?1`, requestId);
  const isLate = row?.state === 'expired' && state === 'posted';
  const hasKey =
    isLate && key !== undefined && (yield hot('other_has_key', OTHER_HAS_KEY, text(row.account_id), key, requestId)).length === 0;
  const sheet = new Sheet();
  const charge = row && toCharge(row, hasKey);
  if (row && charge && isLate) sheet.set(charge.source, integer(row.free), 0n);
  const result = sheet.close(charge, closing);
  for (const ended of sheet.ended) yield* end(ended);
  for (const { owner, start, spent, held } of sheet.moves)
    yield start === null ? hot('move', MOVE_BALANCE, owner, spent, held) : hot('settle', MOVE_ALLOWANCE, owner, start, spent, held);
  for (const transfer of sheet.transfers) yield book(transfer);
  for (const { keep } of sheet.ended)
    if (charge && key !== undefined && (keep || isLate))
      yield hot('keep', KEEP, charge.accountId, key, requestId, keep?.contentType ?? null, keep?.bytes ?? null);
  return { result, charge };
}

function* end({ requestId, state, charged, overrun, usage, isEstimated, outcome, at, attempts }: Ended): Plan<void> {
  yield hot('end', END, requestId, state, charged, overrun, usage, isEstimated, outcome, at);
  if (attempts) yield hot('attempts', 'INSERT INTO attempts (request_id, attempts) VALUES (?1, ?2)', requestId, JSON.stringify(attempts));
}

const book = ({ transfer, kind, from, amount, note, at }: Transfer) => hot('transfer', TRANSFER, transfer, kind, from, amount, note, at);

function* expire(ids: readonly string[], at: number): Plan<readonly Orphan[]> {
  const orphans: Orphan[] = [];
  for (const requestId of ids) {
    const { result, charge } = yield* closeOne(expiring(requestId, at));
    if (charge && result.kind === 'settled') orphans.push(toOrphan(charge));
  }
  return orphans;
}

async function reconcileApart(connection: DatabaseSync, extent: Extent = {}): Promise<Reconciliation> {
  const file = connection.location();
  // A database in memory can't be seen from another thread.
  return file === null ? reconcile(connection, extent) : await reconcileFile({ file, extent });
}

function reconcileFile(workerData: { readonly file: string; readonly extent: Extent }): Promise<Reconciliation> {
  return new Promise((resolve, reject) => {
    // Options of this process may be none that a thread knows. Node 22 calls its SQLite experimental in every thread.
    const options = { workerData, execArgv: ['--disable-warning=ExperimentalWarning'] };
    const worker = new Worker(new URL('./reconcile-worker.ts', import.meta.url), options);
    worker.once('message', (found: Reconciliation) => resolve(found));
    worker.once('error', reject);
    // After a message this has no effect.
    worker.once('exit', () => reject(new Error('the reconciliation thread exited without a result')));
  });
}
