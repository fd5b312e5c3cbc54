/** Reads the SQLite database in a separate thread, so that no stream waits for large queries. */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { limitReads, type Read, type ReadValue } from '../audit.ts';
import { StorageError } from '../errors.ts';
import type { Row } from '../rows.ts';
import { readRows } from './read-rows.ts';

/** An idle thread ends after this time and frees its memory. */
const IDLE_MS = 30_000;

export interface ReadRequest {
  readonly id: number;
  readonly sql: string;
  readonly values: readonly ReadValue[];
}
export type ReadResponse = { readonly id: number } & ({ readonly rows: readonly Row[] } | { readonly failure: string });

/** Starts the thread with the first query. `close` ends it. */
export function openReader(connection: DatabaseSync): { readonly read: Read; close(): Promise<void> } {
  const file = connection.location();
  // An in-memory database isn't visible from another thread.
  if (file === null) return { read: async (sql, values) => readRows(connection, sql, values), close: async () => undefined };
  const thread = new ReaderThread(file);
  return { read: limitReads((sql, values) => thread.ask(sql, values)), close: () => thread.close() };
}

class ReaderThread {
  readonly #file: string;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #pending = new Map<number, { resolve: (rows: readonly Row[]) => void; reject: (error: unknown) => void }>();

  constructor(file: string) {
    this.#file = file;
  }

  ask(sql: string, values: readonly ReadValue[]): Promise<readonly Row[]> {
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#startWorker();
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
    const id = ++this.#lastId;
    this.#pending.set(id, { resolve, reject });
    this.#worker.ref();
    this.#worker.postMessage({ id, sql, values } satisfies ReadRequest);
    return promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#worker?.terminate();
  }

  #startWorker(): Worker {
    // Passes no options of this process, because a thread may not support them. In Node 22, every thread warns that SQLite is
    // experimental.
    const options = { workerData: this.#file, execArgv: ['--disable-warning=ExperimentalWarning'] };
    const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), options);
    worker.on('message', (answer: ReadResponse) => this.#receive(answer));
    worker.on('error', (error) => this.#handleExit(worker, error));
    worker.on('exit', () => this.#handleExit(worker, null));
    return worker;
  }

  #receive(response: ReadResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('rows' in response) pending?.resolve(response.rows);
    else pending?.reject(new StorageError(`The database can't be read: ${response.failure}`));
    if (this.#pending.size > 0) return;
    this.#worker?.unref();
    this.#idleTimer = setTimeout(() => this.#worker?.postMessage(null), IDLE_MS).unref();
  }

  /** Rejects all pending queries. The next query starts another thread. */
  #handleExit(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#pending.values()) reject(new StorageError('The thread that reads the database ended.', { cause }));
    this.#pending.clear();
  }
}
