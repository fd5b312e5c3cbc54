/** Many steps in one transaction, and the messages between the event loop and the writing thread. */
import type { DatabaseSync } from 'node:sqlite';
import { isBusy, primaryCode, type Step, type Steps } from './database.ts';

/** Names and arguments alternate: a flat list is the cheapest to clone. `null` instead of a batch tells the thread to end. */
export type Batch = readonly unknown[];

/** A batch with memory that was transferred without a copy. */
export interface BatchWithMemory {
  readonly steps: Batch;
  readonly given: readonly ArrayBuffer[];
}

export interface Failure {
  /** The index of the step in the batch. */
  readonly at: number;
  /** Whether the step itself failed or the store: a full disk, a lock, a broken file. */
  readonly kind: 'step' | 'store';
  readonly message: string;
  readonly code?: string;
  readonly errcode?: number;
  readonly stack?: string;
}

/** The first message of the thread: from now on it answers without delay. */
export const READY = 'ready';

export interface Reply {
  /** The results of the steps; undefined for one that failed. */
  readonly values: readonly unknown[];
  readonly failures: readonly Failure[];
}

export type Outcome =
  | { readonly kind: 'committed'; readonly values: readonly unknown[] }
  | { readonly kind: 'failed'; readonly phase: 'begin' | 'step' | 'commit'; readonly error: unknown };

/** Runs all steps of a batch or none. `patienceMs`: how long to retry for the lock; each attempt waits for the connection's own busy timeout. */
export function openTransactions(connection: DatabaseSync, steps: Steps, patienceMs = 0): (batch: Batch) => Outcome {
  const table = new Map(Object.entries(steps));
  const [begin, commit] = [connection.prepare('BEGIN IMMEDIATE'), connection.prepare('COMMIT')];
  return (batch) => {
    let phase: 'begin' | 'step' | 'commit' = 'begin';
    try {
      takeLock(() => begin.run(), patienceMs);
      phase = 'step';
      const values: unknown[] = [];
      for (let index = 0; index < batch.length; index += 2) values.push(callStep(table, batch[index], batch[index + 1]));
      phase = 'commit';
      commit.run();
      return { kind: 'committed', values };
    } catch (error) {
      // SQLite ends the transaction itself when the disk is full.
      if (connection.isTransaction) connection.exec('ROLLBACK');
      return { kind: 'failed', phase, error };
    }
  };
}

function takeLock(begin: () => void, patienceMs: number): void {
  const startedAt = performance.now();
  for (;;) {
    try {
      begin();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt >= patienceMs) throw error;
    }
  }
}

export function openBatches(connection: DatabaseSync, steps: Steps, patienceMs = 0): (batch: Batch) => Reply {
  const take = openTransactions(connection, steps, patienceMs);

  /** Runs each step in a transaction of its own, until the store fails. */
  const takeOneByOne = (batch: Batch): Reply => {
    const values: unknown[] = [];
    const failures: Failure[] = [];
    let broken: unknown;
    for (let at = 0; at < batch.length / 2; at++) {
      const outcome = broken === undefined ? take(batch.slice(at * 2, at * 2 + 2)) : undefined;
      values.push(outcome?.kind === 'committed' ? outcome.values[0] : undefined);
      if (outcome === undefined) failures.push(failureOf(at, broken, true));
      if (outcome?.kind !== 'failed') continue;
      failures.push(failureOf(at, outcome.error, outcome.phase === 'begin'));
      if (isStoreDown(outcome)) broken = outcome.error;
    }
    return { values, failures };
  };

  return (batch) => {
    const outcome = take(batch);
    if (outcome.kind === 'committed') return { values: outcome.values, failures: [] };
    if (!isStoreDown(outcome)) return takeOneByOne(batch);
    return { values: [], failures: Array.from({ length: batch.length / 2 }, (_, at) => failureOf(at, outcome.error, true)) };
  };
}

function callStep(table: ReadonlyMap<string, Step>, name: unknown, argument: unknown): unknown {
  const step = table.get(String(name));
  if (step === undefined) throw new TypeError(`Step '${String(name)}' not found.`);
  // The type of the runner matches each name with the argument of its step.
  return step(argument as never);
}

/** A commit can also fail because of one step, by a foreign key that is checked at the end. Then the other steps can succeed. */
function isStoreDown({ phase, error }: { readonly phase: string; readonly error: unknown }): boolean {
  return phase === 'begin' || (phase === 'commit' && isOfStore(error));
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB: not caused by the statement. */
const storeCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

function isOfStore(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && (storeCodes.has(code) || isOtherSchema(error));
}

/** Another program has taken a table away: SQLite has no code of its own for that. PostgreSQL counts it as a failure of the store, too. */
const isOtherSchema = (error: unknown): boolean => error instanceof Error && /^no such (?:table|column)\b/.test(error.message);

function failureOf(at: number, error: unknown, isStoreAnyway: boolean): Failure {
  const kind = isStoreAnyway || isOfStore(error) ? 'store' : 'step';
  if (!(error instanceof Error)) return { at, kind, message: String(error) };
  return {
    at,
    kind,
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    ...('errcode' in error && { errcode: Number(error.errcode) }),
    ...(error.stack !== undefined && { stack: error.stack }),
  };
}
