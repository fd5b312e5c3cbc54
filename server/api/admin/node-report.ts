/** Writes and reads node reports. Each process stores one, so that every process can show all of them. */

import { type LiveNode, listLiveNodes, MAX_SILENCE_MS } from '../../money/live-nodes.ts';
import type { UpstreamState } from '../../providers/upstream.ts';
import type { Operations } from './operations.ts';
import type { RunningGateway, ServedModelState } from './running-gateway.ts';

/** The state of an upstream in one process. `state` is null for a simulator. */
export interface ReportedUpstream {
  readonly name: string;
  /** Models that are cooling down or being probed. All others are healthy. */
  readonly places: readonly Omit<ServedModelState, 'upstream'>[];
  readonly state: UpstreamState | null;
}

interface NodeStatus {
  readonly format: typeof FORMAT;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Bytes. */
  readonly memory: number;
  readonly openStreams: number;
  readonly waitingCharges: number | null;
  readonly upstreams: readonly ReportedUpstream[];
}

export interface OtherNode extends Omit<LiveNode, 'report'> {
  /** Null if the process hasn't reported recently, or used a format unknown to this version. */
  readonly facts: NodeStatus | null;
}

const FORMAT = 1;

const MAX_REPORT_BYTES = 16_384;

/** Reports this process to the others. Omits the last upstreams if the report would exceed 16 KiB. */
export function writeNodeReport(gateway: RunningGateway, names: readonly string[]): string {
  const coolingDown = gateway.places().filter(isCoolingDown);
  const status: NodeStatus = {
    format: FORMAT,
    version: gateway.version,
    startedAt: gateway.startedAt,
    memory: gateway.memory(),
    openStreams: gateway.openStreams(),
    waitingCharges: gateway.waitingCharges(),
    upstreams: [],
  };
  const upstreams: ReportedUpstream[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(status));
  for (const name of names) {
    const places = coolingDown.filter(({ upstream }) => upstream === name).map(({ upstream: _, ...place }) => place);
    const report: ReportedUpstream = { name, places, state: gateway.findState(name) ?? null };
    bytes += Buffer.byteLength(JSON.stringify(report)) + 1;
    if (bytes > MAX_REPORT_BYTES) break;
    upstreams.push(report);
  }
  return JSON.stringify({ ...status, upstreams });
}

export const isCoolingDown = ({ state, restMs }: Pick<ServedModelState, 'state' | 'restMs'>): boolean => state !== 'closed' || restMs > 0;

/** Returns all other processes on the same database, newest heartbeat first. Subtracts the time since the report from cooldowns. */
export async function listOtherNodes({ activity, gateway, now }: Operations): Promise<readonly OtherNode[]> {
  const at = now();
  const nodes = await listLiveNodes(activity.ask, at - MAX_SILENCE_MS);
  return nodes
    .filter(({ id }) => id !== gateway?.node)
    .map(({ report, ...node }) => ({ ...node, facts: report && parseReport(report, at) }));
}

function parseReport({ text, at }: NonNullable<LiveNode['report']>, now: number): NodeStatus | null {
  // `as`: this file wrote it, or another version of this file with another format number.
  const status = JSON.parse(text) as NodeStatus;
  if (status.format !== FORMAT) return null;
  const elapsedMs = Math.max(now - at, 0);
  const subtractElapsed = <Rest extends { readonly restMs: number }>(rest: Rest): Rest => ({
    ...rest,
    restMs: Math.max(rest.restMs - elapsedMs, 0),
  });
  const upstreams = status.upstreams.map(({ name, places, state }) => {
    return { name, places: places.map(subtractElapsed), state: state && { ...state, keys: state.keys.map(subtractElapsed) } };
  });
  return { ...status, upstreams };
}
