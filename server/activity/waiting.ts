/** The buffer of calls that asked no upstream, refusals most of all: bounded, and shared fairly between accounts. In a flood, calls of one kind are joined. */
import { type CallRecord, type LogRow, rowOf } from './record.ts';

/** All together, some 400 bytes each. */
const MOST_WAITING = 1_000;
/** The most of one account, or of all unknown callers together. */
const MOST_OF_ONE = 100;
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
    if (line.waiting.length >= MOST_OF_ONE && newest && isAlike(newest, record)) {
      newest.repeats++;
      return;
    }
    line.waiting.push(rowOf(record));
    this.#size++;
    if (line.waiting.length > MOST_OF_ONE) this.#dropFrom(line);
    else if (this.#size > MOST_WAITING) this.#dropFrom(this.#longest());
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
      line.left = Math.min(MOST_OF_ONE, line.left + PER_TURN);
      const share = isLast ? line.waiting.length : line.left;
      const some = line.waiting.splice(0, Math.min(share, most - taken.length));
      taken.push(...some);
      line.left = Math.max(0, line.left - some.length);
      if (some.length > 0) this.#lines.delete(name);
      if (line.waiting.length > 0 || line.left < MOST_OF_ONE) this.#lines.set(name, line);
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
    const line: Line = { waiting: [], left: MOST_OF_ONE };
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
