/** Queues the rows of rejected calls by caller. Similar rows are joined, so that one caller can't fill the request log. */
import { type CallRecord, type LogRow, toRow } from './call-record.ts';
import { HOUR_MS } from './time-bucket.ts';

/** The limit for all callers together, at about 400 bytes per row. */
const MAX_QUEUED = 1_000;

/** The limit for one account, or for all unknown callers together. */
const MAX_PER_CALLER = 100;

/** The limit per caller while all callers together have MAX_QUEUED. It keeps rows of quiet accounts alongside a flood. */
const MAX_PER_CALLER_IN_FLOOD = 10;

/** The limit per caller in each turn, after a burst of MAX_PER_CALLER. It makes the disk space of all callers last for days. */
const ROWS_ADDED_PER_TURN = 2;

export const countCalls = (rows: readonly LogRow[]): number => rows.reduce((sum, { repeats }) => sum + 1 + repeats, 0);

/** A row that more calls can join. */
type JoinableRow = { -readonly [Name in keyof LogRow]: LogRow[Name] };

/** Waiting rows, oldest first. If the queue is full, a call joins a row of its kind, so that all totals stay correct. */
export class RowQueue {
  #rows: JoinableRow[] = [];
  /** The newest row of each kind. Null until the queue is full. */
  #rowsByGroup: Map<string, JoinableRow> | null = null;

  get size(): number {
    return this.#rows.length;
  }
  get oldest(): LogRow | undefined {
    return this.#rows[0];
  }

  find(requestId: string): LogRow | undefined {
    return this.#rows.find((row) => row.request_id === requestId);
  }

  /** At `maxRows` rows, only a new kind gets a row. At twice that, only a new kind by account, code, and outcome. */
  add(record: CallRecord, maxRows: number): void {
    if (this.#rows.length >= maxRows && this.#mergeIntoRow(record)) return;
    if (this.#rows.length < 2 * maxRows) {
      this.#push(record);
      return;
    }
    const coarseRecord = {
      ...record,
      key_id: null,
      model: null,
      operation: null,
      upstream: null,
      session: null,
      end_user: null,
      tag: null,
    };
    if (!this.#mergeIntoRow(coarseRecord)) this.#push(coarseRecord);
  }

  dequeue(maxRows: number): readonly LogRow[] {
    this.#rowsByGroup = null;
    return this.#rows.splice(0, maxRows);
  }

  #push(record: CallRecord): void {
    const row = toRow(record);
    this.#rows.push(row);
    this.#rowsByGroup?.set(toGroupKey(row), row);
  }

  #mergeIntoRow(record: CallRecord): boolean {
    this.#rowsByGroup ??= new Map(this.#rows.map((row) => [toGroupKey(row), row]));
    const row = this.#rowsByGroup.get(toGroupKey(record));
    if (!row) return false;
    row.repeats++;
    for (const name of mergedColumns) row[name] += record[name];
    if (record.vendor_cost !== null) row.vendor_cost = (row.vendor_cost ?? 0) + record.vendor_cost;
    return true;
  }
}

const mergedColumns = ['input', 'cached_input', 'cache_write', 'output', 'images'] as const;

/** The columns that totals are grouped by. Calls with and without a known provider cost are counted separately. */
function toGroupKey(row: Omit<CallRecord, 'details'>): string {
  const { account_id, key_id, model, operation, upstream, session, end_user, tag, code, outcome, ended_at, vendor_cost } = row;
  const hour = Math.floor(ended_at / HOUR_MS);
  return JSON.stringify([
    account_id,
    key_id,
    model,
    operation,
    upstream,
    session,
    end_user,
    tag,
    code,
    outcome,
    hour,
    vendor_cost === null,
  ]);
}

interface CallerQueue {
  readonly queue: RowQueue;
  /** The number of rows that the next turn can write for this caller. Each turn raises it, up to a maximum. */
  left: number;
}

/** Calls that can be a flood, by account. Each account gets its share of the written rows. */
export class CallerQueues {
  /** In round-robin order: the account served last comes last. */
  readonly #queues = new Map<string, CallerQueue>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(record: CallRecord): void {
    const { queue } = this.#getQueue(record.account_id ?? '');
    const sizeBefore = queue.size;
    queue.add(record, this.#size < MAX_QUEUED ? MAX_PER_CALLER : MAX_PER_CALLER_IN_FLOOD);
    this.#size += queue.size - sizeBefore;
  }

  find(requestId: string): LogRow | undefined {
    for (const { queue } of this.#queues.values()) {
      const row = queue.find(requestId);
      if (row) return row;
    }
    return undefined;
  }

  /** Returns when the oldest waiting call ended, or undefined if none is waiting. */
  getOldest(): number | undefined {
    const endTimes = [...this.#queues.values()].flatMap(({ queue }) => queue.oldest?.ended_at ?? []);
    return endTimes.length === 0 ? undefined : Math.min(...endTimes);
  }

  /**
   * Removes the next rows to write, at most `maxRows`. Each turn slightly raises every caller's share. `isLast`: there's no further turn, so
   * all rows can go.
   */
  dequeue(maxRows: number, isLast = false): readonly LogRow[] {
    const rows: LogRow[] = [];
    for (const [name, callerQueue] of [...this.#queues]) {
      callerQueue.left = Math.min(MAX_PER_CALLER, callerQueue.left + ROWS_ADDED_PER_TURN);
      const rowLimit = isLast ? callerQueue.queue.size : callerQueue.left;
      const batch = callerQueue.queue.dequeue(Math.min(rowLimit, maxRows - rows.length));
      rows.push(...batch);
      callerQueue.left = Math.max(0, callerQueue.left - batch.length);
      if (batch.length > 0) this.#queues.delete(name);
      if (callerQueue.queue.size > 0 || callerQueue.left < MAX_PER_CALLER) this.#queues.set(name, callerQueue);
      else this.#queues.delete(name);
    }
    this.#size -= rows.length;
    return rows;
  }

  #getQueue(name: string): CallerQueue {
    const existingQueue = this.#queues.get(name);
    if (existingQueue) return existingQueue;
    const callerQueue: CallerQueue = { queue: new RowQueue(), left: MAX_PER_CALLER };
    this.#queues.set(name, callerQueue);
    return callerQueue;
  }
}
