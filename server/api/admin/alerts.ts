/** Admin API handlers for alerts and their webhooks. */

import { type Alert, alertKinds, type alertRoutes, type Webhook } from '../../../contract/admin/alerts.ts';
import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { WebhookSettings } from '../../config/schema-server.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { randomHex } from '../../primitives/random-hex.ts';
import { isAlertId, listAlerts } from '../../records/alerts/list-alerts.ts';
import { sendWebhook } from '../../records/alerts/send-webhook.ts';
import type { AlertRecord } from '../../records/alerts/store.ts';
import { countWaitingDeliveries, type DeliveryRecord, findLastWebhookDelivery } from '../../records/alerts/webhook-deliveries.ts';
import { writeTestPayload } from '../../records/alerts/webhook-payload.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { createConflictError, createInvalidValueError, createNotFoundError, createTooSoonError } from './errors.ts';
import { type Operations, toAuditEntry } from './operations.ts';
import { writeAll, writePage } from './page.ts';
import { writeTime, writeTimeOrNull } from './times.ts';
import { MIN_TEST_INTERVAL_MS } from './upstreams.ts';

export function createAlertHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof alertRoutes> {
  const { access, activity, now } = operations;
  const testedAt = new Map<string, number>();
  return {
    async listAlerts({ query, ok }) {
      const { limit = PAGE_LENGTH, after, state } = query;
      if (after !== undefined && !isAlertId(after))
        throw createInvalidValueError('after', "'after' must be the ID of an entry in this list.");
      const alerts = await listAlerts(activity.ask, { state, after, limit: limit + 1 });
      return ok(writePage(alerts.map(writeAlert), limit, ({ id }) => id));
    },

    async acknowledgeAlert({ request, params: { alert_id: id }, body, ok }) {
      const audit = toAuditEntry(operations, request, { action: 'alert.acknowledge', target: id, details: body });
      const snoozedUntil = body.snooze_seconds === undefined ? null : audit.at + body.snooze_seconds * 1_000;
      const alert = await operations.alerts.acknowledge(id, snoozedUntil, audit);
      if (!alert) throw createNotFoundError('alert_id', `Alert '${toPrintable(id)}' not found.`);
      if (alert.resolvedAt !== null)
        throw createConflictError(`The alert was resolved at ${writeTime(alert.resolvedAt)}. Only open alerts can be acknowledged.`);
      return ok(writeAlert(alert));
    },

    async listWebhooks({ ok }) {
      const waitingCounts = await countWaitingDeliveries(activity.ask);
      const data: Webhook[] = [];
      for (const webhook of operations.config.alerts.webhooks)
        data.push(writeWebhook(webhook, await findLastWebhookDelivery(activity.ask, webhook.name), waitingCounts.get(webhook.name) ?? 0));
      return ok(writeAll(data, ({ name }) => name));
    },

    async testWebhook({ request, params, ok }) {
      const webhook = operations.config.alerts.webhooks.find(({ name }) => name === params.webhook);
      if (!webhook) throw createNotFoundError('webhook', `Webhook '${toPrintable(params.webhook)}' not found.`);
      const waitMs = (testedAt.get(webhook.name) ?? Number.NEGATIVE_INFINITY) + MIN_TEST_INTERVAL_MS - now();
      if (waitMs > 0) throw createTooSoonError(`Webhook '${webhook.name}'`, waitMs);
      testedAt.set(webhook.name, now());
      // Written before sending, so that no message lacks an audit entry.
      await access.store.addAuditEntry(toAuditEntry(operations, request, { action: 'webhook.test', target: webhook.name, details: {} }));
      return ok(await testWebhook(webhook, now()));
    },
  };
}

async function testWebhook(webhook: WebhookSettings, at: number) {
  const id = `test_${randomHex(12)}`;
  const startedAt = performance.now();
  const { isDelivered, status, failure } = await sendWebhook(webhook, { id, at, body: writeTestPayload(webhook.name, at) });
  const totalMs = Math.round(performance.now() - startedAt);
  return { object: 'webhook_test' as const, webhook: webhook.name, id, ok: isDelivered, status, failure, total_ms: totalMs };
}

const writeAlert = ({ id, kind, subject, name, message, value, threshold, openedAt, resolvedAt, acknowledgement }: AlertRecord): Alert => ({
  id,
  object: 'alert',
  kind,
  subject: subject === '' ? null : subject,
  name,
  message,
  value,
  threshold,
  opened_at: writeTime(openedAt),
  resolved_at: writeTimeOrNull(resolvedAt),
  acknowledged_at: writeTimeOrNull(acknowledgement?.at ?? null),
  acknowledged_by: acknowledgement?.by ?? null,
  snoozed_until: writeTimeOrNull(acknowledgement?.until ?? null),
});

const writeWebhook = ({ name, url, events }: WebhookSettings, lastDelivery: DeliveryRecord | null, waiting: number): Webhook => ({
  name,
  object: 'webhook',
  host: new URL(url).host,
  events: [...(events ?? alertKinds)],
  last_delivery: lastDelivery && {
    id: lastDelivery.id,
    alert: lastDelivery.alertId,
    event: lastDelivery.event,
    state: lastDelivery.state,
    attempts: lastDelivery.attempts,
    status: lastDelivery.status,
    failure: lastDelivery.failure,
    created_at: writeTime(lastDelivery.createdAt),
    attempted_at: writeTimeOrNull(lastDelivery.attemptedAt),
    next_at: writeTimeOrNull(lastDelivery.nextAt),
  },
  waiting,
});
