/** One file of the outbox in the hands of one process: what is appended to it, and what of it was replayed. */
import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { isBusy } from '../sqlite/database.ts';
import { openStepThread } from '../sqlite/thread.ts';
import type { StepRunner } from '../sqlite/write-operations.ts';
import { type OutboxSteps, openOutboxFile, readRecords, textOf } from './file.ts';

/** What could not be applied, though the store was up. It stays in the outbox. */
export interface Replayed {
  readonly applied: number;
  readonly refused: readonly unknown[];
}

export class OutboxSlot {
  readonly #lock: DatabaseSync;
  /** For reads; while it is open, the log keeps its room. */
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

  /** Ends at the first StorageError: the store is still down. What is appended meanwhile is left for the next time. */
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

/** The writer speaks of the database, and a person has to know which file it is. */
function failed(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new StorageError(`The spool of settlements failed. ${reason}`, { cause: error });
}

/**
 * Undefined where another process has it. The lock is on an empty database beside it, since a backup has to read the file itself meanwhile: the system
 * gives it back with the process, however that ends.
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
  // SQLite would let the whole machine read it.
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
