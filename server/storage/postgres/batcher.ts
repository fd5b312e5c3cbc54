/** Batches equal steps into one round trip and one commit: while one batch runs, the next one is collected (promise G1 at a low cost). */
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import { LateError, patience, TICK_MS } from './deadline.ts';
import { isLocked } from './failures.ts';
import { Flights } from './in-flight.ts';
import type { Postgres } from './pool.ts';

/** The parts of the pool that a batcher uses. */
export type Gatherer = Pick<Postgres, 'query' | 'timeoutMs' | 'refusal'>;

export interface Gathering<A, R> {
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
const MOST_ORDERS = 100;

type Batch<A, R> = readonly Waiting<A, R>[];

/** After a rejection because of the timeout it is unknown whether the step takes effect. */
export function gather<A, R>({ timeoutMs, refusal }: Gatherer, gathering: Gathering<A, R>): (order: A) => Promise<R> {
  const flights = new Flights(timeoutMs);
  const start = (): void => {
    while (batcher.size > 0 && flights.mayLeave(start)) {
      const leftAt = flights.left();
      void fly(batcher.take(MOST_ORDERS, gathering.nameOf), gathering).finally(() => {
        flights.landed(leftAt);
        start();
      });
    }
  };
  const batcher = new Batcher<A, R>({ go: start, expected: gathering.expected });
  return (order) => {
    const refused = refusal();
    if (refused) return Promise.reject(refused);
    const one = batcher.add(order);
    batcher.plan();
    // One tick later than the timeout of the statement itself: by then it is known whether the server hangs.
    return patience(one.promise, timeoutMs + TICK_MS, () => {
      batcher.drop(one);
      return new LateError(timeoutMs);
    });
  };
}

/** `wasLocked`: the batch has met a lock before; its time allows one more wait. */
async function fly<A, R>(batch: Batch<A, R>, gathering: Gathering<A, R>, wasLocked = false): Promise<void> {
  try {
    const answers = await gathering.send(batch.map(({ order }) => order));
    for (const [index, { resolve }] of batch.entries()) {
      // There are as many answers as orders.
      resolve(answers[index] as R);
    }
  } catch (error) {
    // A wrong order, or one whose account is locked, must not fail the others.
    const isWrong = !(error instanceof StorageError);
    if (isLocked(error) && !wasLocked) await apart(byLock(batch, gathering), gathering, true);
    else if (isWrong && batch.length > 1) await apart(singly(batch), gathering, wasLocked);
    else for (const { reject } of batch) reject(error);
  }
}

const singly = <A, R>(batch: Batch<A, R>): readonly Batch<A, R>[] => batch.map((one) => [one]);
const byLock = <A, R>(batch: Batch<A, R>, { lockOf }: Gathering<A, R>): readonly Batch<A, R>[] =>
  lockOf ? [...Map.groupBy(batch, ({ order }) => lockOf(order)).values()] : singly(batch);

async function apart<A, R>(parts: readonly Batch<A, R>[], gathering: Gathering<A, R>, wasLocked: boolean): Promise<void> {
  const inTimeStill = parts.map((part) => part.filter(({ isDropped }) => !isDropped)).filter((part) => part.length > 0);
  await Promise.all(inTimeStill.map((part) => fly(part, gathering, wasLocked)));
}
