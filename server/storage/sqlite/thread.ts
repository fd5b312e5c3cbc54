/** The event loop's side of the thread that writes: calls are gathered, go over in batches, and are answered after their commit (promise G1). */
import { Worker } from 'node:worker_threads';
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import { type Batch, type Failure, type Parcel, READY, type Reply } from './batch.ts';
import type { DatabaseOptions } from './database.ts';
import { openShortcut, type Shortcut, type ShortSteps } from './inline-writer.ts';
import type { StepRunner, Steps } from './write-operations.ts';

export interface StepThreadOptions extends Pick<DatabaseOptions, 'folder' | 'durability'> {
  /** The module that calls `serveSteps`. */
  readonly entry: URL;
  /** The file in the folder that is no database of a gateway, but that of an outbox; its thread starts with its first step, since few come to need it. */
  readonly file?: string;
  /** Taken on the event loop as long as that is quick; left out, or where every commit waits for the disk: none. */
  readonly short?: ShortSteps;
  /** Whether anybody has called yet. Until then, and until the thread that is started then is ready, it gets only what fails on the event loop. Left out: it starts at once. */
  readonly isCalled?: () => boolean;
  /** How many callers will come with a step soon; those who are first wait a moment for them. Left out: nobody is expected. */
  readonly expected?: () => number;
}

/** A step that threw; it did nothing, and the steps around it did what they should. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code: string | undefined;
  /** SQLite's own number, where SQLite refused. */
  readonly errcode: number | undefined;

  constructor({ message, code, errcode, stack }: Failure) {
    super(message);
    this.code = code;
    this.errcode = errcode;
    if (stack !== undefined) this.stack = stack;
  }
}

/** The most steps of one transaction: what a bad one among them costs, and how long a lock is held, have a bound. */
const MOST_STEPS = 500;
/** So many callers go on in one turn of the event loop: what they all do next must not add up to a pause. */
const ANSWERS_PER_TURN = 32;
const LONGEST_BACK_OFF_MS = 1_000;

interface Order {
  readonly name: string;
  readonly argument: unknown;
  readonly given: readonly ArrayBuffer[];
}
type Call = Waiting<Order, unknown>;

/**
 * A rejection with a StorageError means that the store failed. Then the step was not taken, with one exception: when the thread died or the disk
 * failed at the very commit nobody knows, so steps have to be idempotent.
 */
export function openStepThread<S extends Steps>(options: StepThreadOptions): StepRunner<S> {
  return new StepThread<S>(options);
}

class StepThread<S extends Steps> implements StepRunner<S> {
  readonly #options: StepThreadOptions;
  readonly #shortcut: Shortcut | null;
  readonly #batcher: Batcher<Order, unknown>;
  #flying: Call[] = [];
  #answers: (() => void)[] = [];
  #worker: Worker | undefined;
  #deaths = 0;
  #startAt = 0;
  #closing: Promise<void> | undefined;
  #isEnding = false;
  /** Whether the event loop takes every step by itself: nobody has called, or the thread is still starting. */
  #isEarly: boolean;
  #endClose: ((error?: StorageError) => void) | undefined;

