/** Runs steps on the event loop: short ones, because a commit that does not wait for the disk takes less time than waking a thread (promise G1), and all steps until the first call has started the thread. */
import { type Batch, type Outcome, openTransactions } from './batch.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import type { OpenSteps, Steps } from './write-operations.ts';

export interface InlineSteps {
  readonly open: OpenSteps<Steps>;
  /** Steps that touch only a few rows, whatever their argument. */
  readonly names: readonly string[];
}

export interface InlineWriter {
  /** The results of the steps; null when nothing was done and the thread must run the batch. `isServing`: whether there may be streams to delay, and the thread is ready. */
  take(batch: Batch, isServing: boolean): readonly unknown[] | null;
  close(): void;
}

/** A larger batch would delay the streams, and is worth waking the thread. */
const MOST_STEPS = 64;
/** After so many commits one batch goes to the thread, which may then copy the write-ahead log back: that waits for the disk. */
const COMMITS_IN_A_ROW = 200;
/** A slow batch takes longer than this, which is well below the pause that an event loop may have. After several slow batches, or when another process has the lock, the thread takes over for a while. */
const SLOW_MS = 8;
const MOST_SLOW = 2;
const PAUSE_MS = 1_000;

/** Null when every commit waits for the disk. */
export function openInlineWriter(options: Omit<DatabaseOptions, 'checkpoints'> & { readonly inline?: InlineSteps }): InlineWriter | null {
  const { folder, durability, inline } = options;
  if (inline === undefined || durability === 'strict') return null;
  const database = openDatabase({ folder, durability, checkpoints: 'elsewhere' });
  database.connection.exec('PRAGMA busy_timeout = 0');
  return new SqliteInlineWriter(database, inline);
}

class SqliteInlineWriter implements InlineWriter {
  readonly #database: Database;
  #names: ReadonlySet<unknown>;
  readonly #transact: (batch: Batch) => Outcome;
  #inARow = 0;
  #slow = 0;
  #pausedUntil = 0;

  constructor(database: Database, { open, names }: InlineSteps) {
    this.#database = database;
    this.#names = new Set(names);
    this.#transact = openTransactions(database.connection, open(database.connection));
  }

  take(batch: Batch, isServing: boolean): readonly unknown[] | null {
    const before = performance.now();
    if (!isServing && this.#inARow >= COMMITS_IN_A_ROW) this.#copyBack(before);
    if (!this.#isFor(batch, isServing, before)) {
      this.#inARow = 0;
      this.#slow = 0;
      return null;
    }
    const outcome = this.#tryTransact(batch);
    this.#inARow++;
    if (isServing && performance.now() - before > SLOW_MS) this.#slow++;
    if (outcome.kind === 'failed' || this.#slow > MOST_SLOW) this.#pausedUntil = before + PAUSE_MS;
    return outcome.kind === 'committed' ? outcome.values : null;
  }

  close(): void {
    if (this.#database.connection.isOpen) this.#database.close();
  }

  /** A connection that cannot even roll back is closed for good; the thread opens a new one of its own after such a failure. */
  #tryTransact(batch: Batch): Outcome {
    try {
      return this.#transact(batch);
    } catch (error) {
      this.close();
      this.#names = new Set();
      return { kind: 'failed', phase: 'commit', error };
    }
  }

  /** Before the first call, nothing is delayed by the wait for the disk. */
  #copyBack(now: number): void {
    try {
      this.#database.connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
      this.#inARow = 0;
    } catch {
      // The thread meets the same failure and reports it to the caller.
      this.#pausedUntil = now + PAUSE_MS;
    }
  }

  #isFor(batch: Batch, isServing: boolean, now: number): boolean {
    if (this.#names.size === 0 || now < this.#pausedUntil) return false;
    if (!isServing) return true;
    if (batch.length > MOST_STEPS * 2 || this.#inARow >= COMMITS_IN_A_ROW) return false;
    for (let at = 0; at < batch.length; at += 2) if (!this.#names.has(batch[at])) return false;
    return true;
  }
}
