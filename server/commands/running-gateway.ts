/** What the operators' API sees of the gateway that `modelgate serve` runs. */
import type { RunningGateway } from '../admin/running.ts';
import type { Gateway } from '../gateway.ts';
import { memoryInUse } from '../http/load-shedding.ts';
import { type TestOutcome, testCall } from '../request/test-call.ts';
import { readVersion } from './version.ts';

export function runningGateway(gateway: Gateway): RunningGateway {
  const startedAt = Date.now();
  return {
    node: gateway.node,
    version: readVersion(),
    startedAt,
    memory: () => memoryInUse(),
    openStreams: () => gateway.streams.size,
    waitingCharges: () => gateway.money?.outbox.size ?? null,
    places: () => gateway.health.states(),
    reportOf: (upstream) => gateway.upstreams.find(upstream).state?.(),
    testUpstream: (upstream, model) => testUpstream(gateway, upstream, model),
    wakeUpstream: (upstream) => wakeUpstream(gateway, upstream),
  };
}

/** With the configuration of this moment, whatever is adopted meanwhile. */
async function testUpstream(gateway: Gateway, upstream: string, id: string): Promise<TestOutcome> {
  const entered = gateway.enter();
  try {
    const model = entered.catalog.find(id);
    const candidate = model && entered.catalog.candidates(model).find((one) => one.upstream === upstream);
    if (!candidate) throw new TypeError(`the upstream ${upstream} does not serve ${id}`);
    return await testCall(entered.upstreams.find(upstream), candidate);
  } finally {
    entered.leave();
  }
}

function wakeUpstream({ health, upstreams }: Gateway, upstream: string): { readonly places: number; readonly keys: number } {
  const places = health.states().filter((place) => place.upstream === upstream && (place.state !== 'closed' || place.restMs > 0));
  health.forget(new Set([upstream]));
  return { places: places.length, keys: upstreams.find(upstream).wake?.() ?? 0 };
}
