/** Many callers with the same step share a round trip and a commit: while one batch is under way, the next one gathers (promise G1 at a low price). */
import { Departure } from '../../departure.ts';
import { openPatience } from '../../patience.ts';
import { StorageError } from '../errors.ts';
import { callMs, LateError } from './deadline.ts';
import { isLocked } from './failures.ts';

export interface Gathering<A, R> {
  /** All in one statement, its answers in the order of the orders. */
  readonly send: (orders: readonly A[]) => Promise<readonly R[]>;
  /** Two orders of one name do not go together. */
  readonly nameOf?: (order: A) => string;
  /** How many callers will come with an order soon: those who are first wait a moment for them. Left out: each turn of the event loop goes by itself. */
  readonly expected?: () => number;
}

/** The most of one statement: what a bad one among them costs, and how long a lock is held, have a bound. */
const mostOrders = 100;
const tickMs = 10;
const patience = openPatience(tickMs);
/** While one is on its way back, another is at work. */
const mostFlights = 2;

interface Waiting<A, R> {
  readonly order: A;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
  /** Its caller has been told that it is too late. */
  isLate: boolean;
}

/** A rejection after the time of a call means that nobody knows whether the step is still taken. */
export function gather<A, R>(gathering: Gathering<A, R>): (order: A) => Promise<R> {
  let waiting: Waiting<A, R>[] = [];
  let flights = 0;
  const start = (): void => {
    waiting = waiting.filter(({ isLate }) => !isLate);
    if (flights === mostFlights || waiting.length === 0) return;
    const { batch, rest } = split(waiting, gathering.nameOf);
    waiting = rest;
    departure?.note(batch.length);
    flights++;
    void fly(batch, gathering.send).finally(() => {
      flights--;
      start();
    });
    start();
  };
  const departure = gathering.expected && new Departure({ go: start, waiting: () => waiting.length, expected: gathering.expected });
  return (order) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const one = { order, resolve, reject, isLate: false };
    // Whoever comes within this turn of the event loop goes along.
    const isFirst = waiting.push(one) === 1;
    if (departure) departure.plan();
    else if (isFirst) setImmediate(start);
    return patience(promise, callMs - tickMs, () => {
      one.isLate = true;
      return new LateError(callMs);
    });
  };
}

function split<A, R>(waiting: readonly Waiting<A, R>[], nameOf: Gathering<A, R>['nameOf']) {
  if (!nameOf) return { batch: waiting.slice(0, mostOrders), rest: waiting.slice(mostOrders) };
  const names = new Set<string>();
  const batch: Waiting<A, R>[] = [];
  const rest: Waiting<A, R>[] = [];
  for (const one of waiting) {
    const name = nameOf(one.order);
    if (names.size === mostOrders || names.has(name)) rest.push(one);
    else {
      names.add(name);
      batch.push(one);
    }
  }
  return { batch, rest };
}

async function fly<A, R>(batch: readonly Waiting<A, R>[], send: Gathering<A, R>['send']): Promise<void> {
  try {
    const answers = await send(batch.map(({ order }) => order));
    for (const [index, { resolve }] of batch.entries()) {
      // As many as there were orders.
      resolve(answers[index] as R);
    }
  } catch (error) {
    // One that is wrong, or whose account somebody holds, keeps no other back.
    if (batch.length > 1 && (isLocked(error) || !(error instanceof StorageError))) await alone(batch, send);
    else for (const { reject } of batch) reject(error);
  }
}

async function alone<A, R>(batch: readonly Waiting<A, R>[], send: Gathering<A, R>['send']): Promise<void> {
  const inTimeStill = batch.filter(({ isLate }) => !isLate);
  await Promise.all(inTimeStill.map((one) => fly([one], send)));
}
