/** The event loop's side of the writing thread: collects calls, sends them in batches, and resolves them after their commit (promise G1). */
import { Worker } from 'node:worker_threads';
import { Batcher, type PendingOrder } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import {
  type Batch,
  type BatchReply,
  type BatchWithBuffers,
  openTransactions,
  READY,
  type StepFailure,
  type TransactionResult,
} from './batch.ts';
import { type Database, type DatabaseOptions, type OpenSteps, openDatabase, type StepRunner, type Steps } from './database.ts';

export interface StepThreadOptions extends Pick<DatabaseOptions, 'folder' | 'durability' | 'files'> {
  /** The module that calls `serveThread`. */
  readonly entry: URL;
  /**
   * An outbox file in the folder. Defaults to the gateway's database. An outbox thread starts with its first step, since most never need
   * one.
   */
  readonly file?: string;
  /** Steps that run on the event loop while it's quick. None if omitted, or if every commit waits for the disk. */
  readonly inline?: InlineSteps;
  /**
   * Whether the gateway has had a request. The first request starts the thread. Until it's ready, the thread gets only steps that can't
   * run on the event loop. If omitted, the thread starts immediately.
   */
  readonly isCalled?: () => boolean;
  /** Returns how many steps are coming soon. The first steps wait briefly for them. Defaults to none. */
  readonly expected?: () => number;
}

/** The error of a step that threw. The step had no effect, and the other steps of its batch weren't affected. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code: string | undefined;
  /** SQLite's error number. Undefined if the error isn't from SQLite. */
  readonly errcode: number | undefined;

  constructor({ message, code, errcode, stack }: StepFailure) {
    super(message);
    this.code = code;
    this.errcode = errcode;
    if (stack !== undefined) this.stack = stack;
  }
}

/** The maximum steps per transaction. It bounds the cost of a bad step and the time that the lock is held. */
const MAX_STEPS = 500;
/** The number of calls resolved per turn of the event loop, so that their continuations don't add up to a pause. */
const MAX_RESULTS_PER_TURN = 32;
const MAX_BACK_OFF_MS = 1_000;
/** A commit on the event loop takes less than a tenth of this time. A longer wait would cost a caller more than a shared commit saves. */
const COLLECT_MS = 1;
/** The maximum bytes of transferred memory in a batch that runs on the event loop. */
const MAX_INLINE_BYTES = 1_048_576;

interface StepRequest {
  readonly name: string;
  readonly argument: unknown;
  readonly given: readonly ArrayBuffer[];
}
type PendingStep = PendingOrder<StepRequest, unknown>;

/**
 * A rejection with a StorageError means that the store failed and the step wasn't run, with one exception.
 * If the thread died or the disk failed during a commit, the outcome is unknown. So steps must be idempotent.
 */
export function openWriterThread<S extends Steps>(options: StepThreadOptions): StepRunner<S> {
  return new StepThread<S>(options);
}

class StepThread<S extends Steps> implements StepRunner<S> {
  readonly #options: StepThreadOptions;
  readonly #inline: InlineWriter | null;
  readonly #batcher: Batcher<StepRequest, unknown>;
  #inFlight: PendingStep[] = [];
  #pendingResults: (() => void)[] = [];
  #worker: Worker | undefined;
  #exitCount = 0;
  #startAt = 0;
  #closePromise: Promise<void> | undefined;
  #isEnding = false;
  /** Whether the event loop runs every step, because there was no request yet or the thread is still starting. */
  #isWarmingUp: boolean;
  #settleClose: ((error?: StorageError) => void) | undefined;

