/** Responses in flight in this process, and readers of events from this and other processes. */

import { setTimeout as wait } from 'node:timers/promises';
import { throwStoreDown } from '../primitives/errors.ts';
import { ResponseRun, type RunLog } from './response-run.ts';
import { packFrames, type RunKey, type RunState, type RunStore, type RunWrite, unpackFrames } from './run-store.ts';

/** How long the events of an ended response can be read. */
const EVENTS_KEPT_MS = 600_000;
/** How often a reader looks for events of another process, and a process for cancellations. */
const POLL_MS = 250;
/** Between two steps of a sweep, in which calls use the store. */
const SWEEP_PAUSE_MS = 25;
const SWEEP_INTERVAL_MS = 60_000;

interface ResponseRunsOptions {
  readonly store: RunStore;
  /** This process, as named in its heartbeat. */
  readonly node: string;
  readonly log: RunLog;
  readonly isAlone: boolean;
}

/** Runs that ended within moments. */
interface EndedBatch {
  readonly writes: RunWrite[];
  readonly written: Promise<boolean>;
  /** Writes them now. */
  readonly flush: () => void;
}

export class ResponseRuns {
  readonly #store: RunStore;
  readonly #node: string;
  readonly #log: RunLog;
  /** Whether no other process uses the store. */
  readonly #isAlone: boolean;
  readonly #byKey = new Map<string, ResponseRun>();
  readonly #sweepTimer: NodeJS.Timeout;
  #cancelTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #endedBatch: EndedBatch | null = null;

