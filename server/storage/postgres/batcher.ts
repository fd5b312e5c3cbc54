/** Many callers with the same step share a round trip and a commit: while one batch is under way, the next one gathers (promise G1 at a low price). */
import { BatchScheduler } from '../../primitives/batch-scheduler.ts';
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

interface Waiting<A, R> {
  readonly order: A;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
  /** Its caller has been told that it is too late. */
  isLate: boolean;
}

type Batch<A, R> = readonly Waiting<A, R>[];

/** A rejection after the time of a call means that nobody knows whether the step is still taken. */
export function gather<A, R>({ timeoutMs, refusal }: Gatherer, gathering: Gathering<A, R>): (order: A) => Promise<R> {
  let waiting: Waiting<A, R>[] = [];
  const flights = new Flights(timeoutMs);
  const start = (): void => {
    waiting = waiting.filter(({ isLate }) => !isLate);
    if (waiting.length === 0 || !flights.mayLeave(start)) return;
    const { batch, rest } = split(waiting, gathering.nameOf);
    waiting = rest;
    departure?.note(batch.length);
    const leftAt = flights.left();
    void fly(batch, gathering).finally(() => {
      flights.landed(leftAt);
      start();
    });
    start();
  };
  const departure = gathering.expected && new BatchScheduler({ go: start, waiting: () => waiting.length, expected: gathering.expected });
  return (order) => {
    const refused = refusal();
    if (refused) return Promise.reject(refused);
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const one = { order, resolve, reject, isLate: false };
    // Whoever comes within this turn of the event loop goes along.
    const isFirst = waiting.push(one) === 1;
    if (departure) departure.plan();
    else if (isFirst) setImmediate(start);
    // A statement that is late is told so before: by then it is known whether the server hangs.
    return patience(promise, timeoutMs + TICK_MS, () => {
      one.isLate = true;
      return new LateError(timeoutMs);
    });
  };
}

function split<A, R>(waiting: readonly Waiting<A, R>[], nameOf: Gathering<A, R>['nameOf']) {
  if (!nameOf) return { batch: waiting.slice(0, MOST_ORDERS), rest: waiting.slice(MOST_ORDERS) };
  const names = new Set<string>();
  const batch: Waiting<A, R>[] = [];
  const rest: Waiting<A, R>[] = [];
  for (const one of waiting) {
    const name = nameOf(one.order);
    if (names.size === MOST_ORDERS || names.has(name)) rest.push(one);
    else {
      names.add(name);
      batch.push(one);
    }
  }
  return { batch, rest };
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
  const inTimeStill = parts.map((part) => part.filter(({ isLate }) => !isLate)).filter((part) => part.length > 0);
  await Promise.all(inTimeStill.map((part) => fly(part, gathering, wasLocked)));
}
