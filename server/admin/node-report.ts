/** What a process tells operators of itself with its heartbeat, and how the others read it: a JSON text of at most 16 KiB, written by this very file. */
import { type LiveNode, listNodes } from '../ledger/live-nodes.ts';
import type { UpstreamState } from '../upstreams/upstream.ts';
import type { Operations } from './operations.ts';
import type { PlaceState, RunningGateway } from './running.ts';

/** An upstream as a process sees it; keys and requests are null for a simulator. */
export interface ToldUpstream {
  readonly name: string;
  /** Those that rest or are tried; all others take calls. */
  readonly places: readonly Omit<PlaceState, 'upstream'>[];
  readonly state: UpstreamState | null;
}

export interface NodeFacts {
  readonly format: typeof FORMAT;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Bytes. */
  readonly memory: number;
  readonly openStreams: number;
  readonly waitingCharges: number | null;
  readonly upstreams: readonly ToldUpstream[];
}

export interface OtherNode extends Omit<LiveNode, 'report'> {
  /** Null: it tells nothing, or not lately, or not in these words. */
  readonly facts: NodeFacts | null;
}

/** A process that is silent for longer is gone; holds expire after the same time. */
const SILENT_MS = 15_000;
const FORMAT = 1;
const MOST_BYTES = 16_384;

/** Upstreams that no longer fit are left out, in the order of the configuration. */
export function writeNodeReport(gateway: RunningGateway, names: readonly string[]): string {
  const resting = gateway.places().filter(isResting);
  const facts: NodeFacts = {
    format: FORMAT,
    version: gateway.version,
    startedAt: gateway.startedAt,
    memory: gateway.memory(),
    openStreams: gateway.openStreams(),
    waitingCharges: gateway.waitingCharges(),
    upstreams: [],
  };
  const upstreams: ToldUpstream[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(facts));
  for (const name of names) {
    const places = resting.filter(({ upstream }) => upstream === name).map(({ upstream: _, ...place }) => place);
    const told: ToldUpstream = { name, places, state: gateway.reportOf(name) ?? null };
    bytes += Buffer.byteLength(JSON.stringify(told)) + 1;
    if (bytes > MOST_BYTES) break;
    upstreams.push(told);
  }
  return JSON.stringify({ ...facts, upstreams });
}

export const isResting = ({ state, restMs }: Pick<PlaceState, 'state' | 'restMs'>): boolean => state !== 'closed' || restMs > 0;

/** The processes on the same database but this one, newest sign of life first; their rests are those of now. */
export async function readOthers({ activity, gateway, now }: Operations): Promise<readonly OtherNode[]> {
  const at = now();
  const nodes = await listNodes(activity.ask, at - SILENT_MS);
  return nodes.filter(({ id }) => id !== gateway?.node).map(({ report, ...node }) => ({ ...node, facts: report && read(report, at) }));
}

function read({ text, at }: NonNullable<LiveNode['report']>, now: number): NodeFacts | null {
  // `as`: written by this file, or by that of another version, which then has another number.
  const facts = JSON.parse(text) as NodeFacts;
  if (facts.format !== FORMAT) return null;
  const passed = Math.max(now - at, 0);
  const later = <Rest extends { readonly restMs: number }>(rest: Rest): Rest => ({ ...rest, restMs: Math.max(rest.restMs - passed, 0) });
  const upstreams = facts.upstreams.map(({ name, places, state }) => {
    return { name, places: places.map(later), state: state && { ...state, keys: state.keys.map(later) } };
  });
  return { ...facts, upstreams };
}
