/** One file of the outbox that this process has locked: appends records to it and replays them. */
import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { isBusy } from '../sqlite/database.ts';
import { openStepThread } from '../sqlite/thread.ts';
import type { StepRunner } from '../sqlite/write-operations.ts';
import { type OutboxSteps, openOutboxFile, readRecords, textOf } from './file.ts';

/** The result of a replay. `refused` holds the errors of records that failed although the store was up; these records stay in the outbox. */
export interface Replayed {
  readonly applied: number;
  readonly refused: readonly unknown[];
}

export class OutboxSlot {
  readonly #lock: DatabaseSync;
  /** For reads; while it is open, the log keeps its space. */
  readonly #file: DatabaseSync;
  readonly #writer: StepRunner<OutboxSteps>;
  readonly damaged: number;
  #size: number;

  constructor(path: string, lock: DatabaseSync) {
    this.#lock = lock;
    this.#file = openOutboxFile(path);
    const { records, damaged } = readRecords(this.#file);
    this.#size = records.length;
    this.damaged = damaged;
    const entry = new URL('./outbox-writer.ts', import.meta.url);
    this.#writer = openStepThread<OutboxSteps>({ entry, folder: dirname(path), file: basename(path), durability: 'strict' });
  }

  get size(): number {
    return this.#size;
  }

  async append(record: object): Promise<void> {
    await this.#writer.run('append', textOf(record)).catch(failed);
    this.#size++;
  }

  /** Ends at the first StorageError: the store is still down. Records that are appended meanwhile wait for the next replay. */
  async replay(apply: (record: unknown) => Promise<void>): Promise<Replayed> {
    const applied: number[] = [];
    const refused: unknown[] = [];
    try {
      for (const { id, record } of readRecords(this.#file).records) {
        try {
          await apply(record);
          applied.push(id);
        } catch (error) {
          if (error instanceof StorageError) throw error;
          refused.push(error);
        }
      }
    } finally {
      if (applied.length > 0) await this.#writer.run('remove', applied).catch(failed);
      this.#size -= applied.length;
    }
    return { applied: applied.length, refused };
  }

  async close(): Promise<void> {
    await this.#writer.close();
    this.#file.close();
    this.#lock.close();
  }
}

/** The writer's message says only "the database"; the operator must know that it is the outbox. */
function failed(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new StorageError(`The outbox failed. ${reason}`, { cause: error });
}

/**
 * Undefined when another process holds the file. The lock is on an empty database beside it, because a backup must be able to read the file itself.
 * The operating system releases the lock when the process ends.
 */
export function claimSlot(path: string): OutboxSlot | undefined {
  const lock = lockFile(`${path}.lock`);
  if (lock === undefined) return undefined;
  try {
    return new OutboxSlot(path, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

function lockFile(path: string): DatabaseSync | undefined {
  // SQLite would create the file readable by every user.
  closeSync(openSync(path, 'a', 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
