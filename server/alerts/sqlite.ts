/** Alerts on the embedded database. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { StepRunner } from '../storage/sqlite/database.ts';
import {
  type AlertEvent,
  type AlertStore,
  type Attempted,
  type Claim,
  type ClaimedDelivery,
  type HealthObservation,
  ISNT_BLOCKED,
  MAX_SWEPT,
  type NewAlert,
  type NewDelivery,
  TOO_OLD,
} from './store.ts';

/** The writes, on one connection; none of them begins or ends a transaction. */
export type AlertSteps = ReturnType<typeof openAlertSteps>;

interface Turn {
  readonly name: string;
  readonly now: number;
  readonly everyMs: number;
}
interface Seen {
  readonly node: string;
  readonly now: number;
  readonly sightings: readonly HealthObservation[];
}
interface Opening {
  readonly alert: NewAlert;
  readonly deliveries: readonly NewDelivery[];
}
interface Resolving {
  readonly id: string;
  readonly now: number;
  readonly deliveries: readonly NewDelivery[];
}
type Before = Parameters<AlertStore['sweep']>[0];

export function openAlertSteps(connection: DatabaseSync) {
  const turn = connection.prepare(
    `INSERT INTO alert_turns (name, next_at) VALUES (?1, ?2 + ?3)
     ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE alert_turns.next_at <= ?2`,
  );
  const see = connection.prepare(
    `INSERT INTO alert_sightings (subject, node, detail, since, seen_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (subject, node) DO UPDATE SET detail = excluded.detail, since = excluded.since, seen_at = excluded.seen_at`,
  );
  const open = connection.prepare(
    `INSERT INTO alerts (id, kind, subject, name, message, value, threshold, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO NOTHING`,
  );
  const resolve = connection.prepare('UPDATE alerts SET resolved_at = ? WHERE id = ? AND resolved_at IS NULL');
  const queue = connection.prepare(
    `INSERT INTO alert_deliveries (alert_id, event, webhook, body, state, attempts, created_at, next_at)
     SELECT ?1, ?2, ?3, ?4, 'waiting', 0, ?5, ?5
     WHERE ?2 = 'opened' OR EXISTS (SELECT 1 FROM alert_deliveries WHERE alert_id = ?1 AND webhook = ?3 AND event = 'opened')`,
  );
  const queueAll = (id: string, event: AlertEvent, { now, deliveries }: Pick<Resolving, 'now' | 'deliveries'>): void => {
    for (const { webhook, body } of deliveries) queue.run(id, event, webhook, body, now);
  };
  return {
    takeAlertTurn: ({ name, now, everyMs }: Turn): boolean => Number(turn.run(name, now, everyMs).changes) > 0,
    seeSightings({ node, now, sightings }: Seen): void {
      for (const { subject, detail, since } of sightings) see.run(subject, node, detail, since, now);
    },
    openAlert({ alert, deliveries }: Opening): boolean {
      const { id, kind, subject, name, message, value, threshold, openedAt } = alert;
      if (Number(open.run(id, kind, subject, name, message, value, threshold, openedAt).changes) === 0) return false;
      queueAll(id, 'opened', { now: openedAt, deliveries });
      return true;
    },
    resolveAlert({ id, now, deliveries }: Resolving): boolean {
      if (Number(resolve.run(now, id).changes) === 0) return false;
      queueAll(id, 'resolved', { now, deliveries });
      return true;
    },
    ...openDeliverySteps(connection),
  };
}

function openDeliverySteps(connection: DatabaseSync) {
  const claim = connection.prepare(
    `UPDATE alert_deliveries SET attempts = attempts + 1, attempted_at = ?2, next_at = ?3
     WHERE (alert_id, webhook, event) IN (
       SELECT alert_id, webhook, event FROM alert_deliveries AS due
       WHERE next_at <= ?2 AND webhook IN (SELECT value FROM json_each(?1)) AND ${ISNT_BLOCKED}
       ORDER BY next_at LIMIT ?4)
     RETURNING alert_id, webhook, event, body, attempts`,
  );
  const finish = connection.prepare(
    'UPDATE alert_deliveries SET state = ?, next_at = ?, status = ?, failure = ? WHERE alert_id = ? AND webhook = ? AND event = ?',
  );
  const end = connection.prepare(`UPDATE alert_deliveries SET state = 'failed', next_at = NULL, failure = '${TOO_OLD}' WHERE next_at < ?`);
  const old = `SELECT id FROM alerts WHERE resolved_at < ? ORDER BY id LIMIT ${MAX_SWEPT}`;
  const forgetDeliveries = connection.prepare(`DELETE FROM alert_deliveries WHERE alert_id IN (${old})`);
  const forget = connection.prepare(`DELETE FROM alerts WHERE id IN (${old})`);
  const forgetSeen = connection.prepare('DELETE FROM alert_sightings WHERE seen_at < ?');
  return {
    claimDeliveries: ({ webhooks, now, until, limit }: Claim): ClaimedDelivery[] =>
      claim.all(JSON.stringify(webhooks), now, until, limit).map(asClaimed),
    finishDelivery({ alertId, webhook, event, state, nextAt, status, failure }: Attempted): void {
      finish.run(state, nextAt, status, failure, alertId, webhook, event);
    },
    sweepAlerts({ due, resolved, seen }: Before): void {
      end.run(due);
      forgetDeliveries.run(resolved);
      forget.run(resolved);
      forgetSeen.run(seen);
    },
  };
}

const asClaimed = (row: Record<string, SQLOutputValue>): ClaimedDelivery => ({
  alertId: String(row.alert_id),
  webhook: String(row.webhook),
  // `as`: written by the steps above.
  event: row.event as AlertEvent,
  body: String(row.body),
  attempts: Number(row.attempts),
});

export function openSqliteAlerts(steps: Pick<StepRunner<AlertSteps>, 'run'>): AlertStore {
  return {
    takeTurn: (name, now, everyMs) => steps.run('takeAlertTurn', { name, now, everyMs }),
    see: (node, now, sightings) => steps.run('seeSightings', { node, now, sightings }),
    open: (alert, deliveries) => steps.run('openAlert', { alert, deliveries }),
    resolve: (id, now, deliveries) => steps.run('resolveAlert', { id, now, deliveries }),
    claim: (claim) => steps.run('claimDeliveries', claim),
    finish: (attempted) => steps.run('finishDelivery', attempted),
    sweep: (before) => steps.run('sweepAlerts', before),
  };
}
