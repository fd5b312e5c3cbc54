/** The event loop's side of the writing thread: collects calls, sends them in batches, and resolves them after their commit (promise G1). */
import { Worker } from 'node:worker_threads';
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import { type Batch, type BatchWithMemory, type Failure, type Outcome, openTransactions, READY, type Reply } from './batch.ts';
import { type Database, type DatabaseOptions, type OpenSteps, openDatabase, type StepRunner, type Steps } from './database.ts';

export interface StepThreadOptions extends Pick<DatabaseOptions, 'folder' | 'durability'> {
  /** The module that calls `serveSteps`. */
  readonly entry: URL;
  /** A file of an outbox in the folder; absent: the database of the gateway. The thread of an outbox starts with its first step, since most never need one. */
  readonly file?: string;
  /** Steps that run on the event loop while that is quick. None when absent, or when every commit waits for the disk. */
  readonly inline?: InlineSteps;
  /** Whether the gateway has had a call. The first one starts the thread; until the thread is ready, it gets only steps that cannot run on the event loop. Absent: the thread starts at once. */
  readonly isCalled?: () => boolean;
  /** How many steps will come soon; the first ones wait a moment for them. Absent: none. */
  readonly expected?: () => number;
}

/** The error of a step that threw. This step did nothing; the other steps of its batch were not affected. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code: string | undefined;
  /** SQLite's error number, when SQLite rejected. */
  readonly errcode: number | undefined;

  constructor({ message, code, errcode, stack }: Failure) {
    super(message);
    this.code = code;
    this.errcode = errcode;
    if (stack !== undefined) this.stack = stack;
  }
}

/** The most steps in one transaction, which bounds the cost of a bad step and the time that the lock is held. */
const MAX_STEPS = 500;
/** Resolves so many calls per turn of the event loop: the work that follows must not add up to a pause. */
const ANSWERS_PER_TURN = 32;
const MAX_BACK_OFF_MS = 1_000;
/** A commit on the event loop takes less than a tenth of this: a longer wait would cost a caller more than sharing it saves. */
const COLLECT_MS = 1;
/** The most bytes of memory that is given to the steps of a batch for the event loop to run it. */
const MAX_BYTES_HERE = 1_048_576;

interface Order {
  readonly name: string;
  readonly argument: unknown;
  readonly given: readonly ArrayBuffer[];
}
type Call = Waiting<Order, unknown>;

/**
 * A rejection with a StorageError means that the store failed and the step was not run, with one exception: when the thread died or the disk failed
 * during a commit, the outcome is unknown. So steps must be idempotent.
 */
export function openStepThread<S extends Steps>(options: StepThreadOptions): StepRunner<S> {
  return new StepThread<S>(options);
}

class StepThread<S extends Steps> implements StepRunner<S> {
  readonly #options: StepThreadOptions;
  readonly #inline: InlineWriter | null;
  readonly #batcher: Batcher<Order, unknown>;
  #inFlight: Call[] = [];
  #answers: (() => void)[] = [];
  #worker: Worker | undefined;
  #exits = 0;
  #startAt = 0;
  #closing: Promise<void> | undefined;
  #isEnding = false;
  /** Whether the event loop runs every step: there was no call yet, or the thread is still starting. */
  #isWarmingUp: boolean;
  #endClose: ((error?: StorageError) => void) | undefined;

