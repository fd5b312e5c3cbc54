/** Sends the limit steps of many requests to Redis as one script call. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batcher, type PendingOrder } from '../../primitives/batcher.ts';
import type { Connection } from './connection.ts';
import { type Clock, type Step, scripts } from './script.ts';

export interface StepBatcher {
  /**
   * Returns the result of a step. Rejects if Redis couldn't run it, without affecting other steps. `isUrgent`: doesn't wait for other
   * steps.
   */
  ask(step: Step, isUrgent?: boolean): Promise<readonly number[]>;
  /** Resolves when all waiting steps have been sent. */
  flush(): Promise<void>;
}

/** A script blocks Redis for all other clients while it runs. */
const MAX_STEPS = 32;

/** The result, or the reason of the failure. */
type StepReply = readonly number[] | readonly [string];

interface StepBatcherOptions {
  readonly clock: () => Clock;
  /** Returns how many callers will soon send a step. Steps that aren't urgent wait briefly for them. */
  readonly expected: () => number;
}

export function createStepBatcher(connection: Pick<Connection, 'run'>, { clock, expected }: StepBatcherOptions): StepBatcher {
  const batcher = new Batcher<Step, readonly number[]>({
    send() {
      while (batcher.size > 0) void sendSteps(connection, clock(), batcher.takeBatch(MAX_STEPS));
    },
    expected,
  });
  return {
    ask(step, isUrgent = false) {
      const { promise } = batcher.add(step);
      if (isUrgent) batcher.sendSoon();
      else batcher.scheduleSend();
      return promise;
    },
    async flush() {
      batcher.sendSoon();
      while (batcher.size > 0) await nextTurn();
    },
  };
}

async function sendSteps(
  connection: Pick<Connection, 'run'>,
  { time, leaseMs }: Clock,
  batch: readonly PendingOrder<Step, readonly number[]>[],
): Promise<void> {
  const positions = new Map<string, number>();
  const getPosition = (key: string): number => {
    const position = positions.get(key);
    if (position !== undefined) return position;
    positions.set(key, positions.size + 1);
    return positions.size;
  };
  try {
    const stepArgs = batch.map(({ order: step }) => step(getPosition));
    const replies = await connection.run<readonly StepReply[]>(scripts.steps, {
      keys: [...positions.keys()],
      args: [time, leaseMs, ...stepArgs],
    });
    for (const [index, { resolve, reject }] of batch.entries()) {
      const reply = replies[index] ?? ['Redis returned no result for a step.'];
      if (isSuccess(reply)) resolve(reply);
      else reject(new Error(reply[0]));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

const isSuccess = (reply: StepReply): reply is readonly number[] => typeof reply[0] !== 'string';
