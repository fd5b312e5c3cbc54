/** Runs many steps in one transaction, and defines the messages between the event loop and the writing thread. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { getPrimaryCode, isBusy, type Step, type Steps } from './database.ts';
import { assertInPlace, type DatabaseFiles } from './database-files.ts';

/** Names and arguments alternate, because a flat list is the cheapest to clone. `null` instead of a batch ends the thread. */
export type Batch = readonly unknown[];

/** A batch with memory that was transferred without a copy. */
export interface BatchWithBuffers {
  readonly steps: Batch;
  readonly given: readonly ArrayBuffer[];
}

export interface StepFailure {
  /** The index of the step in the batch. */
  readonly at: number;
  /** Whether the step failed, or the store: a full disk, a lock, a broken file. */
  readonly kind: 'step' | 'store';
  readonly message: string;
  readonly code?: string;
  readonly errcode?: number;
  readonly stack?: string;
}

/** The thread's first message: it now responds without delay. */
export const READY = 'ready';

export interface BatchReply {
  /** The results of the steps. Undefined for a failed step. */
  readonly values: readonly unknown[];
  readonly failures: readonly StepFailure[];
}

export type TransactionResult =
  | { readonly kind: 'committed'; readonly values: readonly unknown[] }
  | { readonly kind: 'failed'; readonly phase: 'begin' | 'step' | 'commit'; readonly error: unknown };

interface TransactionOptions {
  /** The files that the connection has open. Nothing is committed once another program has deleted or replaced them. */
  readonly files: DatabaseFiles;
  /** How long to retry for the lock. Each attempt also waits for the connection's own busy timeout. */
  readonly patienceMs?: number;
}

/** Runs all steps of a batch or none. */
export function openTransactions(
  connection: DatabaseSync,
  steps: Steps,
  { files, patienceMs: lockWaitMs = 0 }: TransactionOptions,
): (batch: Batch) => TransactionResult {
  const stepsByName = new Map(Object.entries(steps));
  const [begin, commit] = [connection.prepare('BEGIN IMMEDIATE'), connection.prepare('COMMIT')];
  return (batch) => {
    let phase: 'begin' | 'step' | 'commit' = 'begin';
    try {
      acquireLock(() => begin.run(), lockWaitMs);
      phase = 'step';
      const values: unknown[] = [];
      for (let index = 0; index < batch.length; index += 2) values.push(callStep(stepsByName, batch[index], batch[index + 1]));
      phase = 'commit';
      assertInPlace(files);
      commit.run();
      return { kind: 'committed', values };
    } catch (error) {
      // SQLite ends the transaction itself when the disk is full.
      if (connection.isTransaction) connection.exec('ROLLBACK');
      return { kind: 'failed', phase, error };
    }
  };
}

function acquireLock(begin: () => void, lockWaitMs: number): void {
  const startedAt = performance.now();
  for (;;) {
    try {
      begin();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt >= lockWaitMs) throw error;
    }
  }
}

export function openBatches(connection: DatabaseSync, steps: Steps, options: TransactionOptions): (batch: Batch) => BatchReply {
  const runTransaction = openTransactions(connection, steps, options);

  /** Runs each step in a separate transaction, until the store fails. */
  const runOneByOne = (batch: Batch): BatchReply => {
    const values: unknown[] = [];
    const failures: StepFailure[] = [];
    let storeFailure: unknown;
    for (let index = 0; index < batch.length / 2; index++) {
      const outcome = storeFailure === undefined ? runTransaction(batch.slice(index * 2, index * 2 + 2)) : undefined;
      values.push(outcome?.kind === 'committed' ? outcome.values[0] : undefined);
      if (outcome === undefined) failures.push(toStepFailure(index, storeFailure, true));
      if (outcome?.kind !== 'failed') continue;
      failures.push(toStepFailure(index, outcome.error, outcome.phase === 'begin'));
      if (isStoreDown(outcome)) storeFailure = outcome.error;
    }
    return { values, failures };
  };

  return (batch) => {
    const outcome = runTransaction(batch);
    if (outcome.kind === 'committed') return { values: outcome.values, failures: [] };
    if (!isStoreDown(outcome)) return runOneByOne(batch);
    return { values: [], failures: Array.from({ length: batch.length / 2 }, (_, at) => toStepFailure(at, outcome.error, true)) };
  };
}

function callStep(stepsByName: ReadonlyMap<string, Step>, name: unknown, argument: unknown): unknown {
  const step = stepsByName.get(String(name));
  if (step === undefined) throw new TypeError(`Step '${String(name)}' not found.`);
  // The type of the runner matches each name with the argument of its step.
  return step(argument as never);
}

/** Whether the store failed, not a step. A single step can fail the commit by a deferred foreign key. Then the other steps can succeed. */
function isStoreDown({ phase, error }: { readonly phase: string; readonly error: unknown }): boolean {
  return phase === 'begin' || (phase === 'commit' && isStoreError(error));
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB: not caused by the statement. */
const storeCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

function isStoreError(error: unknown): boolean {
  if (error instanceof StorageError) return true;
  const code = getPrimaryCode(error);
  return code !== undefined && (storeCodes.has(code) || isOtherSchema(error));
}

/** SQLite has no specific code for a table removed by another program. PostgreSQL also treats this as a failure of the store. */
const isOtherSchema = (error: unknown): boolean => error instanceof Error && /^no such (?:table|column)\b/.test(error.message);

function toStepFailure(index: number, error: unknown, isStoreFailure: boolean): StepFailure {
  const kind = isStoreFailure || isStoreError(error) ? 'store' : 'step';
  if (!(error instanceof Error)) return { at: index, kind, message: String(error) };
  return {
    at: index,
    kind,
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    ...('errcode' in error && { errcode: Number(error.errcode) }),
    ...(error.stack !== undefined && { stack: error.stack }),
  };
}
