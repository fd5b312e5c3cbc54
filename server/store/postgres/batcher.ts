/** Batches equal steps into one round trip and one commit: while one batch runs, the next one is collected (promise G1 at a low cost). */

import { Batcher, type PendingOrder } from '../../primitives/batcher.ts';
import { StorageError } from '../errors.ts';
import { PostgresTimeoutError, TICK_MS, withTimeout } from './deadlines.ts';
import { isLockTimeout } from './errors.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import type { Postgres } from './postgres.ts';

/** The parts of the pool that a batcher uses. */
type BatchingPool = Pick<Postgres, 'query' | 'timeoutMs' | 'getRefusal'>;

interface BatchOptions<A, R> {
  /** Sends all orders in one statement. The results are in the order of `orders`. */
  readonly send: (orders: readonly A[]) => Promise<readonly R[]>;
  /** Two orders with the same name never share a batch. */
  readonly nameOf?: (order: A) => string;
  /**
   * Returns the key of the row lock that an order takes. If a batch times out on a lock, orders with the same key are sent again together,
   * so that fewer orders wait. If omitted, each order is sent again alone.
   */
  readonly getLock?: (order: A) => string;
  /**
   * Returns how many orders are coming soon. The first orders wait briefly for them. If omitted, the orders of each turn of the event
   * loop are sent immediately.
   */
  readonly expected?: () => number;
}

/** The maximum orders per statement. It bounds the cost of a bad order and the time that locks are held. */
const MAX_ORDERS = 100;

type Batch<A, R> = readonly PendingOrder<A, R>[];

/** If a step is rejected because of the timeout, it may still take effect. */
export function createBatcher<A, R>({ timeoutMs, getRefusal }: BatchingPool, options: BatchOptions<A, R>): (order: A) => Promise<R> {
  const inFlight = new InFlightLimit(timeoutMs);
  const sendBatches = (): void => {
    while (batcher.size > 0 && inFlight.canSend(sendBatches)) {
      const sentAt = inFlight.noteSent();
      void sendBatch(batcher.takeBatch(MAX_ORDERS, options.nameOf), options).finally(() => {
        inFlight.noteAnswered(sentAt);
        sendBatches();
      });
    }
  };
  const batcher = new Batcher<A, R>({ send: sendBatches, expected: options.expected });
  return (order) => {
    const rejection = getRefusal();
    if (rejection) return Promise.reject(rejection);
    const pendingOrder = batcher.add(order);
    batcher.scheduleSend();
    // One tick later than the statement's own timeout. By then, the breaker knows whether the server hangs.
    return withTimeout(pendingOrder.promise, timeoutMs + TICK_MS, () => {
      batcher.drop(pendingOrder);
      return new PostgresTimeoutError(timeoutMs);
    });
  };
}

/** `wasLocked`: the batch has already met a lock. Its timeout allows one more wait. */
async function sendBatch<A, R>(batch: Batch<A, R>, options: BatchOptions<A, R>, isSplitByLock = false): Promise<void> {
  try {
    const results = await options.send(batch.map(({ order }) => order));
    for (const [index, { resolve }] of batch.entries()) {
      // `as`: each order has a result.
      resolve(results[index] as R);
    }
  } catch (error) {
    // An invalid order, or one with a locked account, must not fail the other orders.
    const isOrderError = !(error instanceof StorageError);
    if (isLockTimeout(error) && !isSplitByLock) await sendParts(splitByLock(batch, options), options, true);
    else if (isOrderError && batch.length > 1) await sendParts(splitIntoSingles(batch), options, isSplitByLock);
    else for (const { reject } of batch) reject(error);
  }
}

const splitIntoSingles = <A, R>(batch: Batch<A, R>): readonly Batch<A, R>[] => batch.map((one) => [one]);
const splitByLock = <A, R>(batch: Batch<A, R>, { getLock }: BatchOptions<A, R>): readonly Batch<A, R>[] =>
  getLock ? [...Map.groupBy(batch, ({ order }) => getLock(order)).values()] : splitIntoSingles(batch);

async function sendParts<A, R>(parts: readonly Batch<A, R>[], options: BatchOptions<A, R>, isSplitByLock: boolean): Promise<void> {
  const pendingParts = parts.map((part) => part.filter(({ isDropped }) => !isDropped)).filter((part) => part.length > 0);
  await Promise.all(pendingParts.map((part) => sendBatch(part, options, isSplitByLock)));
}
