/** Admin API handlers for upstreams: health, test calls, and resets. */

import type { AdminContract } from '../../../contract/admin/index.ts';
import type { UpstreamKeyCheck, UpstreamReport, UpstreamTest, upstreamRoutes } from '../../../contract/admin/upstreams.ts';
import type { Config, Model } from '../../config/config.ts';
import { formatDollars } from '../../money/dollars.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { findProviderErrorInfo } from '../../primitives/provider-error.ts';
import { readUnavailableSince } from '../../records/alerts/list-alerts.ts';
import { readUpstreamUse } from '../../records/model-use.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { createConflictError, createInvalidValueError, createNotFoundError, createTooSoonError } from './errors.ts';
import { listOtherNodes, type OtherNode, type ReportedUpstream } from './node-report.ts';
import { type Operations, toAuditEntry } from './operations.ts';
import { listCoolingModels, readOutageImpact } from './outages.ts';
import { writeAll } from './page.ts';
import type { KeyCheck, RunningGateway } from './running-gateway.ts';
import { writeTime, writeTimeOrNull } from './times.ts';

const DAY_MS = 86_400_000;
export const MIN_TEST_INTERVAL_MS = 5_000;

export function createUpstreamHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof upstreamRoutes> {
  const { access, activity, now } = operations;
  const testedAt = new Map<string, number>();
  return {
    async listUpstreams({ ok }) {
      const others = await listOtherNodes(operations);
      const useByUpstream = await readUpstreamUse(activity.ask, now() - DAY_MS);
      const unavailableSince = await readUnavailableSince(activity.ask, now());
      const coolingModels = listCoolingModels(operations, others);
      const coolingUpstreams = new Set(coolingModels.map(({ upstream }) => upstream));
      const data: UpstreamReport[] = [];
      for (const upstream of Object.values(operations.config.upstreams)) {
        const { name } = upstream;
        const since = unavailableSince.get(name);
        data.push({
          ...writeUpstream(upstream),
          requests_24h: useByUpstream.get(name)?.requests ?? 0,
          errors_24h: useByUpstream.get(name)?.errors ?? 0,
          unavailable_since: writeTimeOrNull(since ?? null),
          impact: coolingUpstreams.has(name) ? await readOutageImpact(operations, coolingModels, { upstream: name, since }) : null,
          nodes: listNodes(operations, others, name),
        });
      }
      return ok(writeAll(data, ({ name }) => name));
    },

    async testUpstream({ request, params, body, ok }) {
      const gateway = requireGateway(operations, params.upstream);
      const model = chooseTestModel(operations, params.upstream, body.model);
      const waitMs = (testedAt.get(params.upstream) ?? Number.NEGATIVE_INFINITY) + MIN_TEST_INTERVAL_MS - now();
      if (waitMs > 0) throw createTooSoonError(`Upstream '${params.upstream}'`, waitMs);
      testedAt.set(params.upstream, now());
      // Audited before the call, because a call costs money and must not lack an audit entry.
      await access.store.addAuditEntry(
        toAuditEntry(operations, request, { action: 'upstream.test', target: params.upstream, details: { model } }),
      );
      return ok(writeTest(params.upstream, model, await gateway.testUpstream(params.upstream, model)));
    },

    async checkUpstreamKeys({ params, ok }) {
      const keys = await requireGateway(operations, params.upstream).checkKeys(params.upstream);
      if (keys === null) throw createConflictError('A simulator has no keys.');
      return ok({
        object: 'upstream_key_check',
        upstream: params.upstream,
        ok: keys.every(({ state }) => state === 'ok'),
        keys: keys.map(writeCheckedKey),
      });
    },

    async resetUpstream({ request, params, ok }) {
      const gateway = requireGateway(operations, params.upstream);
      await access.store.addAuditEntry(
        toAuditEntry(operations, request, { action: 'upstream.reset', target: params.upstream, details: {} }),
      );
      return ok({ object: 'upstream_reset', upstream: params.upstream, ...gateway.resetUpstream(params.upstream) });
    },
  };
}

const writeCheckedKey = ({ lastFour, state, detail, hint }: KeyCheck): UpstreamKeyCheck['keys'][number] => ({
  last_four: lastFour,
  state,
  message: detail,
  hint: hint ?? null,
});