  constructor({ store, node, log, isAlone }: ResponseRunsOptions) {
    this.#isAlone = isAlone;
    this.#store = store;
    this.#node = node;
    this.#log = log;
    this.#sweepTimer = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  /** Opens a run whose events are kept in memory until it ends, or goes live. */
  open({ accountId, responseId }: RunKey): ResponseRun {
    const key = toMapKey({ accountId, responseId });
    const onWritten = (): void => void this.#byKey.delete(key);
    const run = new ResponseRun({
      accountId,
      responseId,
      store: this.#store,
      node: this.#node,
      log: this.#log,
      onWritten,
      writeLater: (write) => this.#writeLater(write),
    });
    this.#byKey.set(key, run);
    return run;
  }

  /** Begins a run that other processes can see, and cancel, from now on. Rejects if the store fails. */
  async begin(key: RunKey): Promise<ResponseRun> {
    const noEvents = { firstBlock: 0, blocks: 0, packed: new Uint8Array() };
    await this.#store.write({ ...key, ...noEvents, node: this.#node, endedAt: null }).catch(throwStoreDown);
    const run = this.open(key);
    run.goLive();
    this.#cancelTimer ??= setInterval(() => void this.#applyCancellations(), POLL_MS).unref();
    return run;
  }

  /** Undefined if the response has no events, or they were deleted. */
  async find(key: RunKey): Promise<RunState | undefined> {
    const run = this.#byKey.get(toMapKey(key));
    if (run) return { endedAt: run.isEnded ? Date.now() : null };
    const state = await this.#store.find(key);
    return state && (state.endedAt === null || state.endedAt > Date.now() - EVENTS_KEPT_MS) ? state : undefined;
  }

  /**
   * Asks the process that runs the response to cancel it, and waits until it has ended. Returns false if it hasn't ended in time. Does nothing if it has
   * ended already.
   */
  async cancel(key: RunKey, maxWaitMs: number): Promise<boolean> {
    const run = this.#byKey.get(toMapKey(key));
    run?.cancellation.abort();
    if (!run && !(await this.#store.cancel(key, Date.now()))) return true;
    for (const startedAt = performance.now(); performance.now() - startedAt < maxWaitMs; ) {
      if (run) await Promise.race([run.changed(), wait(POLL_MS)]);
      else await wait(POLL_MS);
      const state = run ? { endedAt: run.isEnded ? 0 : null } : await this.#store.find(key);
      if (!state || state.endedAt !== null) return true;
    }
    return false;
  }

  /**
   * Yields the events of a response from the first one on, and continues while it runs. Yields an empty buffer at least every `heartbeatMs`, so that the
   * reader can show its caller that it's alive.
   */
  async *readEvents(key: RunKey, heartbeatMs: number): AsyncGenerator<Buffer> {
    let [next, silentSince] = [0, performance.now()];
    for (;;) {
      const run = this.#byKey.get(toMapKey(key));
      const changed = run?.changed();
      const isOver = run?.isEnded === true;
      const pending = run?.readPending(next) ?? null;
      let isEnded = isOver && pending !== null;
      const blocks: Buffer[] = [];
      if (pending) {
        blocks.push(...pending);
        next += pending.length;
      } else {
        const stored = await this.#readBatches(key, next);
        blocks.push(...stored.frames);
        ({ next } = stored);
        // A full read may not be the last one.
        isEnded = blocks.length === 0 && stored.isEnded;
      }
      yield* blocks;
      if (isEnded) return;
      if (blocks.length > 0) silentSince = performance.now();
      else if (performance.now() - silentSince >= heartbeatMs) {
        silentSince = performance.now();
        yield Buffer.alloc(0);
      }
      if (pending) await Promise.race([changed, wait(Math.min(heartbeatMs, 1_000))]);
      else if (blocks.length === 0) await wait(POLL_MS);
    }
  }

  /** Takes over runs of dead processes. Each must be ended. */
  claimOrphans(): Promise<readonly RunKey[]> {
    return this.#store.claimOrphans(this.#node, this.#isAlone);
  }

  /** Returns all events that the store has, and the number of their blocks. */
  async readStored(key: RunKey): Promise<{ readonly frames: Buffer; readonly blocks: number }> {
    const frames: Buffer[] = [];
    for (let blocks = 0; ; ) {
      const stored = await this.#readBatches(key, blocks);
      if (stored.frames.length === 0) return { frames: Buffer.concat(frames), blocks };
      frames.push(...stored.frames);
      blocks = stored.next;
    }
  }

  /** Ends a run that this process doesn't run, with its last events. */
  async endOrphan(key: RunKey, firstBlock: number, frames: Buffer): Promise<void> {
    await this.#store.write({ ...key, node: this.#node, endedAt: Date.now(), firstBlock, blocks: 1, packed: packFrames(frames) });
  }

  remove(key: RunKey): Promise<void> {
    return this.#store.remove(key);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the events of ended streams are written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweepTimer);
    clearInterval(this.#cancelTimer);
    // The timer of the batch keeps no process alive.
    this.#endedBatch?.flush();
    await this.#endedBatch?.written.catch(() => undefined);
  }

  /** Reads events from a block on, as many as fit into one read. `next`: the block after them. A run without events has ended. */
  async #readBatches(
    key: RunKey,
    from: number,
  ): Promise<{ readonly frames: readonly Buffer[]; readonly next: number; readonly isEnded: boolean }> {
    const { batches, endedAt } = (await this.#store.readEvents(key, from)) ?? { batches: [], endedAt: 0 };
    const last = batches.at(-1);
    const next = last ? last.firstBlock + last.blocks : from;
    return { frames: batches.map(({ packed }) => unpackFrames(packed)), next, isEnded: endedAt !== null };
  }

  #writeLater(write: RunWrite): Promise<boolean> {
    this.#endedBatch ??= this.#openBatch();
    this.#endedBatch.writes.push(write);
    return this.#endedBatch.written;
  }

  /** Most runs end in the foreground, and nothing waits for their events. So they're written together. */
  #openBatch(): EndedBatch {
    const writes: RunWrite[] = [];
    const { promise, resolve: flush } = Promise.withResolvers<void>();
    setTimeout(flush, POLL_MS).unref();
    const written = promise.then(async () => {
      this.#endedBatch = null;
      await this.#store.writeAll(writes);
      return true;
    });
    return { writes, written, flush };
  }

  async #applyCancellations(): Promise<void> {
    if (this.#byKey.size === 0) {
      clearInterval(this.#cancelTimer);
      this.#cancelTimer = undefined;
      return;
    }
    try {
      for (const key of await this.#store.listCancelled(this.#node)) this.#byKey.get(toMapKey(key))?.cancellation.abort();
    } catch {
      // The next round tries again.
    }
  }

  async #sweep(): Promise<void> {
    try {
      while ((await this.#store.sweep(Date.now() - EVENTS_KEPT_MS)) > 0) await wait(SWEEP_PAUSE_MS);
    } catch (err) {
      this.#log.error({ err }, 'deleting events of responses failed');
    }
  }
}

/** IDs contain no space. */
const toMapKey = ({ accountId, responseId }: RunKey): string => `${accountId} ${responseId}`;
