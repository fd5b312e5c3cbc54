/** Deletes what is past its time, on either database. */

import { IDLE_MS } from '../sessions/sessions.ts';
import type { Log } from '../telemetry/log.ts';
import type { Stores } from './stores.ts';

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;

interface Swept {
  readonly stores: Pick<Stores, 'responses' | 'idempotency' | 'sessions'>;
  readonly activity: { sweep(): Promise<void> };
  readonly days: () => number;
  readonly log: Log;
}

/** Deletes stored responses, answers by idempotency key, rows of the request log and sessions past their time: now, and every hour. */
export async function sweepHourly({ stores, activity, days, log }: Swept): Promise<NodeJS.Timeout> {
  const sweep = async (): Promise<void> => {
    try {
      await stores.responses.sweep(Math.floor(Date.now() / 1000) - days() * DAY_SECONDS);
      await stores.idempotency.sweep(DAY_SECONDS * 1000);
      await activity.sweep();
      await stores.sessions.sweep({ expired: Date.now(), idle: Date.now() - IDLE_MS });
    } catch (error) {
      log.error({ err: error }, 'expired data could not be deleted');
    }
  };
  await sweep();
  return setInterval(sweep, HOUR_MS).unref();
}
