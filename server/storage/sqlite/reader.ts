/** Reads the embedded database in a thread of its own, so that no stream waits for a question about many rows. */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Read, type ReadValue, shareReads } from '../audit.ts';
import { StorageError } from '../errors.ts';
import type { Row } from '../rows.ts';
import { readRows } from './read-rows.ts';

/** A thread that nobody asks ends, and gives back its memory. */
const IDLE_MS = 30_000;

export interface Question {
  readonly id: number;
  readonly sql: string;
  readonly values: readonly ReadValue[];
}
export type Answer = { readonly id: number } & ({ readonly rows: readonly Row[] } | { readonly failure: string });

export interface Reader {
  readonly read: Read;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** The thread starts with the first question. */
export function openReader(connection: DatabaseSync): Reader {
  const file = connection.location();
  // A database in memory cannot be seen from another thread.
  if (file === null) return { read: async (sql, values) => readRows(connection, sql, values), close: async () => undefined };
  const thread = new ReadingThread(file);
  return { read: shareReads((sql, values) => thread.ask(sql, values)), close: () => thread.close() };
}

interface Asked {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

class ReadingThread {
  readonly #file: string;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  readonly #asked = new Map<number, Asked>();

  constructor(file: string) {
    this.#file = file;
  }

  ask(sql: string, values: readonly ReadValue[]): Promise<readonly Row[]> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
    const id = ++this.#count;
    this.#asked.set(id, { resolve, reject });
    this.#worker.ref();
    this.#worker.postMessage({ id, sql, values } satisfies Question);
    return promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Options of this process may be none that a thread knows. Node 22 calls its SQLite experimental in every thread.
    const options = { workerData: this.#file, execArgv: ['--disable-warning=ExperimentalWarning'] };
    const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), options);
    worker.on('message', (answer: Answer) => this.#take(answer));
    worker.on('error', (error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, null));
    return worker;
  }

  #take(answer: Answer): void {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if ('rows' in answer) asked?.resolve(answer.rows);
    else asked?.reject(new StorageError(`The database can't be read: ${answer.failure}`));
    if (this.#asked.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#worker?.postMessage(null), IDLE_MS).unref();
  }

  /** The next question starts another thread. */
  #end(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#asked.values()) reject(new StorageError('The thread that reads the database ended.', { cause }));
    this.#asked.clear();
  }
}
