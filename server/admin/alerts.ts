/** Alerts in the operators' API: what is open, who is told, and a test message. */
import { type Alert, alertKinds, type alertRoutes, type Webhook } from '../../contract/admin/alerts.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import { writeTestPayload } from '../alerts/payload.ts';
import { type AlertRecord, countWaiting, type DeliveryRecord, isAlertId, lastDelivery, listAlerts } from '../alerts/read.ts';
import { sendOnce } from '../alerts/send.ts';
import type { WebhookSettings } from '../config/alerts-schema.ts';
import { GatewayError, shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { randomHex } from '../primitives/random-id.ts';
import { auditOf, type Operations } from './operations.ts';
import { invalid, missing, writeAll, writePage, writeTime, writeTimeOrNull } from './values.ts';

const BETWEEN_TESTS_MS = 5_000;

export function alertHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof alertRoutes> {
  const { access, activity, now } = operations;
  const testedAt = new Map<string, number>();
  return {
    async listAlerts({ query, ok }) {
      const { limit = PAGE_LENGTH, after, state } = query;
      if (after !== undefined && !isAlertId(after)) throw invalid('after', "'after' must be the id of an entry of this list.");
      const found = await listAlerts(activity.ask, { state, after, limit: limit + 1 });
      return ok(writePage(found.map(writeAlert), limit, ({ id }) => id));
    },

    async listWebhooks({ ok }) {
      const waiting = await countWaiting(activity.ask);
      const data: Webhook[] = [];
      for (const webhook of operations.config.alerts.webhooks)
        data.push(writeWebhook(webhook, await lastDelivery(activity.ask, webhook.name), waiting.get(webhook.name) ?? 0));
      return ok(writeAll(data, ({ name }) => name));
    },

    async testWebhook({ request, params, ok }) {
      const webhook = operations.config.alerts.webhooks.find(({ name }) => name === params.webhook);
      if (!webhook) throw missing('webhook', `There is no webhook '${shown(params.webhook)}'.`);
      const waitMs = (testedAt.get(webhook.name) ?? Number.NEGATIVE_INFINITY) + BETWEEN_TESTS_MS - now();
      if (waitMs > 0) throw tooSoon(waitMs);
      testedAt.set(webhook.name, now());
      // Before it is sent: there must be no message without an audit entry.
      await access.store.note(auditOf(operations, request, { action: 'webhook.test', target: webhook.name, details: {} }));
      return ok(await testWebhook(webhook, now()));
    },
  };
}

async function testWebhook(webhook: WebhookSettings, at: number) {
  const id = `test_${randomHex(12)}`;
  const begin = performance.now();
  const { isDelivered, status, failure } = await sendOnce(webhook, { id, at, body: writeTestPayload(webhook.name, at) });
  const totalMs = Math.round(performance.now() - begin);
  return { object: 'webhook_test' as const, webhook: webhook.name, id, ok: isDelivered, status, failure, total_ms: totalMs };
}

function tooSoon(waitMs: number): GatewayError {
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1_000)) };
  return new GatewayError<AnyAdminCode>('conflict', { message: 'This webhook was tested less than five seconds ago.', headers });
}

const writeAlert = ({ id, kind, subject, name, message, value, threshold, openedAt, resolvedAt }: AlertRecord): Alert => ({
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
});

const writeWebhook = ({ name, url, events }: WebhookSettings, last: DeliveryRecord | null, waiting: number): Webhook => ({
  name,
  object: 'webhook',
  host: new URL(url).host,
  events: [...(events ?? alertKinds)],
  last_delivery: last && {
    id: last.id,
    alert: last.alertId,
    event: last.event,
    state: last.state,
    attempts: last.attempts,
    status: last.status,
    failure: last.failure,
    created_at: writeTime(last.createdAt),
    attempted_at: writeTimeOrNull(last.attemptedAt),
    next_at: writeTimeOrNull(last.nextAt),
  },
  waiting,
});
