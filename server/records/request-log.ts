/**
 * The request log of this process. Rows wait in memory and are written about once a second, so that no call waits for the log and no flood fills the disk.
 */

import { StorageError } from '../store/errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { CallRecord, LogRow } from './call-record.ts';
import { CallerQueues, countCalls, RowQueue } from './caller-queues.ts';
import { findRequest } from './list-requests.ts';
import { reconcileHours } from './reconcile-hours.ts';
import { KEY_HOURS_DAYS } from './rollups.ts';
import type { ActivityStore } from './store.ts';
import { DAY_MS } from './time-bucket.ts';

/** How many days rows are kept. Rows of callers with an unrecognized key have separate bounds. */
interface RequestLogBounds {
  readonly days: number;
  readonly unknownDays: number;
  readonly maxUnknown: number;
}

interface RequestLogOptions {
  readonly store: ActivityStore;
  readonly bounds: RequestLogBounds;
  readonly log: Log;
  /** Whether calls are charged. */
  readonly hasLedger: boolean;
}

const FLUSH_INTERVAL_MS = 1_000;
/** The interval between comparisons. None at startup, which would have to wait for it. */
const CHECK_INTERVAL_MS = 300_000;
/** The time after the end of a day until its totals are computed. Its calls are written by then, except those delayed by the store. */
const CLOSED_AFTER_MS = 7_200_000;
/** The maximum number of rows for calls that reached an upstream or were charged, at about 600 bytes each. Those can't be a flood. */
const MAX_PENDING_ROWS = 10_000;
/** Maximum number of rows per step, because paid calls may wait for the commit. */
const MAX_BATCH = 200;
/** Turns between two log lines about dropped calls, so that a flood doesn't fill the log. */
const TURNS_PER_REPORT = 60;

/** These calls reached no upstream, so anyone can send thousands per second. */
const mayFlood = ({ attempts, charged }: CallRecord): boolean => attempts === 0 && charged === null;

