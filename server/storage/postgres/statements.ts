/** Batches equal steps into one round trip and one commit: while one batch runs, the next one is collected (promise G1 at a low cost). */
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import { isLocked, LateError, TICK_MS, withTimeout } from './outage.ts';
import type { Postgres } from './pool.ts';

/** The parts of the pool that a batcher uses. */
export type BatchingPool = Pick<Postgres, 'query' | 'timeoutMs' | 'refusal'>;

interface BatchOptions<A, R> {
  /** Sends all orders in one statement; the answers have the order of `orders`. */
  readonly send: (orders: readonly A[]) => Promise<readonly R[]>;
  /** Two orders with the same name never share a batch. */
  readonly nameOf?: (order: A) => string;
  /** The lock that an order needs: when a batch meets a lock, the orders of each lock are sent again together. Absent: each order is sent again alone. */
  readonly lockOf?: (order: A) => string;
  /** How many orders will come soon: the first ones wait a moment for them. Absent: the orders of each turn of the event loop are sent at once. */
  readonly expected?: () => number;
}

/** The most orders in one statement, which bounds the cost of a bad order and the time that locks are held. */
const MAX_ORDERS = 100;

type Batch<A, R> = readonly Waiting<A, R>[];

/** After a rejection because of the timeout it is unknown whether the step takes effect. */
export function batched<A, R>({ timeoutMs, refusal }: BatchingPool, options: BatchOptions<A, R>): (order: A) => Promise<R> {
  const inFlight = new InFlightLimit(timeoutMs);
  const start = (): void => {
    while (batcher.size > 0 && inFlight.canSend(start)) {
      const sentAt = inFlight.noteSent();
      void sendBatch(batcher.take(MAX_ORDERS, options.nameOf), options).finally(() => {
        inFlight.noteAnswered(sentAt);
        start();
      });
    }
  };
  const batcher = new Batcher<A, R>({ send: start, expected: options.expected });
  return (order) => {
    const rejected = refusal();
    if (rejected) return Promise.reject(rejected);
    const one = batcher.add(order);
    batcher.plan();
    // One tick later than the timeout of the statement itself: by then it is known whether the server hangs.
    return withTimeout(one.promise, timeoutMs + TICK_MS, () => {
      batcher.drop(one);
      return new LateError(timeoutMs);
    });
  };
}

/** `wasLocked`: the batch has met a lock before; its time allows one more wait. */
async function sendBatch<A, R>(batch: Batch<A, R>, options: BatchOptions<A, R>, wasLocked = false): Promise<void> {
  try {
    const answers = await options.send(batch.map(({ order }) => order));
    for (const [index, { resolve }] of batch.entries()) {
      // There are as many answers as orders.
      resolve(answers[index] as R);
    }
  } catch (error) {
    // A wrong order, or one whose account is locked, must not fail the others.
    const isWrong = !(error instanceof StorageError);
    if (isLocked(error) && !wasLocked) await sendParts(byLock(batch, options), options, true);
    else if (isWrong && batch.length > 1) await sendParts(oneByOne(batch), options, wasLocked);
    else for (const { reject } of batch) reject(error);
  }
}

const oneByOne = <A, R>(batch: Batch<A, R>): readonly Batch<A, R>[] => batch.map((one) => [one]);
const byLock = <A, R>(batch: Batch<A, R>, { lockOf }: BatchOptions<A, R>): readonly Batch<A, R>[] =>
  lockOf ? [...Map.groupBy(batch, ({ order }) => lockOf(order)).values()] : oneByOne(batch);

async function sendParts<A, R>(parts: readonly Batch<A, R>[], options: BatchOptions<A, R>, wasLocked: boolean): Promise<void> {
  const waiting = parts.map((part) => part.filter(({ isDropped }) => !isDropped)).filter((part) => part.length > 0);
  await Promise.all(waiting.map((part) => sendBatch(part, options, wasLocked)));
}

/** While the answer of one is on its way, the server works on another. */
const MAX_IN_FLIGHT = 2;
/** A third one when the server is slow: an order must not spend most of its time before it is sent. */
const MAX_IN_FLIGHT_WHEN_SLOW = 3;
/** The longest interval between two statements, as a part of a step's time. Slow statements are spread over time, so that a new order does not have to wait for all of them. */
const MAX_INTERVAL = 1 / 4;
/** The server is slow when the last statement took at least this long. */
const SLOW_MS = 100;

export class InFlightLimit {
  readonly #timeoutMs: number;
  #count = 0;
  #sentAt = 0;
  #tookMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: of one step of a call. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a statement may be sent now. If only time has to pass until then, `again` is called after that time. */
  canSend(again: () => void): boolean {
    const waitMs = this.#sentAt + this.#intervalMs() - performance.now();
    if (this.#count === 0 || waitMs <= 0) return true;
    if (Number.isFinite(waitMs)) this.#wait(waitMs, again);
    return false;
  }

  /** Counts a statement that is sent; returns the time. */
  noteSent(): number {
    this.#count++;
    this.#sentAt = performance.now();
    return this.#sentAt;
  }

  noteAnswered(sentAt: number): void {
    this.#count--;
    this.#tookMs = performance.now() - sentAt;
  }

  #intervalMs(): number {
    const longestMs = this.#timeoutMs * MAX_INTERVAL;
    if (this.#count < MAX_IN_FLIGHT) return this.#tookMs < SLOW_MS ? 0 : Math.min(this.#tookMs / MAX_IN_FLIGHT, longestMs);
    return this.#count < MAX_IN_FLIGHT_WHEN_SLOW ? longestMs : Number.POSITIVE_INFINITY;
  }

  #wait(ms: number, again: () => void): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      again();
    }, ms);
  }
}
