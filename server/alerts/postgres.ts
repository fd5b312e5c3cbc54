/** Alerts on PostgreSQL: whichever process sees something first tells it, and no other does. */

import { number, type Row, text } from '../storage/postgres/connections.ts';
import type { Postgres, Queries } from '../storage/postgres/pool.ts';
import { type AlertEvent, type AlertStore, type ClaimedDelivery, ISNT_BLOCKED, MAX_SWEPT, type NewDelivery, TOO_OLD } from './store.ts';

const turn = {
  text: `
    INSERT INTO alert_turns (name, next_at) VALUES ($1, $2::BIGINT + $3::BIGINT)
    ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE alert_turns.next_at <= $2::BIGINT RETURNING name`,
};
const see = {
  text: `
    INSERT INTO alert_sightings (subject, node, detail, since, seen_at)
    SELECT subject, $1, detail, since, $2 FROM json_to_recordset($3::JSON) AS given (subject TEXT, detail TEXT, since BIGINT)
    ON CONFLICT (subject, node) DO UPDATE SET detail = excluded.detail, since = excluded.since, seen_at = excluded.seen_at`,
};
const open = {
  text: `
    INSERT INTO alerts (id, kind, subject, name, message, value, threshold, opened_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO NOTHING RETURNING id`,
};
const resolve = { text: 'UPDATE alerts SET resolved_at = $1 WHERE id = $2 AND resolved_at IS NULL RETURNING id' };
const queue = {
  text: `
    INSERT INTO alert_deliveries (alert_id, event, webhook, body, state, attempts, created_at, next_at)
    SELECT $1, $2, webhook, body, 'waiting', 0, $3::BIGINT, $3::BIGINT FROM json_to_recordset($4::JSON) AS given (webhook TEXT, body TEXT)
    WHERE $2 = 'opened' OR EXISTS (
      SELECT 1 FROM alert_deliveries AS begun WHERE begun.alert_id = $1 AND begun.webhook = given.webhook AND begun.event = 'opened')`,
};
/** A row that another process is claiming is not waited for. */
const claim = {
  text: `
    WITH due AS (
      SELECT alert_id, webhook, event FROM alert_deliveries AS due
      WHERE next_at <= $2 AND webhook = ANY ($1::TEXT[]) AND ${ISNT_BLOCKED}
      ORDER BY next_at LIMIT $4 FOR UPDATE SKIP LOCKED
    )
    UPDATE alert_deliveries AS one SET attempts = one.attempts + 1, attempted_at = $2, next_at = $3
    FROM due WHERE one.alert_id = due.alert_id AND one.webhook = due.webhook AND one.event = due.event
    RETURNING one.alert_id, one.webhook, one.event, one.body, one.attempts`,
};
const finish = {
  text: `
    UPDATE alert_deliveries SET state = $1, next_at = $2, status = $3, failure = $4
    WHERE alert_id = $5 AND webhook = $6 AND event = $7`,
};
const end = { text: `UPDATE alert_deliveries SET state = 'failed', next_at = NULL, failure = '${TOO_OLD}' WHERE next_at < $1` };
const old = { text: `SELECT id FROM alerts WHERE resolved_at < $1 ORDER BY id LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED` };
const forgetDeliveries = { text: 'DELETE FROM alert_deliveries WHERE alert_id = ANY ($1::TEXT[])' };
const forget = { text: 'DELETE FROM alerts WHERE id = ANY ($1::TEXT[])' };
const forgetSeen = { text: 'DELETE FROM alert_sightings WHERE seen_at < $1' };

interface QueuedEvent {
  readonly id: string;
  readonly event: AlertEvent;
  readonly at: number;
}

async function queueAll(queries: Queries, { id, event, at }: QueuedEvent, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length > 0) await queries.query(queue, [id, event, at, JSON.stringify(deliveries)]);
}

export function openPostgresAlerts(postgres: Postgres): AlertStore {
  return {
    takeTurn: async (name, now, everyMs) => (await postgres.query(turn, [name, now, everyMs])).length > 0,
    async see(node, now, sightings) {
      await postgres.query(see, [node, now, JSON.stringify(sightings)]);
    },
    open: (alert, deliveries) =>
      postgres.transaction('write', async (queries) => {
        const { id, kind, subject, name, message, value, threshold, openedAt } = alert;
        const added = await queries.query(open, [id, kind, subject, name, message, value, threshold, openedAt]);
        if (added.length === 0) return false;
        await queueAll(queries, { id, event: 'opened', at: openedAt }, deliveries);
        return true;
      }),
    resolve: (id, now, deliveries) =>
      postgres.transaction('write', async (queries) => {
        if ((await queries.query(resolve, [now, id])).length === 0) return false;
        await queueAll(queries, { id, event: 'resolved', at: now }, deliveries);
        return true;
      }),
    claim: async ({ webhooks, now, until, limit }) => (await postgres.query(claim, [webhooks, now, until, limit])).map(asClaimed),
    async finish({ alertId, webhook, event, state, nextAt, status, failure }) {
      await postgres.query(finish, [state, nextAt, status, failure, alertId, webhook, event]);
    },
    async sweep({ due, resolved, seen }) {
      await postgres.work(end, [due]);
      await postgres.work(forgetSeen, [seen]);
      await postgres.transaction('write', async (queries) => {
        const ids = (await queries.query(old, [resolved])).map((row) => text(row.id));
        await queries.query(forgetDeliveries, [ids]);
        await queries.query(forget, [ids]);
      });
    },
  };
}

const asClaimed = (row: Row): ClaimedDelivery => ({
  alertId: text(row.alert_id),
  webhook: text(row.webhook),
  // `as`: written by the statements above.
  event: text(row.event) as AlertEvent,
  body: text(row.body),
  attempts: number(row.attempts),
});
