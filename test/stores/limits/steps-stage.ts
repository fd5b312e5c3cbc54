/** Steps that a test sends to Redis by itself: it says which of them go together, and what time it is. */
import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import type { AcquireResult, Acquisition, Limit, Windows } from '../../../server/limits/limiter.ts';
import { type Connection, openConnection } from '../../../server/limits/redis/connection.ts';
import {
  createAcquireStep,
  createCorrectStep,
  type Ending,
  readAcquireReply,
  readCorrectReply,
  toPeekAcquisition,
  toWindows,
} from '../../../server/limits/redis/script.ts';
import { createStepBatcher } from '../../../server/limits/redis/step-batcher.ts';

export interface Steps {
  take(take: Acquisition): Promise<{ readonly taken: AcquireResult; readonly at: number }>;
  end(take: Acquisition, ending: Ending): Promise<Windows>;
  look(limits: readonly Limit[]): Promise<Windows>;
  now(): number;
  /** Advances the clock. */
  pass(ms: number): void;
  /** The same limits, with a hand in when each script is sent. */
  on(send: Send): Steps;
}

type Send = <T>(run: () => Promise<T>) => Promise<T>;
/** Each with limits of its own. */
export type OpenSteps = (leaseMs?: number) => Promise<Steps>;

/** For a test file: closes whatever a test opened, after that test. */
export function stepsStage(url: () => string): OpenSteps {
  const opened: Connection[] = [];
  afterEach(() => {
    for (const connection of opened.splice(0)) connection.close();
  });
  return async (leaseMs = 3_600_000) => {
    const connection = openConnection(url(), () => undefined);
    opened.push(connection);
    await connection.opened;
    return stepsOver(connection, leaseMs);
  };
}

function stepsOver(connection: Connection, leaseMs: number): Steps {
  const prefix = `${randomUUID()}:`;
  let now = 5_000;
  const on = (send: Send): Steps => {
    const run: Connection['run'] = (script, command) => send(() => connection.run(script, command));
    const { ask } = createStepBatcher({ run }, { clock: () => ({ time: String(now), leaseMs: String(leaseMs) }), expected: () => 0 });
    const end = async (take: Acquisition, ending: Ending): Promise<Windows> =>
      toWindows(readCorrectReply(take, await ask((placeOf) => createCorrectStep(prefix, take, ending, placeOf))));
    return {
      async take(take) {
        return readAcquireReply(take, await ask((placeOf) => createAcquireStep(prefix, take, placeOf)));
      },
      end,
      look: (limits) => end(toPeekAcquisition(limits), { kind: 'given back' }),
      now: () => now,
      pass(ms) {
        now += ms;
      },
      on,
    };
  };
  return on((run) => run());
}
