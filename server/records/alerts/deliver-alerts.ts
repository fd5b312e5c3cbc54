/** Delivers due messages about alerts to channels, with retries that wait longer each time. */

import type { Read } from '../../store/audit.ts';
import { formatPlaceholders } from '../../store/format-placeholders.ts';
import { readNumber } from '../../store/rows.ts';
import type { Channel } from './channels.ts';
import type { SendMessage } from './send-message.ts';
import type { SendResult } from './send-result.ts';
import { MAX_SEND_MS } from './send-webhook.ts';
import { type AlertStore, type ClaimedDelivery, type DeliveryAttempt, NOT_BLOCKED_SQL } from './store.ts';

const SECOND = 1_000;

const MINUTE = 60 * SECOND;

const HOUR = 60 * MINUTE;

/** The pause after each failed attempt. No pause means that there's no further attempt. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];

export const MAX_ATTEMPTS = PAUSES_MS.length + 1;

/** Jitter, so that many retries don't happen at the same time. */
const JITTER = 0.2;

/** Status with which a receiver stops further messages, as in Standard Webhooks. */
const STATUS_GONE = 410;

/** Longer than an attempt. After this time, the process that started it has crashed. */
const CLAIM_MS = 6 * MAX_SEND_MS;

const MAX_BATCH = 10;

interface DeliverOptions {
  readonly store: Pick<AlertStore, 'claim' | 'finish'>;
  readonly channels: () => readonly Channel[];
  readonly send: SendMessage;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called for each failed attempt. `isLast` says that there's no further attempt. */
  readonly failed: (delivery: ClaimedDelivery, result: SendResult, isLast: boolean) => void;
}

export const toMessageId = ({ alertId, event }: Pick<ClaimedDelivery, 'alertId' | 'event'>): string => `${alertId}_${event}`;

/** Maximum time of a turn. The next turn sends the remaining messages, so that slow receivers don't delay checks. */
const MAX_TURN_MS = 30 * SECOND;

/** Sends due messages. Rejects if the store is down. Messages sent before that are sent again with the same ID. */
export async function deliverDueAlerts(options: DeliverOptions): Promise<void> {
  const deadline = options.now() + MAX_TURN_MS;
  for (let now = options.now(); now < deadline; now = options.now()) {
    const channels = options.channels();
    const names = channels.map(({ name }) => name);
    const deliveries = await options.store.claim({ channels: names, now, until: now + CLAIM_MS, limit: MAX_BATCH });
    await Promise.all(deliveries.map((delivery) => deliver(delivery, channels, options)));
    if (deliveries.length === 0) return;
  }
}

async function deliver(delivery: ClaimedDelivery, channels: readonly Channel[], options: DeliverOptions): Promise<void> {
  const channel = channels.find(({ name }) => name === delivery.channel);
  if (!channel) return;
  const result = await options.send(channel, { id: toMessageId(delivery), at: options.now(), body: delivery.body });
  const attempt = toDeliveryAttempt(delivery, result, options);
  if (attempt.state !== 'delivered') options.failed(delivery, result, attempt.state === 'failed');
  await options.store.finish(attempt);
}

function toDeliveryAttempt(
  delivery: ClaimedDelivery,
  result: SendResult,
  { now, random }: Pick<DeliverOptions, 'now' | 'random'>,
): DeliveryAttempt {
  const { alertId, channel, event, attempts } = delivery;
  const { isDelivered, status, failure } = result;
  const pauseMs = status === STATUS_GONE ? undefined : PAUSES_MS[attempts - 1];
  const isRetried = !isDelivered && pauseMs !== undefined;
  const nextAt = isRetried ? now() + Math.round(pauseMs * (1 + JITTER * random())) : null;
  return { alertId, channel, event, state: isDelivered ? 'delivered' : isRetried ? 'waiting' : 'failed', nextAt, status, failure };
}

export const buildDueSql = (channels: readonly string[]): string => `
  SELECT next_at FROM alert_deliveries AS due
  WHERE next_at IS NOT NULL AND webhook IN (${formatPlaceholders(1, channels)}) AND ${NOT_BLOCKED_SQL}
  ORDER BY next_at LIMIT 1`;

/** Returns the time of the next due delivery to these channels, or null. */
export async function findNextDue(read: Read, channels: readonly string[]): Promise<number | null> {
  if (channels.length === 0) return null;
  const [row] = await read(buildDueSql(channels), channels);
  return row ? readNumber(row.next_at) : null;
}
