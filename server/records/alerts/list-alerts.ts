/** Lists alerts: all, open, unattended, or about some subjects. */
import type { Read } from '../../store/audit.ts';
import { formatPlaceholders } from '../../store/format-placeholders.ts';
import { type Row, readNumber, readNumberOrNull, readText, readTextOrNull } from '../../store/rows.ts';
import { type AlertRecord, LEVEL_MARK } from './store.ts';

interface AlertPage {
  readonly state?: 'open' | 'resolved' | undefined;
  readonly limit: number;
  /** The last ID of the previous page. */
  readonly after?: string | undefined;
}

export const COLUMNS =
  'id, kind, subject, name, message, value, threshold, opened_at, resolved_at, acknowledged_at, acknowledged_by, snoozed_until';

const stateConditions = { open: 'resolved_at IS NULL', resolved: 'resolved_at IS NOT NULL' };

const MAX_ALERT_ID = '~';

export const buildAlertsSql = (state?: 'open' | 'resolved'): string =>
  `SELECT ${COLUMNS} FROM alerts WHERE id < ?1${state ? ` AND ${stateConditions[state]}` : ''} ORDER BY id DESC LIMIT ?2`;

/** Newest first. */
export async function listAlerts(read: Read, { state, limit, after = MAX_ALERT_ID }: AlertPage): Promise<readonly AlertRecord[]> {
  return (await read(buildAlertsSql(state), [after, limit])).map(toAlert);
}

export const isAlertId = (id: string): boolean => /^alert_[0-9a-f]+$/.test(id);

export async function hasOpenAlerts(read: Read): Promise<boolean> {
  return (await read('SELECT id FROM alerts WHERE resolved_at IS NULL LIMIT 1', [])).length > 0;
}

const UNATTENDED_CONDITION = 'resolved_at IS NULL AND (acknowledged_at IS NULL OR snoozed_until <= ?1)';

export const UNATTENDED_SQL = `SELECT ${COLUMNS} FROM alerts WHERE ${UNATTENDED_CONDITION} ORDER BY id DESC LIMIT ?2`;

export const COUNT_UNATTENDED_SQL = `SELECT count(*) AS alerts FROM alerts WHERE ${UNATTENDED_CONDITION}`;

/** Lists open alerts that are neither acknowledged nor snoozed: newest first, at most `limit`. */
export async function listUnattended(read: Read, now: number, limit: number) {
  const newest = (await read(UNATTENDED_SQL, [now, limit])).map(toAlert);
  if (newest.length < limit) return { count: newest.length, newest };
  const [row] = await read(COUNT_UNATTENDED_SQL, [now]);
  return { count: readNumber(row?.alerts), newest };
}

/** Counts open alerts that are acknowledged or snoozed. */
export async function countAcknowledged(read: Read, now: number): Promise<number> {
  const [row] = await read(
    'SELECT count(*) AS alerts FROM alerts WHERE resolved_at IS NULL AND acknowledged_at IS NOT NULL AND (snoozed_until IS NULL OR snoozed_until > ?1)',
    [now],
  );
  return readNumber(row?.alerts);
}

/** Reads whom or what each alert is about, by the ID of the alert. Without alerts about the entire gateway. */
export async function readAlertNames(read: Read, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await read(
    `SELECT id, coalesce(name, subject) AS name FROM alerts WHERE subject <> '' AND id IN (${formatPlaceholders(1, ids)})`,
    ids,
  );
  return new Map(rows.map((row) => [readText(row.id), readText(row.name)]));
}

export const buildOpenAlertsSql = (count: number): string =>
  `SELECT kind, subject FROM alerts
   WHERE resolved_at IS NULL AND kind IN ('balance_low', 'upstream_unavailable', 'ledger_mismatch')
     AND subject IN (${formatPlaceholders(1, { length: count })})`;

/** Returns the subjects with an open alert, acknowledged or not, as `kind subject`. */
export async function listOpenAlertKeys(read: Read, subjects: readonly string[]): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set();
  const rows = await read(buildOpenAlertsSql(subjects.length), subjects);
  return new Set(rows.map(({ kind, subject }) => `${readText(kind)} ${readText(subject)}`));
}

/** A process writes its observations every five seconds, so older ones are stale. */
export const MAX_OBSERVATION_AGE_MS = 20_000;

/** The open alert remembers the start of an outage that a restarted process has observed only since its own start. */
export const UNAVAILABLE_SINCE_SQL = `
  SELECT alert_sightings.subject AS subject, min(CASE WHEN opened_at < since THEN opened_at ELSE since END) AS since
  FROM alert_sightings
  LEFT JOIN alerts ON kind = 'upstream_unavailable' AND alerts.subject = alert_sightings.subject AND resolved_at IS NULL
  WHERE seen_at >= ?1 GROUP BY alert_sightings.subject`;

/** Returns since when each upstream has continuously had a model that is cooling down, as observed by the processes. */
export async function readUnavailableSince(read: Read, now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await read(UNAVAILABLE_SINCE_SQL, [now - MAX_OBSERVATION_AGE_MS]);
  return new Map(rows.map(({ subject, since }) => [readText(subject), readNumber(since)]));
}

/** Reads the columns that open and resolved alerts share. */
export const toAlertSubject = (row: Row) => ({
  id: readText(row.id),
  // `as`: `open` of the store wrote this kind.
  kind: readText(row.kind) as AlertRecord['kind'],
  subject: readText(row.subject).replaceAll(LEVEL_MARK, ''),
  name: readTextOrNull(row.name),
  value: readTextOrNull(row.value),
  threshold: readTextOrNull(row.threshold),
  openedAt: readNumber(row.opened_at),
});

export const toAlert = (row: Row): AlertRecord => ({
  ...toAlertSubject(row),
  message: readText(row.message),
  resolvedAt: readNumberOrNull(row.resolved_at),
  acknowledgement:
    row.acknowledged_at === null
      ? null
      : { at: readNumber(row.acknowledged_at), by: readText(row.acknowledged_by), until: readNumberOrNull(row.snoozed_until) },
});
