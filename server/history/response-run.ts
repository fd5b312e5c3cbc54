/** One response under way in this process: keeps its events until they're written to the store, in batches. */

import { setTimeout as wait } from 'node:timers/promises';
import { packFrames, type RunKey, type RunStore, type RunWrite } from './run-store.ts';

/** How long events wait for others to be written with them. */
const BATCH_MS = 250;
/** Events that are written without a wait, in bytes. */
const BATCH_BYTES = 64 * 1024;
const RETRY_MS = 1_000;
/** Events that wait while the store is down, in bytes per run. Further ones are lost to later readers. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024;

/** Where failures are logged. */
export interface RunLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

interface ResponseRunOptions extends RunKey {
  readonly store: RunStore;
  readonly node: string;
  readonly log: RunLog;
  /** Writes a run that has ended together with others. */
  readonly writeLater: (write: RunWrite) => Promise<boolean>;
  /** Called when everything is written. */
  readonly onWritten: () => void;
}

export class ResponseRun implements RunKey {
  readonly accountId: string;
  readonly responseId: string;
  readonly #options: ResponseRunOptions;
  /** Blocks that the store doesn't have yet. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** The number of blocks that the store has. */
  #written = 0;
  #isLive = false;
  #isEnded = false;
  #isDiscarded = false;
  /** Whether another process has ended the run. */
  #isLost = false;
  /** Whether events are missing, because the store was down for too long. Then none can be read again. */
  #hasGap = false;
  #isWriting = false;
  readonly #allWritten = Promise.withResolvers<void>();
  /** Null if nothing waits for the next event. */
  #waiting: PromiseWithResolvers<void> | null = null;
  /** Aborted when the response is canceled, here or through another process. */
  readonly cancellation = new AbortController();

  constructor(options: ResponseRunOptions) {
    this.accountId = options.accountId;
    this.responseId = options.responseId;
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Writes events while the response runs, so that other processes can read them. Otherwise, they're written when it ends, or when they're many. */
  goLive(): void {
    if (this.#isLive || this.#isEnded) return;
    this.#isLive = true;
    this.#startWriting();
  }

  /** Adds complete frames. */
  add(frames: Buffer): void {
    if (frames.length === 0 || this.#isEnded || this.#isLost || this.#hasGap) return;
    if (this.#pendingBytes + frames.length > MAX_PENDING_BYTES) {
      this.#hasGap = true;
      return;
    }
    this.#pending.push(frames);
    this.#pendingBytes += frames.length;
    this.#notify();
    if (this.#isLive || this.#pendingBytes >= BATCH_BYTES) this.#startWriting();
  }

  /** Ends the run. Its events remain readable for some minutes. Resolves when they're written. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    if (this.#hasGap) return this.discard();
    this.#isEnded = true;
    this.#notify();
    this.#startWriting();
    await this.#allWritten.promise;
  }

  /** Drops all events: the response isn't stored, or the attempt failed before the caller received anything. */
  discard(): void {
    const { store, onWritten } = this.#options;
    this.#isDiscarded = true;
    this.#isEnded = true;
    this.#notify();
    this.#allWritten.resolve();
    if (this.#written > 0 || this.#isWriting || this.#isLive) void store.remove(this).catch(() => undefined);
    onWritten();
  }

  /** Returns the blocks from this one on, or null if the store has some of them. */
  readPending(fromBlock: number): readonly Buffer[] | null {
    return fromBlock < this.#written ? null : this.#pending.slice(fromBlock - this.#written);
  }

  /** Resolves with the next event, or when the run ends. */
  changed(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>();
    return this.#waiting.promise;
  }

  #notify(): void {
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  #startWriting(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#writeAll().finally(() => {
      if (!this.#isEnded) return;
      this.#options.onWritten();
      this.#allWritten.resolve();
    });
  }

  async #writeAll(): Promise<void> {
    while (!this.#isDiscarded) {
      if (!this.#isEnded && this.#pendingBytes < BATCH_BYTES) await wait(BATCH_MS, undefined, { ref: false });
      const isLast = this.#isEnded;
      const isWritten = await this.#writeBatch(isLast).catch((err: unknown) => this.#logFailure(err));
      // Events of an ended response are a convenience: it's stored already.
      if (isLast && (isWritten || !this.#isLive)) return;
      if (!isWritten) await wait(RETRY_MS, undefined, { ref: false });
      else if (this.#pending.length === 0 && !this.#isEnded) break;
    }
    this.#isWriting = false;
  }

  #logFailure(err: unknown): false {
    const { log, responseId } = this.#options;
    log.warn({ responseId, err }, 'events of a response not written');
    return false;
  }

  async #writeBatch(isLast: boolean): Promise<true> {
    const { store, node, writeLater } = this.#options;
    const blocks = this.#pending.length;
    const frames = Buffer.concat(this.#pending);
    const { accountId, responseId } = this;
    const endedAt = isLast ? Date.now() : null;
    const write = { accountId, responseId, node, endedAt, firstBlock: this.#written, blocks, packed: packFrames(frames) };
    const isOwn = isLast && !this.#isLive ? await writeLater(write) : await store.write(write);
    if (!isOwn) this.#isLost = true;
    this.#pending.splice(0, blocks);
    this.#pendingBytes -= frames.length;
    this.#written += blocks;
    return true;
  }
}
