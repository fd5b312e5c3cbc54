/** The request log of this process: rows wait in memory and are written about once a second, so that no call waits for it and no flood fills the disk. */
import { StorageError } from '../storage/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { findRow } from './reads.ts';
import { reconcileHours } from './reconcile.ts';
import { type ActivityStore, type CallRecord, type LogRow, rowOf } from './record.ts';
import { DAY_MS, KEY_HOURS_DAYS } from './sums.ts';

export interface Activity {
  /** A reload has changed the bounds. */
  adopt(bounds: ActivityBounds): void;
  /** Adds a call that has ended; fast, and never fails. */
  keep(record: CallRecord): void;
  /** Finds one: those of this process at once, those of others when they have written it. */
  find(requestId: string): Promise<LogRow | undefined>;
  readonly ask: ActivityStore['ask'];
  /** All calls of this process that ended before this time are written. */
  completeUntil(): number;
  /** From when on rows are kept, in milliseconds since 1970. */
  rowsFrom(): number;
  /** Writes what waits. Never rejects: when the store is down, the rest stays in the buffer, as far as there is room. */
  flush(): Promise<void>;
  /** Compares closed hours with the ledger, as it does every five minutes. Never rejects. */
  reconcile(): Promise<void>;
  /** Makes sums by day of the hours of days that are over. Never rejects. */
  closeDays(): Promise<void>;
  /** Deletes some of what is too old, and returns how many rows; 0 when there is no more. */
  sweep(): Promise<number>;
  /** Writes the whole buffer, if the store answers. */
  close(): Promise<void>;
}

/** Days that rows are kept; those of callers whose key was not recognized have separate bounds. */
export interface ActivityBounds {
  readonly days: number;
  readonly unknownDays: number;
  readonly maxUnknown: number;
}

interface ActivityParts {
  readonly store: ActivityStore;
  readonly bounds: ActivityBounds;
  readonly log: Log;
  /** Whether calls are charged. */
  readonly hasLedger: boolean;
}

const TURN_MS = 1_000;
/** Between two looks for hours that were closed; not at the start, which would have to wait. */
const CHECK_MS = 300_000;
/** After the end of a day, until its sums by day are made: calls of that day are written by then, but for those that a store kept waiting. */
const CLOSED_AFTER_MS = 7_200_000;
/** Calls that cannot be a flood, because an upstream was asked for each; some 600 bytes each. */
const MAX_WAITING = 10_000;
/** Maximum number of rows per step, because paid calls may wait for the commit. */
const MAX_BATCH = 200;
/** Turns between two log lines about dropped rows, so that a flood does not fill the log. */
const REPORT_EVERY = 60;

export function openActivity(parts: ActivityParts): Activity {
  const activity = new OpenActivity(parts);
  const timer = setInterval(() => void activity.flush(), TURN_MS).unref();
  const checks = setInterval(() => void activity.reconcile().then(() => activity.closeDays()), CHECK_MS).unref();
  return {
    keep: (record) => activity.keep(record),
    find: (requestId) => activity.find(requestId),
    adopt(bounds) {
      activity.bounds = bounds;
    },
    ask: parts.store.ask,
    completeUntil: () => activity.completeUntil(),
    rowsFrom: () => Date.now() - activity.bounds.days * DAY_MS,
    flush: () => activity.flush(),
    reconcile: () => activity.reconcile(),
    closeDays: () => activity.closeDays(),
    sweep: () => activity.sweep(),
    close() {
      clearInterval(timer);
      clearInterval(checks);
      return activity.close();
    },
  };
}

/** No upstream was asked for such a call, so somebody may send thousands a second. */
const mayFlood = ({ attempts, charged }: CallRecord): boolean => attempts === 0 && charged === null;

