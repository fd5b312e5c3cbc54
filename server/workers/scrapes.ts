/** Asks every worker for its metrics and waits for the answers; a worker that hangs or dies is left out. */
import type { Worker } from 'node:cluster';
import type { ToWorker } from './messages.ts';

/** Prometheus itself waits ten seconds. */
const LONGEST_MS = 4_000;

interface Open {
  readonly waiting: Set<number>;
  readonly texts: Map<number, string>;
  done(): void;
}

export class Scrapes {
  readonly #open = new Map<number, Open>();
  #last = 0;

  /** The texts of those that answered, in the order of the workers. */
  async collect(workers: readonly Worker[]): Promise<readonly string[]> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    const open: Open = { waiting: new Set(workers.map((worker) => worker.id)), texts: new Map(), done: resolve };
    this.#open.set(id, open);
    for (const worker of workers) if (worker.isConnected()) worker.send({ kind: 'scrape', id } satisfies ToWorker);
    const timer = setTimeout(resolve, LONGEST_MS);
    if (workers.length > 0) await promise;
    clearTimeout(timer);
    this.#open.delete(id);
    return workers.flatMap((worker) => open.texts.get(worker.id) ?? []);
  }

  hear(id: number, worker: number, text: string): void {
    this.#open.get(id)?.texts.set(worker, text);
    this.#heard(id, worker);
  }

  /** The worker has ended: nobody waits for it any more. */
  forget(worker: number): void {
    for (const id of this.#open.keys()) this.#heard(id, worker);
  }

  #heard(id: number, worker: number): void {
    const open = this.#open.get(id);
    open?.waiting.delete(worker);
    if (open?.waiting.size === 0) open.done();
  }
}
