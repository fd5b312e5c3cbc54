/** Upstreams in the operators' API: how they are doing, a test call, and waking them. */

import { type Alert, alertKinds, type alertRoutes, type Webhook } from '../../contract/admin/alerts.ts';
import type { AnyAdminCode } from '../../contract/admin/errors.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { UpstreamReport, UpstreamTest, upstreamRoutes } from '../../contract/admin/upstreams.ts';
import { readUpstreamUse } from '../activity/reads.ts';
import {
  type AlertRecord,
  countWaiting,
  type DeliveryRecord,
  isAlertId,
  lastDelivery,
  listAlerts,
  sendOnce,
  writeTestPayload,
} from '../alerts/store.ts';
import type { Config, Model } from '../config/config.ts';
import type { WebhookSettings } from '../config/schema-server.ts';
import { GatewayError, providerWordsOf, shown, tryAgainIn } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/charge.ts';
import { randomHex } from '../primitives/shared-timeout.ts';
import { conflict, invalid, missing, writeAll, writePage, writeTime, writeTimeOrNull } from './csv.ts';
import { auditOf, type Operations, type RunningGateway } from './operations.ts';
import { type OtherNode, readOthers, type ToldUpstream } from './overview.ts';

const DAY_MS = 86_400_000;
const BETWEEN_TESTS_MS = 5_000;

export function upstreamHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof upstreamRoutes> {
  const { access, activity, now } = operations;
  const testedAt = new Map<string, number>();
  return {
    async listUpstreams({ ok }) {
      const others = await readOthers(operations);
      const used = await readUpstreamUse(activity.ask, now() - DAY_MS);
      const data = Object.values(operations.config.upstreams).map((upstream) => ({
        ...writeUpstream(upstream),
        requests_24h: used.get(upstream.name)?.requests ?? 0,
        errors_24h: used.get(upstream.name)?.errors ?? 0,
        nodes: nodesOf(operations, others, upstream.name),
      }));
      return ok(writeAll(data, ({ name }) => name));
    },

    async testUpstream({ request, params, body, ok }) {
      const gateway = gatewayFor(operations, params.upstream);
      const model = modelFor(operations, params.upstream, body.model);
      const waitMs = (testedAt.get(params.upstream) ?? Number.NEGATIVE_INFINITY) + BETWEEN_TESTS_MS - now();
      if (waitMs > 0) throw tooSoon(`Upstream '${params.upstream}'`, waitMs);
      testedAt.set(params.upstream, now());
      // Before the call: it costs money, and there must be none without an audit entry.
      await access.store.note(auditOf(operations, request, { action: 'upstream.test', target: params.upstream, details: { model } }));
      return ok(writeTest(params.upstream, model, await gateway.testUpstream(params.upstream, model)));
    },

    async resetUpstream({ request, params, ok }) {
      const gateway = gatewayFor(operations, params.upstream);
      await access.store.note(auditOf(operations, request, { action: 'upstream.reset', target: params.upstream, details: {} }));
      return ok({ object: 'upstream_reset', upstream: params.upstream, ...gateway.resetUpstream(params.upstream) });
    },
  };
}

function writeUpstream(upstream: Config['upstreams'][string]): Pick<UpstreamReport, 'name' | 'object' | 'kind' | 'host'> {
  const host = upstream.kind === 'simulator' ? null : new URL(upstream.baseUrl).host;
  return { name: upstream.name, object: 'upstream', kind: upstream.kind, host };
}

/** This process first, then the others that report the upstream. */
function nodesOf({ gateway, config }: Operations, others: readonly OtherNode[], upstream: string): UpstreamReport['nodes'] {
  const own = gateway
    ? [
        {
          node: gateway.node,
          places: gateway.places().filter((place) => place.upstream === upstream),
          state: gateway.reportOf(upstream) ?? null,
        },
      ]
    : [];
  const told = others.flatMap(({ id, facts }) =>
    (facts?.upstreams ?? []).filter(({ name }) => name === upstream).map(({ places, state }) => ({ node: id, places, state })),
  );
  return [...own, ...told].map(({ node, places, state }) => {
    const keys = state?.keys.map(({ lastFour, state: word, restMs }) => ({ last_four: lastFour, state: word, cooldown_ms: restMs })) ?? [];
    const { running = null, waiting = null, most = null, lastFailure = null } = state ?? {};
    const last_failure = lastFailure && { ...lastFailure, at: writeTime(lastFailure.at) };
    return { node, places: writePlaces(config.models, upstream, places), keys, running, waiting, most, last_failure };
  });
}