  constructor(options: StepThreadOptions) {
    this.#options = options;
    this.#inline = openInlineWriter(options);
    this.#isWarmingUp = options.isCalled !== undefined;
    // If commits wait for the disk, later steps collect during that time without an extra wait.
    this.#batcher = new Batcher({
      send: () => this.#runTurn(),
      expected: this.#inline ? options.expected : undefined,
      collectMs: COLLECT_MS,
    });
    if (!this.#isWarmingUp && options.file === undefined) this.#ensureWorker()?.unref();
  }

  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], buffers: readonly ArrayBuffer[] = []): Promise<ReturnType<S[K]>> {
    if (this.#closePromise) return Promise.reject(new StorageError('The database is closed: this process is stopping.'));
    const { promise } = this.#batcher.add({ name, argument, given: buffers });
    this.#scheduleTurn();
    // The step of this name returns this type.
    return promise as Promise<ReturnType<S[K]>>;
  }

  close(): Promise<void> {
    this.#closePromise ??= new Promise((resolve, reject) => {
      this.#settleClose = (error) => (error === undefined ? resolve() : reject(error));
      this.#scheduleTurn();
    });
    return this.#closePromise;
  }

  #scheduleTurn(): void {
    if (this.#inFlight.length > 0) return;
    const waitMs = this.#worker ? 0 : this.#startAt - performance.now();
    this.#batcher.scheduleSend(this.#batcher.size > 0 ? waitMs : 0);
  }

  #runTurn(): void {
    if (this.#batcher.size > 0) this.#send();
    else if (this.#closePromise) this.#end();
    else this.#worker?.unref();
  }

  #send(): void {
    const batch = this.#batcher.takeBatch(MAX_STEPS);
    // Steps that can run here don't wait for those that can't.
    const isInline = ({ order }: PendingStep): boolean => this.#isWarmingUp || this.#options.inline?.names.has(order.name) === true;
    const inlineBatch = batch.filter(isInline);
    const threadBatch = batch.filter((one) => !isInline(one));
    const values = inlineBatch.length === 0 || isLarge(inlineBatch) ? null : this.#inline?.tryRun(toBatch(inlineBatch), !this.#isWarmingUp);
    if (values && this.#isWarmingUp && !this.#worker && this.#options.isCalled?.()) this.#ensureWorker()?.unref();
    const remainder = values ? threadBatch : batch;
    if (remainder.length > 0) this.#sendToThread(remainder);
    if (values) this.#deliver(inlineBatch, { values, failures: [] });
    if (remainder.length === 0 && (this.#batcher.size > 0 || this.#closePromise)) this.#scheduleTurn();
  }

  #sendToThread(batch: PendingStep[]): void {
    this.#inFlight = batch;
    this.#inline?.pauseWrites();
    const steps = toBatch(batch);
    const worker = this.#ensureWorker();
    if (worker === undefined) return;
    worker.ref();
    try {
      const buffers = batch.flatMap(({ order }) => order.given);
      if (buffers.length === 0) worker.postMessage(steps);
      else worker.postMessage({ steps, given: buffers } satisfies BatchWithBuffers, buffers);
    } catch {
      this.#inFlight = [];
      this.#batcher.putBack(batch.filter(canClone));
      this.#scheduleTurn();
    }
  }

  #ensureWorker(): Worker | undefined {
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      // The system can't start another thread.
      this.#onExit(error);
    }
    return this.#worker;
  }

  #receive(reply: BatchReply): void {
    this.#exitCount = 0;
    const batch = this.#inFlight;
    this.#inFlight = [];
    this.#deliver(batch, reply);
    this.#scheduleTurn();
  }

  #deliver(batch: readonly PendingStep[], { values, failures }: BatchReply): void {
    const hasNoPendingResults = this.#pendingResults.length === 0;
    if (hasNoPendingResults && failures.length === 0 && batch.length <= MAX_RESULTS_PER_TURN) {
      for (const [index, { resolve }] of batch.entries()) resolve(values[index]);
      return;
    }
    const failuresByIndex = new Map(failures.map((failure) => [failure.at, failure]));
    for (const [at, { resolve, reject }] of batch.entries()) {
      const failure = failuresByIndex.get(at);
      this.#pendingResults.push(failure ? () => reject(toError(failure)) : () => resolve(values[at]));
    }
    if (hasNoPendingResults) this.#deliverPendingResults();
  }

  #deliverPendingResults(): void {
    for (const deliverResult of this.#pendingResults.splice(0, MAX_RESULTS_PER_TURN)) deliverResult();
    if (this.#pendingResults.length > 0) setImmediate(() => this.#deliverPendingResults());
  }

  #start(): Worker {
    const { entry, folder, durability, file, files } = this.#options;
    // A thread may reject options of this process, so it gets none of them. In Node 22, every thread warns that SQLite is experimental.
    const worker = new Worker(entry, {
      workerData: { folder, durability, file, files },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    let reason: unknown;
    worker.on('message', (reply: BatchReply | typeof READY) => {
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

  /**
   * Rejects all calls of a thread that ended. The next call starts a new thread, after a pause that doubles with each consecutive
   * failure.
   */
  #onExit(reason: unknown): void {
    this.#worker = undefined;
    this.#isWarmingUp = false;
    const pendingSteps = [...this.#inFlight, ...this.#batcher.takeBatch(Number.POSITIVE_INFINITY)];
    this.#inFlight = [];
    const isExpectedEnd = this.#isEnding && reason === undefined;
    const error = isExpectedEnd ? undefined : createExitError(reason);
    for (const { reject } of pendingSteps) reject(error);
    this.#startAt = performance.now() + Math.min(MAX_BACK_OFF_MS, 25 * 2 ** this.#exitCount);
    this.#exitCount++;
    this.#settleClose?.(error);
  }

  /** Closes the database and ends the thread. Called once all calls have settled. */
  #end(): void {
    if (!this.#worker) this.#settleClose?.();
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#inline?.close();
    this.#worker?.ref();
    this.#worker?.postMessage(null);
  }
}

const toBatch = (batch: readonly PendingStep[]): Batch => batch.flatMap(({ order: { name, argument } }) => [name, argument]);

/** Whether the steps write so much that they would block the event loop. */
const isLarge = (batch: readonly PendingStep[]): boolean =>
  batch.reduce((sum, { order: { given } }) => given.reduce((bytes, { byteLength }) => bytes + byteLength, sum), 0) > MAX_INLINE_BYTES;

/** Rejects a call with an argument that can't be cloned, so that the other calls of its batch can be sent. */
function canClone({ order: { argument }, reject }: PendingStep): boolean {
  try {
    structuredClone(argument);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

function toError(failure: StepFailure): Error {
  if (failure.kind === 'step') return new StepError(failure);
  const { message, code, errcode } = failure;
  return new StorageError(`The database can't be written: ${message}. Check the disk, and other programs that lock the file.`, {
    cause: { message, code, errcode },
  });
}

function createExitError(reason: unknown): StorageError {
  const detail = reason instanceof Error ? reason.message : reason === undefined ? 'it was stopped' : String(reason);
  return new StorageError(`The thread that writes to the database ended: ${detail}`, { cause: reason });
}

interface InlineSteps {
  readonly open: OpenSteps<Steps>;
  /** Steps that touch only a few rows, whatever their argument. */
  readonly names: ReadonlySet<string>;
}

/** A larger batch would delay streams, so it's worth waking the thread. */
const MAX_INLINE_STEPS = 64;
/** After this many commits, one batch goes to the thread. The thread can then run a checkpoint, which waits for the disk. */
const MAX_COMMITS_IN_A_ROW = 200;
/**
 * A batch that takes longer is slow. This is well below the longest acceptable pause of the event loop. After several slow batches, or if
 * another process has the lock, the thread takes over for a while.
 */
const SLOW_MS = 8;
const MAX_SLOW_BATCHES = 2;
const PAUSE_MS = 1_000;

/** Null if every commit waits for the disk. */
export function openInlineWriter(options: Omit<DatabaseOptions, 'checkpoints'> & { readonly inline?: InlineSteps }): InlineWriter | null {
  const { folder, durability, inline, files } = options;
  if (inline === undefined || durability === 'strict') return null;
  const database = openDatabase({ folder, durability, checkpoints: 'elsewhere', files });
  database.connection.exec('PRAGMA busy_timeout = 0');
  return new InlineWriter(database, inline);
}

export class InlineWriter {
  readonly #database: Database;
  readonly #transact: (batch: Batch) => TransactionResult;
  #commitsInARow = 0;
  #slowBatches = 0;
  #pausedUntil = 0;

  constructor(database: Database, { open }: InlineSteps) {
    this.#database = database;
    this.#transact = openTransactions(database.connection, open(database.connection), database);
  }

  /**
   * Returns the results of the steps, or null if nothing was done and the thread must run the batch. `isServing`: whether streams may be
   * delayed and the thread is ready.
   */
  tryRun(batch: Batch, isServing: boolean): readonly unknown[] | null {
    const startedAt = performance.now();
    if (!isServing && this.#commitsInARow >= MAX_COMMITS_IN_A_ROW) this.#checkpoint(startedAt);
    if (!this.#canRun(batch, isServing, startedAt)) return null;
    const outcome = this.#tryTransact(batch);
    this.#commitsInARow++;
    if (isServing && performance.now() - startedAt > SLOW_MS) this.#slowBatches++;
    if (outcome.kind === 'failed' || this.#slowBatches > MAX_SLOW_BATCHES) this.#pausedUntil = startedAt + PAUSE_MS;
    return outcome.kind === 'committed' ? outcome.values : null;
  }

  /** Called when the thread has work. */
  pauseWrites(): void {
    this.#commitsInARow = 0;
    this.#slowBatches = 0;
  }

  close(): void {
    if (this.#database.connection.isOpen) this.#database.close();
  }

  /** If even the rollback fails, closes the connection for good. After such a failure, the thread opens a new one. */
  #tryTransact(batch: Batch): TransactionResult {
    try {
      return this.#transact(batch);
    } catch (error) {
      this.close();
      return { kind: 'failed', phase: 'commit', error };
    }
  }

  /** Runs a checkpoint. Before the first request, the wait for the disk delays nothing. */
  #checkpoint(now: number): void {
    try {
      this.#database.connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
      this.#commitsInARow = 0;
    } catch {
      // The database thread's next commit fails the same way and reports it to the caller.
      this.#pausedUntil = now + PAUSE_MS;
    }
  }

  #canRun(batch: Batch, isServing: boolean, now: number): boolean {
    if (!this.#database.connection.isOpen || now < this.#pausedUntil) return false;
    return !isServing || (batch.length <= MAX_INLINE_STEPS * 2 && this.#commitsInARow < MAX_COMMITS_IN_A_ROW);
  }
}
