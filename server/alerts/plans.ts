/** Alerts in the database: whichever process sees something first reports it, and no other does. */

import { writeAudit } from '../storage/audit.ts';
import { type Dialect, openRoom, type Plan, sql } from '../storage/plan.ts';
import { number, type Row, text } from '../storage/rows.ts';
import {
  type AlertEvent,
  type AlertStore,
  asAlert,
  type ClaimedDelivery,
  COLUMNS,
  ISNT_BLOCKED,
  MAX_SWEPT,
  type NewDelivery,
  TOO_OLD,
} from './store.ts';

const TURN = `
  INSERT INTO alert_turns (name, next_at) VALUES (?1, ?2)
  ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE alert_turns.next_at <= ?3 RETURNING name`;
const SEE = `
  INSERT INTO alert_sightings (subject, node, detail, since, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (subject, node) DO UPDATE SET detail = excluded.detail, since = excluded.since, seen_at = excluded.seen_at`;
const OPEN = `
  INSERT INTO alerts (id, kind, subject, name, message, value, threshold, opened_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO NOTHING RETURNING id`;
const QUEUE = `
  INSERT INTO alert_deliveries (alert_id, event, webhook, body, state, attempts, created_at, next_at)
  SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), 'waiting', 0, CAST(?5 AS BIGINT), CAST(?5 AS BIGINT)
  WHERE ?2 = 'opened' OR EXISTS (SELECT 1 FROM alert_deliveries WHERE alert_id = ?1 AND webhook = ?3 AND event = 'opened')`;
/** A row that another process is claiming is not waited for. */
const claimSql = ({ list, lockFree }: Dialect): string => `
  UPDATE alert_deliveries SET attempts = attempts + 1, attempted_at = ?2, next_at = ?3
  WHERE (alert_id, webhook, event) IN (
    SELECT alert_id, webhook, event FROM alert_deliveries AS due
    WHERE next_at <= ?2 AND webhook IN ${list('?1')} AND ${ISNT_BLOCKED}
    ORDER BY next_at LIMIT ?4 ${lockFree})
  RETURNING alert_id, webhook, event, body, attempts`;
const FINISH = `
  UPDATE alert_deliveries SET state = ?1, next_at = ?2, status = ?3, failure = ?4 WHERE alert_id = ?5 AND webhook = ?6 AND event = ?7`;

const ACKNOWLEDGE = `
  UPDATE alerts SET acknowledged_at = ?1, acknowledged_by = ?2, snoozed_until = ?3 WHERE id = ?4 AND resolved_at IS NULL RETURNING ${COLUMNS}`;

function* queueAll(id: string, event: AlertEvent, at: number, deliveries: readonly NewDelivery[]): Plan<void> {
  for (const { webhook, body } of deliveries) yield sql(QUEUE, id, event, webhook, body, at);
}

export const alertRoom = openRoom<AlertStore>('alerts', { reads: [], noTransaction: ['takeTurn', 'claim', 'finish'] }, (db) => ({
  takeTurn: function* (name, now, everyMs) {
    return (yield sql(TURN, name, now + everyMs, now)).length > 0;
  },
  see: function* (node, now, sightings) {
    for (const { subject, detail, since } of sightings) yield sql(SEE, subject, node, detail, since, now);
  },
  open: function* ({ id, kind, subject, name, message, value, threshold, openedAt }, deliveries) {
    if ((yield sql(OPEN, id, kind, subject, name, message, value, threshold, openedAt)).length === 0) return false;
    yield* queueAll(id, 'opened', openedAt, deliveries);
    return true;
  },
  resolve: function* (id, now, deliveries) {
    const ended = yield sql('UPDATE alerts SET resolved_at = ?1 WHERE id = ?2 AND resolved_at IS NULL RETURNING id', now, id);
    if (ended.length === 0) return false;
    yield* queueAll(id, 'resolved', now, deliveries);
    return true;
  },
  acknowledge: function* (id, until, audit) {
    const [changed] = yield sql(ACKNOWLEDGE, audit.at, audit.actor, until, id);
    if (changed) yield* writeAudit(audit);
    const [row] = changed ? [changed] : yield sql(`SELECT ${COLUMNS} FROM alerts WHERE id = ?1`, id);
    return row ? asAlert(row) : null;
  },
  claim: function* ({ webhooks, now, until, limit }) {
    return (yield sql(claimSql(db), webhooks, now, until, limit)).map(toClaimed);
  },
  finish: function* ({ alertId, webhook, event, state, nextAt, status, failure }) {
    yield sql(FINISH, state, nextAt, status, failure, alertId, webhook, event);
  },
  sweep: function* ({ due, resolved, seen }) {
    yield sql(`UPDATE alert_deliveries SET state = 'failed', next_at = NULL, failure = '${TOO_OLD}' WHERE next_at < ?1`, due);
    yield sql('DELETE FROM alert_sightings WHERE seen_at < ?1', seen);
    const old = yield sql(`SELECT id FROM alerts WHERE resolved_at < ?1 ORDER BY id LIMIT ${MAX_SWEPT} ${db.lockFree}`, resolved);
    const ids = old.map((row) => text(row.id));
    yield sql(`DELETE FROM alert_deliveries WHERE alert_id IN ${db.list('?1')}`, ids);
    yield sql(`DELETE FROM alerts WHERE id IN ${db.list('?1')}`, ids);
  },
}));

const toClaimed = (row: Row): ClaimedDelivery => ({
  alertId: text(row.alert_id),
  webhook: text(row.webhook),
  // `as`: written by the statements above.
  event: text(row.event) as AlertEvent,
  body: text(row.body),
  attempts: number(row.attempts),
});
