/** Alerts and deliveries for operators; every question is bounded and uses an index. */
import { number, numberOrNull, type Row, text, textOrNull } from '../storage/postgres/rows.ts';
import type { Read } from '../storage/shared-reads.ts';
import { messageId } from './deliver.ts';
import type { AlertEvent, DeliveryState, NewAlert } from './store.ts';

export interface AlertRecord extends NewAlert {
  readonly resolvedAt: number | null;
}

export interface AlertPage {
  readonly state?: 'open' | 'resolved' | undefined;
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: string | undefined;
}

const COLUMNS = 'id, kind, subject, name, message, value, threshold, opened_at, resolved_at';
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
  /** Of the oldest. */
  readonly since: number;
  /** Of the newest. */
  readonly message: string;
}

export const OPEN_SQL = 'SELECT count(*) AS alerts, min(opened_at) AS since, max(id) AS newest FROM alerts WHERE resolved_at IS NULL';

/** Null: none is open. */
export async function countOpen(read: Read): Promise<OpenAlerts | null> {
  const [row] = await read(OPEN_SQL, []);
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

const asAlert = (row: Row): AlertRecord => ({
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
