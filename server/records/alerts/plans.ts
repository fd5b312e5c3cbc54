/** The database methods for alerts. The first process to see a problem reports it, and no other does. */

import { writeAudit } from '../../store/audit.ts';
import { type Dialect, defineStore, type Plan, sql } from '../../store/plan.ts';
import { type Row, readNumber, readText } from '../../store/rows.ts';
import { COLUMNS, toAlert } from './list-alerts.ts';
import {
  type AlertEvent,
  type AlertStore,
  type ClaimedDelivery,
  EXPIRED_FAILURE,
  getLevelMarks,
  MAX_SWEPT_ALERTS,
  type NewDelivery,
  NOT_BLOCKED_SQL,
} from './store.ts';

const ACQUIRE_TURN = `
  INSERT INTO alert_turns (name, next_at) VALUES (?1, ?2)
  ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE alert_turns.next_at <= ?3 RETURNING name`;
const SAVE_OBSERVATION = `
  INSERT INTO alert_sightings (subject, node, detail, since, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (subject, node) DO UPDATE SET detail = excluded.detail, since = excluded.since, seen_at = excluded.seen_at`;
const OPEN_ALERT = `
  INSERT INTO alerts (id, kind, subject, name, message, value, threshold, opened_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO NOTHING RETURNING id`;
const QUEUE_DELIVERY = `
  INSERT INTO alert_deliveries (alert_id, event, webhook, body, state, attempts, created_at, next_at)
  SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), 'waiting', 0, CAST(?5 AS BIGINT), CAST(?5 AS BIGINT)
  WHERE ?2 = 'opened' OR EXISTS (SELECT 1 FROM alert_deliveries WHERE alert_id = ?1 AND webhook = ?3 AND event = 'opened')`;
/** Skips a row that another process is claiming, instead of waiting for it. */
const buildClaimSql = ({ list, lockFree }: Dialect): string => `
  UPDATE alert_deliveries SET attempts = attempts + 1, attempted_at = ?2, next_at = ?3
  WHERE (alert_id, webhook, event) IN (
    SELECT alert_id, webhook, event FROM alert_deliveries AS due
    WHERE next_at <= ?2 AND webhook IN ${list('?1')} AND ${NOT_BLOCKED_SQL}
    ORDER BY next_at LIMIT ?4 ${lockFree})
  RETURNING alert_id, webhook, event, body, attempts`;
const FINISH_DELIVERY = `
  UPDATE alert_deliveries SET state = ?1, next_at = ?2, status = ?3, failure = ?4 WHERE alert_id = ?5 AND webhook = ?6 AND event = ?7`;

const ACKNOWLEDGE_ALERT = `
  UPDATE alerts SET acknowledged_at = ?1, acknowledged_by = ?2, snoozed_until = ?3 WHERE id = ?4 AND resolved_at IS NULL RETURNING ${COLUMNS}`;

function* queueDeliveries(id: string, event: AlertEvent, at: number, deliveries: readonly NewDelivery[]): Plan<void> {
  for (const { channel, body } of deliveries) yield sql(QUEUE_DELIVERY, id, event, channel, body, at);
}

export const alertStoreDefinition = defineStore<AlertStore>(
  'alerts',
  { reads: [], noTransaction: ['acquireTurn', 'claim', 'finish'] },
  (db) => ({
    acquireTurn: function* (name, now, everyMs) {
      return (yield sql(ACQUIRE_TURN, name, now + everyMs, now)).length > 0;
    },
    saveObservations: function* (node, now, observations) {
      for (const { subject, detail, since } of observations) yield sql(SAVE_OBSERVATION, subject, node, detail, since, now);
    },
    open: function* ({ id, kind, subject, level = 0, name, message, value, threshold, openedAt }, deliveries) {
      if ((yield sql(OPEN_ALERT, id, kind, `${subject}${getLevelMarks(level)}`, name, message, value, threshold, openedAt)).length === 0)
        return false;
      yield* queueDeliveries(id, 'opened', openedAt, deliveries);
      return true;
    },
    resolve: function* (id, now, deliveries) {
      const resolvedRows = yield sql('UPDATE alerts SET resolved_at = ?1 WHERE id = ?2 AND resolved_at IS NULL RETURNING id', now, id);
      if (resolvedRows.length === 0) return false;
      yield* queueDeliveries(id, 'resolved', now, deliveries);
      return true;
    },
    acknowledge: function* (id, until, audit) {
      const [updatedRow] = yield sql(ACKNOWLEDGE_ALERT, audit.at, audit.actor, until, id);
      if (updatedRow) yield* writeAudit(audit);
      const [row] = updatedRow ? [updatedRow] : yield sql(`SELECT ${COLUMNS} FROM alerts WHERE id = ?1`, id);
      return row ? toAlert(row) : null;
    },
    claim: function* ({ channels, now, until, limit }) {
      return (yield sql(buildClaimSql(db), channels, now, until, limit)).map(toClaimedDelivery);
    },
    finish: function* ({ alertId, channel, event, state, nextAt, status, failure }) {
      yield sql(FINISH_DELIVERY, state, nextAt, status, failure, alertId, channel, event);
    },
    sweep: function* ({ due, resolved, seen }) {
      yield sql(`UPDATE alert_deliveries SET state = 'failed', next_at = NULL, failure = '${EXPIRED_FAILURE}' WHERE next_at < ?1`, due);
      yield sql('DELETE FROM alert_sightings WHERE seen_at < ?1', seen);
      const expiredAlerts = yield sql(
        `SELECT id FROM alerts WHERE resolved_at < ?1 ORDER BY id LIMIT ${MAX_SWEPT_ALERTS} ${db.lockFree}`,
        resolved,
      );
      const ids = expiredAlerts.map((row) => readText(row.id));
      yield sql(`DELETE FROM alert_deliveries WHERE alert_id IN ${db.list('?1')}`, ids);
      yield sql(`DELETE FROM alerts WHERE id IN ${db.list('?1')}`, ids);
    },
  }),
);

const toClaimedDelivery = (row: Row): ClaimedDelivery => ({
  alertId: readText(row.alert_id),
  channel: readText(row.webhook),
  // `as`: the statements above wrote this event.
  event: readText(row.event) as AlertEvent,
  body: readText(row.body),
  attempts: readNumber(row.attempts),
});
