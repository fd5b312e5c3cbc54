/** Reads the last delivery to each channel, and counts the pending ones. */

import type { Read } from '../../store/audit.ts';
import { type Row, readNumber, readNumberOrNull, readText, readTextOrNull } from '../../store/rows.ts';
import { toMessageId } from './deliver-alerts.ts';
import type { AlertEvent, DeliveryState } from './store.ts';

export interface DeliveryRecord {
  readonly id: string;
  readonly alertId: string;
  readonly event: AlertEvent;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly createdAt: number;
  readonly attemptedAt: number | null;
  readonly nextAt: number | null;
}

export const LAST_DELIVERY_SQL = `
  SELECT alert_id, event, state, attempts, status, failure, created_at, attempted_at, next_at
  FROM alert_deliveries WHERE webhook = ?1 ORDER BY created_at DESC LIMIT 1`;

/** Finds the newest delivery to one channel. There are at most 40 channels. */
export async function findLastDelivery(read: Read, channel: string): Promise<DeliveryRecord | null> {
  const [row] = await read(LAST_DELIVERY_SQL, [channel]);
  return row ? toDelivery(row) : null;
}

const COUNT_WAITING_SQL = 'SELECT webhook, count(*) AS waiting FROM alert_deliveries WHERE next_at IS NOT NULL GROUP BY webhook';

/** Counts the pending deliveries by channel. */
export async function countWaitingDeliveries(read: Read): Promise<ReadonlyMap<string, number>> {
  return new Map((await read(COUNT_WAITING_SQL, [])).map((row) => [readText(row.webhook), readNumber(row.waiting)]));
}

function toDelivery(row: Row): DeliveryRecord {
  // `as`: the store wrote this event and state.
  const key = { alertId: readText(row.alert_id), event: readText(row.event) as AlertEvent };
  return {
    id: toMessageId(key),
    ...key,
    state: readText(row.state) as DeliveryState,
    attempts: readNumber(row.attempts),
    status: readNumberOrNull(row.status),
    failure: readTextOrNull(row.failure),
    createdAt: readNumber(row.created_at),
    attemptedAt: readNumberOrNull(row.attempted_at),
    nextAt: readNumberOrNull(row.next_at),
  };
}
