/** Sends the steps of one turn of the event loop to Redis in one script, so that the cost of a command is paid once for all of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import type { Connection } from './connection.ts';
import { scripts } from './script.ts';
import type { Clock, Step } from './script-steps.ts';

export interface GatheredSteps {
  /** The result of a step; rejects when Redis could not do it. The other steps are not affected. `isUrgent`: does not wait for other steps. */
  ask(step: Step, isUrgent?: boolean): Promise<readonly number[]>;
  /** Resolves when all waiting steps have been sent. */
  flush(): Promise<void>;
}

/** A script blocks Redis for every other client while it runs. */
const MOST_STEPS = 32;

/** The reason of the failure, in place of the result. */
type Answer = readonly number[] | readonly [string];

interface Gathering {
  readonly clock: () => Clock;
  /** How many callers will soon send a step: the first ones that are not urgent wait a moment for them. */
  readonly expected: () => number;
}

export function gatherSteps(connection: Pick<Connection, 'run'>, { clock, expected }: Gathering): GatheredSteps {
  const batcher = new Batcher<Step, readonly number[]>({
    send() {
      while (batcher.size > 0) void fly(connection, clock(), batcher.take(MOST_STEPS));
    },
    expected,
  });
  return {
    ask(step, isUrgent = false) {
      const { promise } = batcher.add(step);
      if (isUrgent) batcher.sendSoon();
      else batcher.plan();
      return promise;
    },
    async flush() {
      batcher.sendSoon();
      while (batcher.size > 0) await nextTurn();
    },
  };
}

async function fly(
  connection: Pick<Connection, 'run'>,
  { time, leaseMs }: Clock,
  batch: readonly Waiting<Step, readonly number[]>[],
): Promise<void> {
  const places = new Map<string, number>();
  const placeOf = (key: string): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, places.size + 1);
    return places.size;
  };
  try {
    const words = batch.map(({ order: step }) => step(placeOf));
    const answers = await connection.run<readonly Answer[]>(scripts.steps, { keys: [...places.keys()], args: [time, leaseMs, ...words] });
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index] ?? ['Redis did not say what came of a step.'];
      if (isFound(answer)) resolve(answer);
      else reject(new Error(answer[0]));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

const isFound = (answer: Answer): answer is readonly number[] => typeof answer[0] !== 'string';