type KnownPlace = ToldUpstream['places'][number];

/** The models that the configuration of this process serves there; what nobody called takes calls. */
function writePlaces(models: readonly Model[], upstream: string, known: readonly KnownPlace[]): UpstreamReport['nodes'][number]['places'] {
  return placesAt(models, upstream).map(([name, ids]) => {
    const { state = 'closed', restMs = 0 } = known.find(({ upstreamModel }) => upstreamModel === name) ?? {};
    return { upstream_model: name, models: ids, state, cooldown_ms: restMs };
  });
}

/** Returns the upstream's model names, each with the IDs of the configured models that it serves. */
function placesAt(models: readonly Model[], upstream: string): [string, string[]][] {
  const places = new Map<string, string[]>();
  for (const { id, candidates } of models) {
    for (const candidate of candidates) {
      if (candidate.upstream === upstream) places.set(candidate.upstreamModel, [...(places.get(candidate.upstreamModel) ?? []), id]);
    }
  }
  return [...places];
}

function gatewayFor({ config, gateway }: Operations, upstream: string): RunningGateway {
  if (!Object.hasOwn(config.upstreams, upstream)) throw missing('upstream', `Upstream '${shown(upstream)}' not found.`);
  if (gateway) return gateway;
  throw conflict('No gateway is running in this process. Specify the admin listener of the running one with --url.');
}

function modelFor({ config }: Operations, upstream: string, asked: string | undefined): string {
  const served = config.models.filter((model) => model.kind === 'text' && model.candidates.some((one) => one.upstream === upstream));
  const model = asked === undefined ? served[0] : served.find(({ id }) => id === asked);
  if (model) return model.id;
  if (asked !== undefined) throw invalid('model', `'${shown(asked)}' isn't a text model on this upstream.`);
  throw conflict("This upstream doesn't serve a text model, and tests don't generate images.");
}

function tooSoon(what: string, waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1_000);
  const message = `${what} was tested less than 5 seconds ago. ${tryAgainIn(seconds)}`;
  return new GatewayError<AnyAdminCode>('conflict', { message, headers: { 'retry-after': String(seconds) } });
}

type Outcome = Awaited<ReturnType<RunningGateway['testUpstream']>>;

function writeTest(upstream: string, model: string, { status, firstMs, totalMs, usage, error, providerCost }: Outcome): UpstreamTest {
  const said = providerWordsOf(error);
  return {
    object: 'upstream_test',
    upstream,
    model,
    ok: error === null,
    status,
    code: error?.code ?? null,
    message: error?.message ?? null,
    provider_code: said?.code ?? null,
    provider_message: said?.message ?? null,
    first_ms: firstMs,
    total_ms: totalMs,
    input_tokens: usage?.input ?? null,
    output_tokens: usage?.output ?? null,
    provider_cost: providerCost === null ? null : formatDollars(providerCost),
  };
}

export function alertHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof alertRoutes> {
  const { access, activity, now } = operations;
  const testedAt = new Map<string, number>();
  return {
    async listAlerts({ query, ok }) {
      const { limit = PAGE_LENGTH, after, state } = query;
      if (after !== undefined && !isAlertId(after)) throw invalid('after', "'after' must be the ID of an entry in this list.");
      const found = await listAlerts(activity.ask, { state, after, limit: limit + 1 });
      return ok(writePage(found.map(writeAlert), limit, ({ id }) => id));
    },

    async acknowledgeAlert({ request, params: { alert_id: id }, body, ok }) {
      const audit = auditOf(operations, request, { action: 'alert.acknowledge', target: id, details: body });
      const until = body.snooze_seconds === undefined ? null : audit.at + body.snooze_seconds * 1_000;
      const alert = await operations.alerts.acknowledge(id, until, audit);
      if (!alert) throw missing('alert_id', `Alert '${shown(id)}' not found.`);
      if (alert.resolvedAt !== null)
        throw conflict(`The alert was resolved at ${writeTime(alert.resolvedAt)}. Only open alerts can be acknowledged.`);
      return ok(writeAlert(alert));
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
      if (!webhook) throw missing('webhook', `Webhook '${shown(params.webhook)}' not found.`);
      const waitMs = (testedAt.get(webhook.name) ?? Number.NEGATIVE_INFINITY) + BETWEEN_TESTS_MS - now();
      if (waitMs > 0) throw tooSoon(`Webhook '${webhook.name}'`, waitMs);
      testedAt.set(webhook.name, now());
      // Written before sending, so that no message lacks an audit entry.
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
