/** Many callers with the same step share a round trip and a commit: while one batch is under way, the next one gathers (promise G1 at a low price). */
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import { LateError, patience, TICK_MS } from './deadline.ts';
import { isLocked } from './failures.ts';
import { Flights } from './in-flight.ts';
import type { Postgres } from './pool.ts';

/** What statements are sent by. */
export type Gatherer = Pick<Postgres, 'query' | 'timeoutMs' | 'refusal'>;

export interface Gathering<A, R> {
  /** All in one statement, its answers in the order of the orders. */
  readonly send: (orders: readonly A[]) => Promise<readonly R[]>;
  /** Two orders of one name do not go together. */
  readonly nameOf?: (order: A) => string;
  /** Orders that wait for the same lock: of a batch that found one they go on together. Left out: each goes on by itself. */
  readonly lockOf?: (order: A) => string;
  /** How many callers will come with an order soon: those who are first wait a moment for them. Left out: each turn of the event loop goes by itself. */
  readonly expected?: () => number;
}

/** The most of one statement: what a bad one among them costs, and how long a lock is held, have a bound. */
const MOST_ORDERS = 100;

type Batch<A, R> = readonly Waiting<A, R>[];

/** A rejection after the time of a call means that nobody knows whether the step is still taken. */
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
    // A statement that is late is told so before: by then it is known whether the server hangs.
    return patience(one.promise, timeoutMs + TICK_MS, () => {
      batcher.drop(one);
      return new LateError(timeoutMs);
    });
  };
}

/** `wasLocked`: it found a lock before, and has the time for one wait more. */
async function fly<A, R>(batch: Batch<A, R>, gathering: Gathering<A, R>, wasLocked = false): Promise<void> {
  try {
    const answers = await gathering.send(batch.map(({ order }) => order));
    for (const [index, { resolve }] of batch.entries()) {
      // As many as there were orders.
      resolve(answers[index] as R);
    }
  } catch (error) {
    // One that is wrong, or whose account somebody holds, keeps no other back.
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
