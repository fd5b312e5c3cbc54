/** One file of the spool in the hands of one process: what is appended to it, and what of it was replayed. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { emptyLines, frameRecord, openSpoolFile, type SpooledLine, scan, shrink, writeDurably } from './file.ts';

/** What could not be applied, though the store was up. It stays in the spool. */
export interface Replayed {
  readonly applied: number;
  readonly refused: readonly unknown[];
}

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class SpoolSlot {
  readonly #lock: DatabaseSync;
  readonly #file: number;
  readonly damaged: number;
  /** Where the next record goes. */
  #end: number;
  #size: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(lock: DatabaseSync, file: number) {
    const { lines, damaged, end } = scan(file);
    this.#lock = lock;
    this.#file = file;
    this.#size = lines.length;
    this.#end = end;
    this.damaged = damaged;
  }

  get size(): number {
    return this.#size;
  }

  append(record: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: frameRecord(record), resolve, reject });
      if (this.#waiting.length === 1) this.#alone(() => this.#write());
    });
  }

  /** Ends at the first StorageError: the store is still down. What is appended meanwhile is left for the next time. */
  async replay(apply: (record: unknown) => Promise<void>): Promise<Replayed> {
    // What a failed write left behind the end is none of ours.
    const lines = await this.#alone(async () => scan(this.#file, this.#end).lines);
    const applied: SpooledLine[] = [];
    const refused: unknown[] = [];
    try {
      for (const line of lines) {
        try {
          await apply(line.record);
          applied.push(line);
        } catch (error) {
          if (error instanceof StorageError) throw error;
          refused.push(error);
        }
      }
    } finally {
      await this.#alone(() => this.#remove(applied));
    }
    return { applied: applied.length, refused };
  }

  async close(): Promise<void> {
    await this.#alone(async () => closeSync(this.#file));
    this.#lock.close();
  }

  /** One after the other: two writers would not agree on where the end is. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Everyone who waits shares one wait for the disk. */
  async #write(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const bytes = Buffer.concat(waiting.map((one) => one.bytes));
    try {
      await writeDurably(this.#file, [{ bytes, offset: this.#end }]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const failure = new StorageError(`The spool of settlements cannot be written: ${reason}. Check the disk.`, { cause: error });
      for (const { reject } of waiting) reject(failure);
      return;
    }
    this.#end += bytes.length;
    this.#size += waiting.length;
    for (const { resolve } of waiting) resolve();
  }

  async #remove(lines: readonly SpooledLine[]): Promise<void> {
    if (lines.length === 0) return;
    await writeDurably(
      this.#file,
      lines.map(({ offset, bytes }) => ({ offset, bytes: emptyLines(bytes) })),
    );
    this.#size -= lines.length;
    if (this.#size > 0) return;
    this.#end = 0;
    shrink(this.#file);
  }
}

/**
 * Undefined where another process has it. The lock is one of SQLite's, on an empty file beside it: the system gives it back with the process, however
 * that ends.
 */
export function claimSlot(path: string): SpoolSlot | undefined {
  const lock = lockFile(`${path}.lock`);
  if (lock === undefined) return undefined;
  try {
    return new SpoolSlot(lock, openSpoolFile(path));
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
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined;
    throw error;
  }
}