class OpenActivity {
  readonly #parts: ActivityParts;
  bounds: ActivityBounds;
  readonly #light = new Waiting();
  #waiting: LogRow[] = [];
  /** The batch that is being written, or that is retried after a failure. */
  #flying: readonly LogRow[] = [];
  #running: Promise<void> | null = null;
  #isComparing = false;
  #dropped = 0;
  #turns = 0;

  constructor(parts: ActivityParts) {
    this.#parts = parts;
    this.bounds = parts.bounds;
  }

  keep(record: CallRecord): void {
    const { days, maxUnknown } = this.bounds;
    if (days === 0 || (record.account_id === null && maxUnknown === 0)) return;
    if (mayFlood(record)) this.#light.add(record);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(rowOf(record));
    else this.#dropped++;
  }

  async find(requestId: string): Promise<LogRow | undefined> {
    const isIt = (row: LogRow): boolean => row.request_id === requestId;
    const own = this.#light.find(requestId) ?? this.#waiting.find(isIt) ?? this.#flying.find(isIt);
    return own ?? (await findRow(this.#parts.store.ask, requestId));
  }

  completeUntil(): number {
    const oldest = [this.#light.oldest(), this.#waiting[0]?.ended_at, ...this.#flying.map(({ ended_at: at }) => at)];
    return Math.min(Date.now(), ...oldest.filter((at) => at !== undefined));
  }

  flush(isLast = false): Promise<void> {
    this.#running ??= this.#write(isLast).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  sweep(): Promise<number> {
    const { days, unknownDays, maxUnknown } = this.bounds;
    const now = Date.now();
    const unknownBefore = now - unknownDays * DAY_MS;
    return this.#parts.store.sweep({ before: now - days * DAY_MS, unknownBefore, maxUnknown, hoursBefore: now - KEY_HOURS_DAYS * DAY_MS });
  }

  /** Compares closed hours with the ledger, and says in the log where they differ. Never rejects. */
  async reconcile(): Promise<void> {
    const { store, log, hasLedger } = this.#parts;
    const { days } = this.bounds;
    if (!hasLedger || days === 0 || this.#isComparing) return;
    this.#isComparing = true;
    try {
      for (const { hour, booked, summed } of await reconcileHours({ store, now: Date.now(), days })) {
        const fields = { hour: new Date(hour).toISOString(), booked, summed };
        if (booked !== summed) log.warn(fields, 'request log and ledger disagree for an hour');
      }
    } catch (error) {
      // A store that is down has its own line in the log, and is asked again in the next turn.
      if (!(error instanceof StorageError)) log.error({ err: error }, 'comparing the request log with the ledger failed');
    } finally {
      this.#isComparing = false;
    }
  }

  /** One day in each step: paid calls may have to wait for the commit. */
  async closeDays(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      while (await store.closeDay(Date.now() - CLOSED_AFTER_MS));
    } catch (error) {
      if (!(error instanceof StorageError)) log.error({ err: error }, 'computing daily totals failed');
    }
  }

  async close(): Promise<void> {
    await this.#running;
    await this.flush(true);
    this.#dropped += this.#flying.length + this.#waiting.length + this.#light.size;
    this.#report();
  }

  /** A turn: calls that may be a flood once, as far as their shares reach, and everything else. */
  async #write(isLast: boolean): Promise<void> {
    this.#dropped += this.#light.takeDropped();
    if (this.#turns++ % REPORT_EVERY === 0) this.#report();
    for (let hasTurn = true; ; hasTurn = isLast) {
      if (this.#flying.length === 0) this.#flying = this.#next(hasTurn, isLast);
      if (this.#flying.length === 0) return;
      if (!(await this.#add())) return;
    }
  }

  #next(hasTurn: boolean, isLast: boolean): readonly LogRow[] {
    const light = hasTurn ? this.#light.take(MAX_BATCH, isLast) : [];
    return [...light, ...this.#waiting.splice(0, MAX_BATCH - light.length)];
  }

  /** False when the store is down: it has its own line in the log, and is asked again in the next turn. */
  async #add(): Promise<boolean> {
    try {
      await this.#parts.store.add(this.#flying);
    } catch (error) {
      if (error instanceof StorageError) return false;
      this.#parts.log.error({ err: error }, 'writing calls to the request log failed');
      this.#dropped += this.#flying.length;
    }
    this.#flying = [];
    return true;
  }

  #report(): void {
    if (this.#dropped === 0) return;
    this.#parts.log.warn({ dropped: this.#dropped }, "request log can't keep up; calls dropped");
    this.#dropped = 0;
  }
}

/** All together, some 400 bytes each. */
const MAX_QUEUED = 1_000;
/** The most of one account, or of all unknown callers together. */
const MAX_PER_CALLER = 100;
/** Of one of them in each turn, once it has used up a store of as many as may wait: what is left for the others has to last for days. */
const PER_TURN = 2;

/** A row that more calls may join. */
type Joinable = LogRow & { repeats: number };

interface Line {
  readonly waiting: Joinable[];
  /** How many may be written still. */
  left: number;
}

export class Waiting {
  /** By account; the account that was served last comes last. */
  readonly #lines = new Map<string, Line>();
  #size = 0;
  #dropped = 0;

  get size(): number {
    return this.#size;
  }

  /** Where an account has no room left, a call joins the newest one if it is of the same kind; else the oldest of those who have the most goes. */
  add(record: CallRecord): void {
    const line = this.#lineOf(record.account_id ?? '');
    const newest = line.waiting.at(-1);
    if (line.waiting.length >= MAX_PER_CALLER && newest && isAlike(newest, record)) {
      newest.repeats++;
      return;
    }
    line.waiting.push(rowOf(record));
    this.#size++;
    if (line.waiting.length > MAX_PER_CALLER) this.#dropFrom(line);
    else if (this.#size > MAX_QUEUED) this.#dropFrom(this.#longest());
  }

  find(requestId: string): LogRow | undefined {
    for (const { waiting } of this.#lines.values()) {
      const found = waiting.find((one) => one.request_id === requestId);
      if (found) return found;
    }
    return undefined;
  }

  /** The end of the oldest call that waits; undefined when none does. */
  oldest(): number | undefined {
    const ends = [...this.#lines.values()].flatMap(({ waiting }) => waiting[0]?.ended_at ?? []);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /** The next ones to be written, at most so many. A new turn gives everybody a little more to use; `isLast`: there will be no other, so all may go. */
  take(most: number, isLast = false): readonly LogRow[] {
    const taken: LogRow[] = [];
    for (const [name, line] of [...this.#lines]) {
      line.left = Math.min(MAX_PER_CALLER, line.left + PER_TURN);
      const share = isLast ? line.waiting.length : line.left;
      const some = line.waiting.splice(0, Math.min(share, most - taken.length));
      taken.push(...some);
      line.left = Math.max(0, line.left - some.length);
      if (some.length > 0) this.#lines.delete(name);
      if (line.waiting.length > 0 || line.left < MAX_PER_CALLER) this.#lines.set(name, line);
      else this.#lines.delete(name);
    }
    this.#size -= taken.length;
    return taken;
  }

  /** How many were dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  #lineOf(name: string): Line {
    const known = this.#lines.get(name);
    if (known) return known;
    const line: Line = { waiting: [], left: MAX_PER_CALLER };
    this.#lines.set(name, line);
    return line;
  }

  #longest(): Line {
    const [first, ...rest] = this.#lines.values();
    if (!first) throw new TypeError('nothing waits');
    return rest.reduce((longest, line) => (line.waiting.length > longest.waiting.length ? line : longest), first);
  }

  #dropFrom({ waiting }: Line): void {
    const gone = waiting.shift();
    this.#size--;
    this.#dropped += 1 + (gone?.repeats ?? 0);
  }
}

const isAlike = (row: LogRow, record: CallRecord): boolean =>
  row.key_id === record.key_id && row.code === record.code && row.model === record.model && row.operation === record.operation;
