/** What the operators' API sees of the gateway that `modelgate serve` runs. */
import type { RunningGateway } from '../admin/running.ts';
import type { Gateway } from '../gateway.ts';
import { memoryInUse } from '../http/load-shedding.ts';
import { readVersion } from './version.ts';

export function runningGateway(gateway: Gateway): RunningGateway {
  const startedAt = Date.now();
  return {
    node: gateway.node,
    version: readVersion(),
    startedAt,
    memory: () => memoryInUse(),
    openStreams: () => gateway.streams.size,
    waitingCharges: () => gateway.money?.spool.size ?? null,
    places: () => gateway.health.states(),
  };
}