  constructor(options: StepThreadOptions) {
    this.#options = options;
    this.#shortcut = openShortcut(options);
    this.#isEarly = options.isCalled !== undefined;
    // Where a commit waits for the disk, there is time enough to join the next one.
    this.#batcher = new Batcher({ go: () => this.#turn(), expected: this.#shortcut ? options.expected : undefined });
    if (!this.#isEarly && options.file === undefined) this.#running()?.unref();
  }

  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], given: readonly ArrayBuffer[] = []): Promise<ReturnType<S[K]>> {
    if (this.#closing) return Promise.reject(new StorageError('The database is closed: this process is stopping.'));
    const { promise } = this.#batcher.add({ name, argument, given });
    this.#planTurn();
    // The step of this name returns it.
    return promise as Promise<ReturnType<S[K]>>;
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve, reject) => {
      this.#endClose = (error) => (error === undefined ? resolve() : reject(error));
      this.#planTurn();
    });
    return this.#closing;
  }

  #planTurn(): void {
    if (this.#flying.length > 0) return;
    const waitMs = this.#worker ? 0 : this.#startAt - performance.now();
    this.#batcher.plan(this.#batcher.size > 0 ? waitMs : 0);
  }

  #turn(): void {
    if (this.#batcher.size > 0) this.#send();
    else if (this.#closing) this.#end();
    else this.#worker?.unref();
  }

  #send(): void {
    const batch = this.#batcher.take(MOST_STEPS);
    const steps = batch.flatMap(({ order: { name, argument } }) => [name, argument]);
    const values = this.#shortcut?.take(steps, !this.#isEarly);
    if (values && this.#isEarly && !this.#worker && this.#options.isCalled?.()) this.#running()?.unref();
    if (values) this.#give(batch, { values, failures: [] });
    else this.#cross(batch, steps);
    if (values && (this.#batcher.size > 0 || this.#closing)) this.#planTurn();
  }

  #cross(batch: Call[], steps: Batch): void {
    this.#flying = batch;
    const worker = this.#running();
    if (worker === undefined) return;
    worker.ref();
    try {
      const given = batch.flatMap(({ order }) => order.given);
      if (given.length === 0) worker.postMessage(steps);
      else worker.postMessage({ steps, given } satisfies Parcel, given);
    } catch {
      this.#flying = [];
      this.#batcher.putBack(batch.filter(canCross));
      this.#planTurn();
    }
  }

  #running(): Worker | undefined {
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      // The machine has no room for a thread.
      this.#bury(error);
    }
    return this.#worker;
  }

  #land(reply: Reply): void {
    this.#deaths = 0;
    const batch = this.#flying;
    this.#flying = [];
    this.#give(batch, reply);
    this.#planTurn();
  }

  #give(batch: readonly Call[], { values, failures }: Reply): void {
    const isQuiet = this.#answers.length === 0;
    if (isQuiet && failures.length === 0 && batch.length <= ANSWERS_PER_TURN) {
      for (const [at, { resolve }] of batch.entries()) resolve(values[at]);
      return;
    }
    const failed = new Map(failures.map((failure) => [failure.at, failure]));
    for (const [at, { resolve, reject }] of batch.entries()) {
      const failure = failed.get(at);
      this.#answers.push(failure ? () => reject(errorOf(failure)) : () => resolve(values[at]));
    }
    if (isQuiet) this.#answer();
  }

  #answer(): void {
    for (const answer of this.#answers.splice(0, ANSWERS_PER_TURN)) answer();
    if (this.#answers.length > 0) setImmediate(() => this.#answer());
  }

  #start(): Worker {
    const { entry, folder, durability, file } = this.#options;
    // Options of this process may be none that a thread knows. Node 22 calls its SQLite experimental in every thread.
    const worker = new Worker(entry, { workerData: { folder, durability, file }, execArgv: ['--disable-warning=ExperimentalWarning'] });
    let reason: unknown;
    worker.on('message', (reply: Reply | typeof READY) => {
      if (reply === READY) this.#isEarly = false;
      else this.#land(reply);
    });
    worker.on('messageerror', () => void worker.terminate());
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => this.#bury(reason));
    return worker;
  }

  /** Started again by the next call, after a pause that doubles with each death in a row. */
  #bury(reason: unknown): void {
    this.#worker = undefined;
    this.#isEarly = false;
    const orphans = [...this.#flying, ...this.#batcher.take(Number.POSITIVE_INFINITY)];
    this.#flying = [];
    const isEnd = this.#isEnding && reason === undefined;
    const error = isEnd ? undefined : deathOf(reason);
    for (const { reject } of orphans) reject(error);
    this.#startAt = performance.now() + Math.min(LONGEST_BACK_OFF_MS, 25 * 2 ** this.#deaths);
    this.#deaths++;
    this.#endClose?.(error);
  }

  /** Everything is answered: the thread tidies up and goes. */
  #end(): void {
    if (!this.#worker) this.#endClose?.();
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#shortcut?.close();
    this.#worker?.ref();
    this.#worker?.postMessage(null);
  }
}

/** Rejects the call whose argument cannot be cloned, so that it does not keep the others back. */
function canCross({ order: { argument }, reject }: Call): boolean {
  try {
    structuredClone(argument);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

function errorOf(failure: Failure): Error {
  if (failure.kind === 'step') return new StepError(failure);
  const { message, code, errcode } = failure;
  return new StorageError(`The database cannot be written: ${message}. Check the disk and who else holds the file.`, {
    cause: { message, code, errcode },
  });
}

function deathOf(reason: unknown): StorageError {
  const detail = reason instanceof Error ? reason.message : reason === undefined ? 'it was stopped' : String(reason);
  return new StorageError(`The thread that writes to the database ended: ${detail}`, { cause: reason });
}