  constructor(options: StepThreadOptions) {
    this.#options = options;
    this.#inline = openInlineWriter(options);
    this.#isWarmingUp = options.isCalled !== undefined;
    // When commits wait for the disk, later steps collect meanwhile without an extra wait.
    this.#batcher = new Batcher({ send: () => this.#turn(), expected: this.#inline ? options.expected : undefined, collectMs: COLLECT_MS });
    if (!this.#isWarmingUp && options.file === undefined) this.#ensureWorker()?.unref();
  }

  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], given: readonly ArrayBuffer[] = []): Promise<ReturnType<S[K]>> {
    if (this.#closing) return Promise.reject(new StorageError('The database is closed: this process is stopping.'));
    const { promise } = this.#batcher.add({ name, argument, given });
    this.#planTurn();
    // The step of this name returns this type.
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
    if (this.#inFlight.length > 0) return;
    const waitMs = this.#worker ? 0 : this.#startAt - performance.now();
    this.#batcher.plan(this.#batcher.size > 0 ? waitMs : 0);
  }

  #turn(): void {
    if (this.#batcher.size > 0) this.#send();
    else if (this.#closing) this.#end();
    else this.#worker?.unref();
  }

  #send(): void {
    const batch = this.#batcher.take(MAX_STEPS);
    // What can run here does not wait for what cannot.
    const isQuick = ({ order }: Call): boolean => this.#isWarmingUp || this.#options.inline?.names.has(order.name) === true;
    const quick = batch.filter(isQuick);
    const others = batch.filter((one) => !isQuick(one));
    const values = quick.length === 0 || isLarge(quick) ? null : this.#inline?.take(stepsOf(quick), !this.#isWarmingUp);
    if (values && this.#isWarmingUp && !this.#worker && this.#options.isCalled?.()) this.#ensureWorker()?.unref();
    const rest = values ? others : batch;
    if (rest.length > 0) this.#sendToThread(rest);
    if (values) this.#deliver(quick, { values, failures: [] });
    if (rest.length === 0 && (this.#batcher.size > 0 || this.#closing)) this.#planTurn();
  }

  #sendToThread(batch: Call[]): void {
    this.#inFlight = batch;
    this.#inline?.rest();
    const steps = stepsOf(batch);
    const worker = this.#ensureWorker();
    if (worker === undefined) return;
    worker.ref();
    try {
      const given = batch.flatMap(({ order }) => order.given);
      if (given.length === 0) worker.postMessage(steps);
      else worker.postMessage({ steps, given } satisfies BatchWithMemory, given);
    } catch {
      this.#inFlight = [];
      this.#batcher.putBack(batch.filter(canClone));
      this.#planTurn();
    }
  }

  #ensureWorker(): Worker | undefined {
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      // The system cannot start another thread.
      this.#onExit(error);
    }
    return this.#worker;
  }

  #receive(reply: Reply): void {
    this.#exits = 0;
    const batch = this.#inFlight;
    this.#inFlight = [];
    this.#deliver(batch, reply);
    this.#planTurn();
  }

  #deliver(batch: readonly Call[], { values, failures }: Reply): void {
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
    // A thread may reject options of this process, so it gets none of them. In Node 22 every thread would warn that SQLite is experimental.
    const worker = new Worker(entry, { workerData: { folder, durability, file }, execArgv: ['--disable-warning=ExperimentalWarning'] });
    let reason: unknown;
    worker.on('message', (reply: Reply | typeof READY) => {
      if (reply === READY) this.#isWarmingUp = false;
      else this.#receive(reply);
    });
    worker.on('messageerror', () => void worker.terminate());
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => this.#onExit(reason));
    return worker;
  }

  /** Rejects all calls of a thread that ended. The next call starts a new thread, after a pause that doubles with each failure in a row. */
  #onExit(reason: unknown): void {
    this.#worker = undefined;
    this.#isWarmingUp = false;
    const unanswered = [...this.#inFlight, ...this.#batcher.take(Number.POSITIVE_INFINITY)];
    this.#inFlight = [];
    const isEnd = this.#isEnding && reason === undefined;
    const error = isEnd ? undefined : exitError(reason);
    for (const { reject } of unanswered) reject(error);
    this.#startAt = performance.now() + Math.min(MAX_BACK_OFF_MS, 25 * 2 ** this.#exits);
    this.#exits++;
    this.#endClose?.(error);
  }

  /** Everything is answered: tells the thread to close the database and end. */
  #end(): void {
    if (!this.#worker) this.#endClose?.();
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#inline?.close();
    this.#worker?.ref();
    this.#worker?.postMessage(null);
  }
}

const stepsOf = (batch: readonly Call[]): Batch => batch.flatMap(({ order: { name, argument } }) => [name, argument]);

/** Whether its steps write so much that the event loop would stand still for it. */
const isLarge = (batch: readonly Call[]): boolean =>
  batch.reduce((sum, { order: { given } }) => given.reduce((bytes, { byteLength }) => bytes + byteLength, sum), 0) > MAX_BYTES_HERE;

/** Rejects a call whose argument cannot be cloned, so that the other calls of its batch can be sent. */
function canClone({ order: { argument }, reject }: Call): boolean {
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
  return new StorageError(`The database can't be written: ${message}. Check the disk, and other programs that lock the file.`, {
    cause: { message, code, errcode },
  });
}

function exitError(reason: unknown): StorageError {
  const detail = reason instanceof Error ? reason.message : reason === undefined ? 'it was stopped' : String(reason);
  return new StorageError(`The thread that writes to the database ended: ${detail}`, { cause: reason });
}

interface InlineSteps {
  readonly open: OpenSteps<Steps>;
  /** Steps that touch only a few rows, whatever their argument. */
  readonly names: ReadonlySet<string>;
}

export interface InlineWriter {
  /** The results of the steps; null when nothing was done and the thread must run the batch. `isServing`: whether there may be streams to delay, and the thread is ready. */
  take(batch: Batch, isServing: boolean): readonly unknown[] | null;
  /** The thread has work. */
  rest(): void;
  close(): void;
}

/** A larger batch would delay the streams, and is worth waking the thread. */
const MAX_INLINE_STEPS = 64;
/** After so many commits one batch goes to the thread, which may then copy the write-ahead log back: that waits for the disk. */
const COMMITS_IN_A_ROW = 200;
/** A slow batch takes longer than this, which is well below the pause that an event loop may have. After several slow batches, or when another process has the lock, the thread takes over for a while. */
const SLOW_MS = 8;
const MAX_SLOW = 2;
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
  readonly #transact: (batch: Batch) => Outcome;
  #inARow = 0;
  #slow = 0;
  #pausedUntil = 0;

  constructor(database: Database, { open }: InlineSteps) {
    this.#database = database;
    this.#transact = openTransactions(database.connection, open(database.connection));
  }

  take(batch: Batch, isServing: boolean): readonly unknown[] | null {
    const before = performance.now();
    if (!isServing && this.#inARow >= COMMITS_IN_A_ROW) this.#copyBack(before);
    if (!this.#isFor(batch, isServing, before)) return null;
    const outcome = this.#tryTransact(batch);
    this.#inARow++;
    if (isServing && performance.now() - before > SLOW_MS) this.#slow++;
    if (outcome.kind === 'failed' || this.#slow > MAX_SLOW) this.#pausedUntil = before + PAUSE_MS;
    return outcome.kind === 'committed' ? outcome.values : null;
  }

  rest(): void {
    this.#inARow = 0;
    this.#slow = 0;
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
    if (!this.#database.connection.isOpen || now < this.#pausedUntil) return false;
    return !isServing || (batch.length <= MAX_INLINE_STEPS * 2 && this.#inARow < COMMITS_IN_A_ROW);
  }
}