export class RequestLog {
  readonly ask: ActivityStore['ask'];
  readonly #options: RequestLogOptions;
  readonly #timers: readonly NodeJS.Timeout[];
  #bounds: RequestLogBounds;
  readonly #callerQueues = new CallerQueues();
  readonly #rowQueue = new RowQueue();
  /** The batch in flight, or the batch to retry after a failure. */
  #inFlightRows: readonly LogRow[] = [];
  #currentFlush: Promise<void> | null = null;
  #isReconciling = false;
  #droppedCount = 0;
  #turnCount = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#bounds = options.bounds;
    this.ask = options.store.ask;
    this.#timers = [
      setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref(),
      setInterval(() => void this.reconcile().then(() => this.closeDays()), CHECK_INTERVAL_MS).unref(),
    ];
  }

  /** Called after a reload changes the bounds. */
  setBounds(bounds: RequestLogBounds): void {
    this.#bounds = bounds;
  }

  /** Adds a call that has ended. Fast and never fails. */
  addCall(record: CallRecord): void {
    const { days, maxUnknown } = this.#bounds;
    if (days === 0 || (record.account_id === null && maxUnknown === 0)) return;
    if (mayFlood(record)) this.#callerQueues.add(record);
    else if (this.#rowQueue.size < MAX_PENDING_ROWS || record.charged === null) this.#rowQueue.add(record, MAX_PENDING_ROWS);
    // The row is restored from its charge when the hour is compared with the ledger.
    else this.#droppedCount++;
  }

  /** Finds a call. This process's calls are found immediately, other processes' calls once written. */
  async find(requestId: string): Promise<LogRow | undefined> {
    const hasRequestId = (row: LogRow): boolean => row.request_id === requestId;
    const pendingRow = this.#callerQueues.find(requestId) ?? this.#rowQueue.find(requestId) ?? this.#inFlightRows.find(hasRequestId);
    return pendingRow ?? (await findRequest(this.#options.store.ask, requestId));
  }

  /** Returns the time before which all ended calls of this process are written. */
  getCompleteUntil(): number {
    const endTimes = [this.#callerQueues.getOldest(), this.#rowQueue.oldest?.ended_at, ...this.#inFlightRows.map(({ ended_at: at }) => at)];
    return Math.min(Date.now(), ...endTimes.filter((at) => at !== undefined));
  }

  /** Returns the time since which rows are kept, in milliseconds since 1970. */
  getRowsFrom(): number {
    return Date.now() - this.#bounds.days * DAY_MS;
  }

  /** Writes the buffered rows. Never rejects. If the store is down, rows stay in the buffer until it's full. */
  flush(isLast = false): Promise<void> {
    this.#currentFlush ??= this.#write(isLast).finally(() => {
      this.#currentFlush = null;
    });
    return this.#currentFlush;
  }

  /** Deletes one batch of expired rows. Returns the number of rows, 0 if none are left. */
  sweep(): Promise<number> {
    const { days, unknownDays, maxUnknown } = this.#bounds;
    const now = Date.now();
    const unknownBefore = now - unknownDays * DAY_MS;
    return this.#options.store.sweep({
      before: now - days * DAY_MS,
      unknownBefore,
      maxUnknown,
      hoursBefore: now - KEY_HOURS_DAYS * DAY_MS,
    });
  }

  /** Compares closed hours with the ledger, as every five minutes, and logs the hours that disagree. Never rejects. */
  async reconcile(): Promise<void> {
    const { store, log, hasLedger } = this.#options;
    const { days } = this.#bounds;
    if (!hasLedger || days === 0 || this.#isReconciling) return;
    this.#isReconciling = true;
    try {
      for (const { hour, posted, summed } of await reconcileHours({ store, now: Date.now(), days })) {
        const fields = { hour: new Date(hour).toISOString(), posted, summed };
        if (posted !== summed) log.warn(fields, 'request log and ledger disagree for an hour');
      }
    } catch (error) {
      // The store logs its own outage, and the next turn tries again.
      if (!(error instanceof StorageError)) log.error({ err: error }, 'comparing the request log with the ledger failed');
    } finally {
      this.#isReconciling = false;
    }
  }

  /** Computes daily totals from the hours of past days. One day per step, because paid calls may wait for the commit. Never rejects. */
  async closeDays(): Promise<void> {
    const { store, log } = this.#options;
    try {
      while (await store.closeDay(Date.now() - CLOSED_AFTER_MS));
    } catch (error) {
      if (!(error instanceof StorageError)) log.error({ err: error }, 'computing daily totals failed');
    }
  }

  /** Writes the full buffer, if the store responds. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#currentFlush;
    await this.flush(true);
    const noLimit = Number.POSITIVE_INFINITY;
    this.#droppedCount += countCalls([
      ...this.#inFlightRows,
      ...this.#rowQueue.dequeue(noLimit),
      ...this.#callerQueues.dequeue(noLimit, true),
    ]);
    this.#reportDropped();
  }

  /** Runs a turn: writes one batch of possible floods, as far as their shares allow, and all other calls. */
  async #write(isLast: boolean): Promise<void> {
    if (this.#turnCount++ % TURNS_PER_REPORT === 0) this.#reportDropped();
    for (let hasTurn = true; ; hasTurn = isLast) {
      if (this.#inFlightRows.length === 0) this.#inFlightRows = this.#createBatch(hasTurn, isLast);
      if (this.#inFlightRows.length === 0) return;
      if (!(await this.#add())) return;
    }
  }

  #createBatch(hasTurn: boolean, isLast: boolean): readonly LogRow[] {
    const callerRows = hasTurn ? this.#callerQueues.dequeue(MAX_BATCH, isLast) : [];
    return [...callerRows, ...this.#rowQueue.dequeue(MAX_BATCH - callerRows.length)];
  }

  /** Returns false if the store is down. The store logs its own outage, and the next turn tries again. */
  async #add(): Promise<boolean> {
    try {
      await this.#options.store.add(this.#inFlightRows);
    } catch (error) {
      if (error instanceof StorageError) return false;
      this.#options.log.error({ err: error }, 'writing calls to the request log failed');
      this.#droppedCount += countCalls(this.#inFlightRows);
    }
    this.#inFlightRows = [];
    return true;
  }

  #reportDropped(): void {
    if (this.#droppedCount === 0) return;
    this.#options.log.warn({ dropped: this.#droppedCount }, "request log can't keep up; calls dropped");
    this.#droppedCount = 0;
  }
}