function writeUpstream(upstream: Config['upstreams'][string]): Pick<UpstreamReport, 'name' | 'object' | 'kind' | 'host'> {
  const host = upstream.kind === 'simulator' ? null : new URL(upstream.baseUrl).host;
  return { name: upstream.name, object: 'upstream', kind: upstream.kind, host };
}

/** Lists this process first, then the others that report the upstream. */
function listNodes({ gateway, config }: Operations, others: readonly OtherNode[], upstream: string): UpstreamReport['nodes'] {
  const ownNodes = gateway
    ? [
        {
          node: gateway.node,
          places: gateway.places().filter((place) => place.upstream === upstream),
          state: gateway.findState(upstream) ?? null,
        },
      ]
    : [];
  const reportedNodes = others.flatMap(({ id, facts }) =>
    (facts?.upstreams ?? []).filter(({ name }) => name === upstream).map(({ places, state }) => ({ node: id, places, state })),
  );
  return [...ownNodes, ...reportedNodes].map(({ node, places, state }) => {
    const keys = state?.keys.map(({ lastFour, state: word, restMs }) => ({ last_four: lastFour, state: word, cooldown_ms: restMs })) ?? [];
    const { running = null, waiting = null, most = null, openedAt = null, lastFailure = null } = state ?? {};
    const last_failure = lastFailure && { ...lastFailure, at: writeTime(lastFailure.at) };
    return {
      node,
      places: writeServedModels(config.models, upstream, places),
      keys,
      running,
      waiting,
      max_concurrency: most,
      loaded_at: writeTimeOrNull(openedAt),
      last_failure,
    };
  });
}

type ReportedModel = ReportedUpstream['places'][number];

/** Lists the upstream's models in this process's configuration. A model without calls is reported as healthy. */
function writeServedModels(
  models: readonly Model[],
  upstream: string,
  reportedModels: readonly ReportedModel[],
): UpstreamReport['nodes'][number]['places'] {
  return listServedModels(models, upstream).map(([name, ids]) => {
    const { state = 'closed', restMs = 0 } = reportedModels.find(({ upstreamModel }) => upstreamModel === name) ?? {};
    return { upstream_model: name, models: ids, state, cooldown_ms: restMs };
  });
}

/** Returns the upstream's model names, each with the IDs of the configured models that it serves. */
function listServedModels(models: readonly Model[], upstream: string): [string, string[]][] {
  const idsByModel = new Map<string, string[]>();
  for (const { id, candidates } of models) {
    for (const candidate of candidates) {
      if (candidate.upstream === upstream)
        idsByModel.set(candidate.upstreamModel, [...(idsByModel.get(candidate.upstreamModel) ?? []), id]);
    }
  }
  return [...idsByModel];
}

function requireGateway({ config, gateway }: Operations, upstream: string): RunningGateway {
  if (!Object.hasOwn(config.upstreams, upstream)) throw createNotFoundError('upstream', `Upstream '${toPrintable(upstream)}' not found.`);
  if (gateway) return gateway;
  throw createConflictError('No gateway is running in this process. Specify the admin listener of the running one with --url.');
}

function chooseTestModel({ config }: Operations, upstream: string, requested: string | undefined): string {
  const servedModels = config.models.filter((model) => model.kind === 'text' && model.candidates.some((one) => one.upstream === upstream));
  const model = requested === undefined ? servedModels[0] : servedModels.find(({ id }) => id === requested);
  if (model) return model.id;
  if (requested !== undefined) throw createInvalidValueError('model', `'${toPrintable(requested)}' isn't a text model on this upstream.`);
  throw createConflictError("This upstream doesn't serve a text model, and tests don't generate images.");
}

type TestOutcome = Awaited<ReturnType<RunningGateway['testUpstream']>>;

function writeTest(upstream: string, model: string, { status, firstMs, totalMs, usage, error, providerCost }: TestOutcome): UpstreamTest {
  const providerError = findProviderErrorInfo(error);
  return {
    object: 'upstream_test',
    upstream,
    model,
    ok: error === null,
    status,
    code: error?.code ?? null,
    message: error?.message ?? null,
    provider_code: providerError?.code ?? null,
    provider_message: providerError?.message ?? null,
    headers_ms: firstMs,
    total_ms: totalMs,
    input_tokens: usage?.input ?? null,
    output_tokens: usage?.output ?? null,
    provider_cost: providerCost === null ? null : formatDollars(providerCost),
  };
}
