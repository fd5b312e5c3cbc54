/** Sends what is due to the webhooks, and again after a failure: at least once, always under the same id, for about a day. */
import type { WebhookSettings } from '../config/alerts-schema.ts';
import { number } from '../storage/postgres/rows.ts';
import type { Read } from '../storage/shared-reads.ts';
import { LONGEST_MS, type Send, type SendResult } from './send.ts';
import { type AlertStore, type Attempted, type ClaimedDelivery, ISNT_BLOCKED } from './store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pause after each attempt that failed; after the last one there is none. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
export const MOST_ATTEMPTS = PAUSES_MS.length + 1;
/** So many webhooks that come back at once do not all call at once. */
const JITTER = 0.2;
/** The receiver wants no more of them, as Standard Webhooks says. */
const GONE = 410;
/** Longer than an attempt: then the process that began it has ended. */
const CLAIMED_MS = 6 * LONGEST_MS;
const MOST_AT_ONCE = 10;

export interface DeliverParts {
  readonly store: Pick<AlertStore, 'claim' | 'finish'>;
  readonly webhooks: () => readonly WebhookSettings[];
  readonly send: Send;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told of each attempt that failed; `isLast`: it is given up. */
  readonly failed: (delivery: ClaimedDelivery, result: SendResult, isLast: boolean) => void;
}

export const messageId = ({ alertId, event }: Pick<ClaimedDelivery, 'alertId' | 'event'>): string => `${alertId}_${event}`;

/** In one go: what slow receivers leave over is sent in the next turn, so that somebody still looks for what is wrong. */
const LONGEST_TURN_MS = 30 * SECOND;

/** What is due. Rejects when the store is down; what was sent by then is sent again under the same id. */
export async function deliverDue(parts: DeliverParts): Promise<void> {
  const end = parts.now() + LONGEST_TURN_MS;
  for (let now = parts.now(); now < end; now = parts.now()) {
    const webhooks = parts.webhooks();
    const names = webhooks.map(({ name }) => name);
    const claimed = await parts.store.claim({ webhooks: names, now, until: now + CLAIMED_MS, limit: MOST_AT_ONCE });
    await Promise.all(claimed.map((delivery) => deliver(delivery, webhooks, parts)));
    if (claimed.length === 0) return;
  }
}

async function deliver(delivery: ClaimedDelivery, webhooks: readonly WebhookSettings[], parts: DeliverParts): Promise<void> {
  const webhook = webhooks.find(({ name }) => name === delivery.webhook);
  if (!webhook) return;
  const result = await parts.send(webhook, { id: messageId(delivery), at: parts.now(), body: delivery.body });
  const attempted = attemptedOf(delivery, result, parts);
  if (attempted.state !== 'delivered') parts.failed(delivery, result, attempted.state === 'failed');
  await parts.store.finish(attempted);
}

function attemptedOf(delivery: ClaimedDelivery, result: SendResult, { now, random }: Pick<DeliverParts, 'now' | 'random'>): Attempted {
  const { alertId, webhook, event, attempts } = delivery;
  const { isDelivered, status, failure } = result;
  const pauseMs = status === GONE ? undefined : PAUSES_MS[attempts - 1];
  const isTriedAgain = !isDelivered && pauseMs !== undefined;
  const nextAt = isTriedAgain ? now() + Math.round(pauseMs * (1 + JITTER * random())) : null;
  return { alertId, webhook, event, state: isDelivered ? 'delivered' : isTriedAgain ? 'waiting' : 'failed', nextAt, status, failure };
}

export const dueSql = (webhooks: readonly string[]): string => `
  SELECT next_at FROM alert_deliveries AS due
  WHERE next_at IS NOT NULL AND webhook IN (${webhooks.map((_, index) => `?${index + 1}`).join(', ')}) AND ${ISNT_BLOCKED}
  ORDER BY next_at LIMIT 1`;

/** When the next delivery to one of these webhooks is due; null: none waits. */
export async function nextDue(read: Read, webhooks: readonly string[]): Promise<number | null> {
  if (webhooks.length === 0) return null;
  const [row] = await read(dueSql(webhooks), webhooks);
  return row ? number(row.next_at) : null;
}
