/** A timeout for calls of a store, with one timer for all: a timer per call would cost more than most calls. */
import { randomFillSync } from 'node:crypto';

/**
 * Rejects with the error from `late` when the work takes longer. The work itself continues; the caller must handle its result.
 * Time is counted in ticks of the event loop, so that a busy process doesn't mistake its own pause for one of the store.
 */
type SharedTimeout = <T>(work: Promise<T>, waitMs: number, late: () => Error) => Promise<T>;

const atOnce = (end: () => void): void => end();

/** Timeouts are accurate to one tick. `finish` ends a wait; with setImmediate, data that arrived while the process was busy is read first. */
export function openSharedTimeout(tickMs: number, finish: (end: () => void) => unknown = atOnce): SharedTimeout {
  const clock = new Clock(tickMs);
  return (work, waitMs, late) =>
    new Promise((resolve, reject) => {
      // One more tick, because the first may come immediately.
      const tooLate = (): void => {
        clock.remove(waiting);
        reject(late());
      };
      const waiting = clock.add({ ticks: Math.ceil(waitMs / tickMs) + 1, end: () => void finish(tooLate) });
      work.then(
        (value) => {
          clock.remove(waiting);
          resolve(value);
        },
        (error: unknown) => {
          clock.remove(waiting);
          reject(error);
        },
      );
    });
}

interface Wait {
  ticks: number;
  readonly end: () => void;
}

class Clock {
  readonly #tickMs: number;
  readonly #waiting = new SwapList<Wait>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  add(wait: Wait): Member<Wait> {
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs);
    if (this.#waiting.size === 0) this.#timer.ref();
    return this.#waiting.add(wait);
  }

  /** The timer doesn't keep the process alive. */
  remove(waiting: Member<Wait>): void {
    this.#waiting.remove(waiting);
    if (this.#waiting.size === 0) this.#timer?.unref();
  }

  #tick(): void {
    // No caller waits, and none came since the last tick: stop the timer, so that it doesn't keep waking an idle process.
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const wait of this.#waiting) {
      wait.ticks--;
      if (wait.ticks <= 0) wait.end();
    }
  }
}

export interface Member<T> {
  readonly value: T;
  /** Its index in the list; meaningless after removal. */
  at: number;
}

/**
 * Used instead of a Set. A Set moves to a new table now and then; the old table still points to all its entries and to the
 * next table. Once an old table is in the old generation, the collector of the young generation treats all these entries as alive and copies
 * them. Without that, a governed call costs a fifth less (docs/decisions/0017).
 */
export class SwapList<T> implements Iterable<T> {
  readonly #members: Member<T>[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(value: T): Member<T> {
    const member = { value, at: this.#members.length };
    this.#members.push(member);
    return member;
  }

  /** Removing an element twice removes nothing else. */
  remove(member: Member<T>): void {
    if (this.#members[member.at] !== member) return;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[member.at] = last;
    last.at = member.at;
  }

  /** Iterates over the present elements, whatever is added or removed in the meantime. */
  *[Symbol.iterator](): Generator<T> {
    for (const { value } of [...this.#members]) yield value;
  }
}

/** In bytes. Drawn and written as text in blocks: a call of the system's generator, or of the encoder, costs far more than its bytes. */
const BLOCK = 2048;
const drawn = Buffer.alloc(BLOCK);
let digits = '';
let used = 0;

/** Two hexadecimal digits per byte; no byte is used twice. */
export function randomHex(bytes: number): string {
  const end = used + 2 * bytes;
  if (end > digits.length) {
    digits = randomFillSync(drawn).toString('hex');
    used = 0;
    return randomHex(bytes);
  }
  const text = digits.slice(used, end);
  used = end;
  return text;
}

const TIME_DIGITS = 12;
let writtenAt = 0;
let writtenTime = '';

/** The time in hexadecimal. Written once a millisecond: a number of this size has no fast way into that base. */
function timeDigits(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    writtenTime = now.toString(16).padStart(TIME_DIGITS, '0');
  }
  return writtenTime;
}

/** The time comes first: consecutive IDs are adjacent in every index, so a commit of many of them writes few pages. */
export function newRequestId(): string {
  return `req_${timeDigits()}${randomHex(10)}`;
}

interface Held {
  count: number;
  readonly waiting: (() => void)[];
}

export class KeyedSlots {
  readonly #most: number;
  readonly #keys = new Map<string, Held>();

  /** `most`: how many slots each key has. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when the key has a free slot, in the order of the calls, to the function that frees it again. */
  async take(key: string): Promise<() => void> {
    const held = this.#keys.get(key) ?? { count: 0, waiting: [] };
    this.#keys.set(key, held);
    if (held.count < this.#most) held.count++;
    else await new Promise<void>((resolve) => held.waiting.push(resolve));
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#free(key, held);
    };
  }

  /** A slot that a caller waits for is handed over. */
  #free(key: string, held: Held): void {
    const next = held.waiting.shift();
    if (next) next();
    else if (--held.count === 0) this.#keys.delete(key);
  }
}

let last: Promise<void> = Promise.resolve();

/** Resolves at most once per turn of the event loop, in the order of the calls. */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

let lastWork: Promise<unknown> = Promise.resolve();

/** Runs a piece of work when every piece before it has succeeded or failed, in a separate turn of the event loop: work without pauses would block everything else for the total time of the pieces. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const done = lastWork.then(ownTurn).then(work);
  lastWork = done.catch(() => undefined);
  return done;
}

/** In bytes. Smaller buffers may share their memory with others. */
const LARGE = 1_048_576;

/** The buffer is empty afterwards and must not be read anymore. Does nothing for a small buffer or a slice of another one. */
export function freeMemory({ buffer, length }: Buffer): void {
  if (length >= LARGE && buffer.byteLength === length && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
