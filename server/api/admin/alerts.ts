/** Admin API handlers for alerts and their channels. */

import { type Alert, type AlertChannel, type AlertChannelTest, alertKinds, type alertRoutes } from '../../../contract/admin/alerts.ts';
import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import { readAllNames } from '../../access/read-names.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { randomHex } from '../../primitives/random-hex.ts';
import { writeTestMessage } from '../../records/alerts/alert-message.ts';
import { type Channel, getChannelHost, listChannels } from '../../records/alerts/channels.ts';
import { countWaitingDeliveries, type DeliveryRecord, findLastDelivery } from '../../records/alerts/last-delivery.ts';
import { isAlertId, listAlerts } from '../../records/alerts/list-alerts.ts';
import { sendMessage } from '../../records/alerts/send-message.ts';
import type { AlertRecord } from '../../records/alerts/store.ts';
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
      const names = await readAllNames(
        activity.ask,
        alerts.flatMap(({ acknowledgement }) => acknowledgement?.by ?? []),
      );
      return ok(
        writePage(
          alerts.map((alert) => writeAlert(alert, names)),
          limit,
          ({ id }) => id,
        ),
      );
    },

    async acknowledgeAlert({ request, params: { alert_id: id }, body, ok }) {
      const audit = toAuditEntry(operations, request, { action: 'alert.acknowledge', target: id, details: body });
      const snoozedUntil = body.snooze_seconds === undefined ? null : audit.at + body.snooze_seconds * 1_000;
      const alert = await operations.alerts.acknowledge(id, snoozedUntil, audit);
      if (!alert) throw createNotFoundError('alert_id', `Alert '${toPrintable(id)}' not found.`);
      if (alert.resolvedAt !== null)
        throw createConflictError(`The alert was resolved at ${writeTime(alert.resolvedAt)}. Only open alerts can be acknowledged.`);
      return ok(writeAlert(alert, await readAllNames(activity.ask, [request.actor])));
    },

    async listAlertChannels({ ok }) {
      const waitingCounts = await countWaitingDeliveries(activity.ask);
      const data: AlertChannel[] = [];
      for (const channel of listChannels(operations.config.alerts))
        data.push(writeChannel(channel, await findLastDelivery(activity.ask, channel.name), waitingCounts.get(channel.name) ?? 0));
      return ok(writeAll(data, ({ name }) => name));
    },

    async testAlertChannel({ request, params, ok }) {
      const channel = listChannels(operations.config.alerts).find(({ name }) => name === params.channel);
      if (!channel) throw createNotFoundError('channel', `Channel '${toPrintable(params.channel)}' not found.`);
      const waitMs = (testedAt.get(channel.name) ?? Number.NEGATIVE_INFINITY) + MIN_TEST_INTERVAL_MS - now();
      if (waitMs > 0) throw createTooSoonError(`Channel '${channel.name}'`, waitMs);
      testedAt.set(channel.name, now());
      // Written before sending, so that no message lacks an audit entry.
      await access.store.addAuditEntry(toAuditEntry(operations, request, { action: 'alert.test', target: channel.name, details: {} }));
      return ok(await testChannel(channel, now(), operations.config.admin.publicUrl));
    },
  };
}

async function testChannel(channel: Channel, at: number, publicUrl: string | undefined): Promise<AlertChannelTest> {
  const [id, body] = [`test_${randomHex(12)}`, writeTestMessage(channel, at, publicUrl)];
  const startedAt = performance.now();
  const { isDelivered, ...result } = await sendMessage(channel, { id, at, body }, { readsResponse: true });
  const totalMs = Math.round(performance.now() - startedAt);
  return { object: 'alert_channel_test', channel: channel.name, id, ok: isDelivered, sent: body, ...result, total_ms: totalMs };
}

const writeAlert = (
  { id, kind, subject, name, message, value, threshold, openedAt, resolvedAt, acknowledgement }: AlertRecord,
  names: ReadonlyMap<string, string>,
): Alert => ({
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
  acknowledged_by_name: names.get(acknowledgement?.by ?? '') ?? null,
  snoozed_until: writeTimeOrNull(acknowledgement?.until ?? null),
});

const writeChannel = (channel: Channel, lastDelivery: DeliveryRecord | null, waiting: number): AlertChannel => ({
  name: channel.name,
  object: 'alert_channel',
  format: channel.format,
  host: getChannelHost(channel),
  events: [...(channel.events ?? alertKinds)],
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
