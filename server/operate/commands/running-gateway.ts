/** Gives the admin API access to the gateway in this process: its state, test calls, and resets of upstreams. */

import type { KeyCheck, RunningGateway } from '../../api/admin/running-gateway.ts';
import { getMemoryInUse } from '../../api/http/load-shedding.ts';
import { type TestOutcome, testCall } from '../../call/test-call.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { readVersion } from './version.ts';

export function createRunningGateway(gateway: Gateway): RunningGateway {
  const startedAt = Date.now();
  return {
    node: gateway.node,
    version: readVersion(),
    startedAt,
    memory: () => getMemoryInUse(),
    openStreams: () => gateway.streams.size,
    waitingCharges: () => gateway.money?.outbox.size ?? null,
    ownLimitsSince() {
      const state = gateway.limits.getState?.();
      return state?.kind === 'own' ? state.since : null;
    },
    places: () => gateway.health.getStates(),
    findState: (upstream) => gateway.upstreams.find(upstream).getState?.(),
    testUpstream: (upstream, model) => testUpstream(gateway, upstream, model),
    checkKeys: (upstream) => checkKeys(gateway, upstream),
    resetUpstream: (upstream) => resetUpstream(gateway, upstream),
  };
}

/** Uses the present configuration, even if a reload replaces it during the test. */
async function testUpstream(gateway: Gateway, upstream: string, id: string): Promise<TestOutcome> {
  const lease = gateway.acquire();
  try {
    const model = lease.catalog.find(id);
    const candidate = model && lease.catalog.candidates(model).find((one) => one.upstream === upstream);
    if (!candidate) throw new TypeError(`upstream ${upstream} doesn't serve ${id}`);
    return await testCall(lease.upstreams.find(upstream), candidate);
  } finally {
    lease.release();
  }
}

async function checkKeys({ config }: Gateway, name: string): Promise<readonly KeyCheck[] | null> {
  const upstream = config.upstreams[name];
  if (upstream === undefined || upstream.kind === 'simulator') return null;
  // Loaded here, so that a gateway starts without it.
  const { checkUpstreamKeys } = await import('../doctor/upstream.ts');
  return checkUpstreamKeys(upstream);
}

function resetUpstream({ health, upstreams }: Gateway, upstream: string): { readonly places: number; readonly keys: number } {
  const coolingModels = health.getStates().filter((place) => place.upstream === upstream && (place.state !== 'closed' || place.restMs > 0));
  health.forget(new Set([upstream]));
  return { places: coolingModels.length, keys: upstreams.find(upstream).reset?.() ?? 0 };
}
