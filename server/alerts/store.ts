/** The store of alerts and of what is sent about them; each method is atomic. Times in milliseconds since 1970. */

import { createHmac } from 'node:crypto';
import { type AlertKind, SECRET_PREFIX, type WebhookSettings } from '../config/schema-server.ts';
import type { AuditEntry, Read } from '../storage/audit.ts';
import { number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';

export interface NewAlert {
  /** Ids ascend with time. */
  readonly id: string;
  readonly kind: AlertKind;
  /** Id or name of what it is about; empty: the gateway as a whole. */
  readonly subject: string;
  /** Name for people if the subject is an ID. */
  readonly name: string | null;
  readonly message: string;
  readonly value: string | null;
  readonly threshold: string | null;
  readonly openedAt: number;
}

export type AlertEvent = 'opened' | 'resolved';
export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A message to one webhook. */
export interface NewDelivery {
  readonly webhook: string;
  /** The bytes to send, the same with each attempt. */
  readonly body: string;
}

export interface DeliveryKey {
  readonly alertId: string;
  readonly webhook: string;
  readonly event: AlertEvent;
}

export interface ClaimedDelivery extends DeliveryKey {
  readonly body: string;
  /** This one included. */
  readonly attempts: number;
}

export interface Claim {
  /** Names of the webhooks of the configuration: nothing is sent to another. */
  readonly webhooks: readonly string[];
  readonly now: number;
  /** Time from which another process can try it, if this one crashes. */
  readonly until: number;
  readonly limit: number;
}

export interface Attempted extends DeliveryKey {
  readonly state: DeliveryState;
  /** Null when it is not tried again. */
  readonly nextAt: number | null;
  readonly status: number | null;
  readonly failure: string | null;
}

/** Something that a process sees now. */
export interface HealthObservation {
  readonly subject: string;
  readonly detail: string;
  readonly since: number;
}

/** Who takes care of an alert. */
export interface Acknowledgement {
  readonly by: string;
  readonly at: number;
  /** Null: until the alert resolves. */
  readonly until: number | null;
}

export interface AlertStore {
  /** True for one process only, and once in `everyMs`. */
  takeTurn(name: string, now: number, everyMs: number): Promise<boolean>;
  see(node: string, now: number, sightings: readonly HealthObservation[]): Promise<void>;
  /** Stores the alert and its messages. Returns false if an alert of this kind is already open for the subject. */
  open(alert: NewAlert, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /** Resolves the alert and stores messages for webhooks that got the opening message. Returns false if it was already resolved. */
  resolve(id: string, now: number, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /** Acknowledges an open alert in the name of the actor, instead of an earlier time. Returns the alert, unchanged if it's resolved; null if it doesn't exist. */
  acknowledge(id: string, until: Acknowledgement['until'], audit: AuditEntry): Promise<AlertRecord | null>;
  /** Deliveries that are due, for this process alone, until a time. One about the end of an alert waits for the one about its begin. */
  claim(claim: Claim): Promise<readonly ClaimedDelivery[]>;
  finish(attempted: Attempted): Promise<void>;
  /** Ends deliveries that were due before `due`, and deletes alerts that were resolved, and sightings that are, from before the other times. */
  sweep(before: { readonly due: number; readonly resolved: number; readonly seen: number }): Promise<void>;
}

/** Maximum number of rows per sweep, because paid calls may wait for the commit. */
export const MAX_SWEPT = 500;
/** Failure of a message that no receiver accepted in time. */
export const TOO_OLD = 'was pending for a day';

/** Condition on a delivery `due`: a resolved message isn't sent while the opened message is still pending. */
export const ISNT_BLOCKED = `NOT EXISTS (
  SELECT 1 FROM alert_deliveries AS begun
  WHERE due.event = 'resolved' AND begun.alert_id = due.alert_id AND begun.webhook = due.webhook AND begun.event = 'opened'
    AND begun.next_at IS NOT NULL)`;

export interface AlertRecord extends NewAlert {
  readonly resolvedAt: number | null;
  readonly acknowledgement: Acknowledgement | null;
}

export interface AlertPage {
  readonly state?: 'open' | 'resolved' | undefined;
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: string | undefined;
}

export const COLUMNS =
  'id, kind, subject, name, message, value, threshold, opened_at, resolved_at, acknowledged_at, acknowledged_by, snoozed_until';
const conditions = { open: 'resolved_at IS NULL', resolved: 'resolved_at IS NOT NULL' };
const AFTER_ALL = '~';

export const listSql = (state?: 'open' | 'resolved'): string =>
  `SELECT ${COLUMNS} FROM alerts WHERE id < ?1${state ? ` AND ${conditions[state]}` : ''} ORDER BY id DESC LIMIT ?2`;

/** Newest first. */
export async function listAlerts(read: Read, { state, limit, after = AFTER_ALL }: AlertPage): Promise<readonly AlertRecord[]> {
  return (await read(listSql(state), [after, limit])).map(asAlert);
}

export const isAlertId = (id: string): boolean => /^alert_[0-9a-f]+$/.test(id);

export interface OpenAlerts {
  readonly count: number;
  /** Opening time of the oldest alert. */
  readonly since: number;
  /** Message of the newest alert. */
  readonly message: string;
}

export async function hasOpen(read: Read): Promise<boolean> {
  return (await read('SELECT id FROM alerts WHERE resolved_at IS NULL LIMIT 1', [])).length > 0;
}

export const UNATTENDED_SQL = `
  SELECT count(*) AS alerts, min(opened_at) AS since, max(id) AS newest FROM alerts
  WHERE resolved_at IS NULL AND (acknowledged_at IS NULL OR snoozed_until <= ?1)`;

/** Counts open alerts that are neither acknowledged nor snoozed. Returns null if there are none. */
export async function countUnattended(read: Read, now: number): Promise<OpenAlerts | null> {
  const [row] = await read(UNATTENDED_SQL, [now]);
  if (row === undefined || number(row.alerts) === 0) return null;
  const [newest] = await read('SELECT message FROM alerts WHERE id = ?1', [text(row.newest)]);
  return { count: number(row.alerts), since: number(row.since), message: newest ? text(newest.message) : '' };
}

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

export const LAST_SQL = `
  SELECT alert_id, event, state, attempts, status, failure, created_at, attempted_at, next_at
  FROM alert_deliveries WHERE webhook = ?1 ORDER BY created_at DESC LIMIT 1`;

/** The newest for one webhook; of these there are at most twenty. */
export async function lastDelivery(read: Read, webhook: string): Promise<DeliveryRecord | null> {
  const [row] = await read(LAST_SQL, [webhook]);
  return row ? asDelivery(row) : null;
}

export const WAITING_SQL = 'SELECT webhook, count(*) AS waiting FROM alert_deliveries WHERE next_at IS NOT NULL GROUP BY webhook';

/** How many deliveries are still to be sent, by webhook. */
export async function countWaiting(read: Read): Promise<ReadonlyMap<string, number>> {
  return new Map((await read(WAITING_SQL, [])).map((row) => [text(row.webhook), number(row.waiting)]));
}

export const asAlert = (row: Row): AlertRecord => ({
  id: text(row.id),
  // `as`: written by `open` of the store.
  kind: text(row.kind) as AlertRecord['kind'],
  subject: text(row.subject),
  name: textOrNull(row.name),
  message: text(row.message),
  value: textOrNull(row.value),
  threshold: textOrNull(row.threshold),
  openedAt: number(row.opened_at),
  resolvedAt: numberOrNull(row.resolved_at),
  acknowledgement:
    row.acknowledged_at === null
      ? null
      : { at: number(row.acknowledged_at), by: text(row.acknowledged_by), until: numberOrNull(row.snoozed_until) },
});

function asDelivery(row: Row): DeliveryRecord {
  // `as`: written by the store.
  const key = { alertId: text(row.alert_id), event: text(row.event) as AlertEvent };
  return {
    id: messageId(key),
    ...key,
    state: text(row.state) as DeliveryState,
    attempts: number(row.attempts),
    status: numberOrNull(row.status),
    failure: textOrNull(row.failure),
    createdAt: number(row.created_at),
    attemptedAt: numberOrNull(row.attempted_at),
    nextAt: numberOrNull(row.next_at),
  };
}

export interface SendResult {
  readonly isDelivered: boolean;
  /** Null if no response arrived. */
  readonly status: number | null;
  /** Null when it was delivered. Never holds the address. */
  readonly failure: string | null;
}

export type Send = (webhook: Pick<WebhookSettings, 'url' | 'secret'>, message: SignedMessage) => Promise<SendResult>;

export const MAX_MS = 10_000;
const USER_AGENT = 'modelgate-alerts';

export interface SendOptions {
  /** Ends an attempt that runs. */
  readonly signal?: AbortSignal;
  readonly maxMs?: number;
}

/** Never rejects. */
export async function sendOnce(
  { url, secret }: Pick<WebhookSettings, 'url' | 'secret'>,
  message: SignedMessage,
  { signal, maxMs = MAX_MS }: SendOptions = {},
): Promise<SendResult> {
  const late = AbortSignal.timeout(maxMs);
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signatureHeaders(message, secret) };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: message.body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    await answer.body?.cancel().catch(() => undefined);
    return resultOf(answer.status);
  } catch (error) {
    const failure = late.aborted ? `no response within ${maxMs / 1_000} s` : (codeOf(error) ?? 'the connection failed');
    return { isDelivered: false, status: null, failure: signal?.aborted ? 'the gateway stopped' : failure };
  }
}

function resultOf(status: number): SendResult {
  if (status >= 200 && status < 300) return { isDelivered: true, status, failure: null };
  const failure = status >= 300 && status < 400 ? `redirect ${status}, which isn't followed` : `status ${status}`;
  return { isDelivered: false, status, failure };
}

/** The code alone (`ECONNREFUSED`), since messages may name the address. */
function codeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

export interface SignedMessage {
  /** The same with each attempt: the receiver knows by it what it has had. */
  readonly id: string;
  /** Milliseconds since 1970, of this attempt. */
  readonly at: number;
  readonly body: string;
}

export function signatureHeaders({ id, at, body }: SignedMessage, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pause after each attempt that failed; after the last one there is none. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;
/** Jitter, so that many retries don't happen at the same time. */
const JITTER = 0.2;
/** Status with which a receiver stops further messages, as in Standard Webhooks. */
const GONE = 410;
/** Longer than an attempt. After this time, the process that started it has crashed. */
const CLAIMED_MS = 6 * MAX_MS;
const MAX_BATCH = 10;

export interface DeliverParts {
  readonly store: Pick<AlertStore, 'claim' | 'finish'>;
  readonly webhooks: () => readonly WebhookSettings[];
  readonly send: Send;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called for each failed attempt. `isLast` says that there's no further attempt. */
  readonly failed: (delivery: ClaimedDelivery, result: SendResult, isLast: boolean) => void;
}

export const messageId = ({ alertId, event }: Pick<ClaimedDelivery, 'alertId' | 'event'>): string => `${alertId}_${event}`;

/** Maximum time of a turn. The next turn sends the remaining messages, so that slow receivers don't delay checks. */
const MAX_TURN_MS = 30 * SECOND;

/** Sends due messages. Rejects if the store is down; messages sent until then are sent again with the same ID. */
export async function deliverDue(parts: DeliverParts): Promise<void> {
  const end = parts.now() + MAX_TURN_MS;
  for (let now = parts.now(); now < end; now = parts.now()) {
    const webhooks = parts.webhooks();
    const names = webhooks.map(({ name }) => name);
    const claimed = await parts.store.claim({ webhooks: names, now, until: now + CLAIMED_MS, limit: MAX_BATCH });
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

/** Returns the time of the next due delivery to these webhooks, or null. */
export async function nextDue(read: Read, webhooks: readonly string[]): Promise<number | null> {
  if (webhooks.length === 0) return null;
  const [row] = await read(dueSql(webhooks), webhooks);
  return row ? number(row.next_at) : null;
}

const writeTime = (at: number): string => new Date(at).toISOString();

export interface ReportedAlert extends NewAlert {
  readonly resolvedAt: number | null;
}

/** Writes the payload. `message` describes the opening or the resolution. */
export function writePayload(
  event: AlertEvent,
  { id, kind, subject, name, message, value, threshold, openedAt, resolvedAt }: ReportedAlert,
): string {
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: writeTime(resolvedAt ?? openedAt),
    data: {
      id,
      kind,
      subject: subject === '' ? null : subject,
      name,
      message,
      value,
      threshold,
      opened_at: writeTime(openedAt),
      resolved_at: resolvedAt === null ? null : writeTime(resolvedAt),
    },
  });
}

export function writeTestPayload(webhook: string, at: number): string {
  const message = 'This is a test message. No action is needed.';
  return JSON.stringify({ type: 'webhook.test', timestamp: writeTime(at), data: { webhook, message } });
}
