/** The state of an upstream in a word, across all its models and all reporting processes. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatDuration } from '../../../data/times.ts';
import type { Tone } from '../../../kit/values.tsx';
import { upstreams as words } from '../../../texts/upstreams.ts';

export type Upstream = Success<AdminContract['listUpstreams']>['data'][number];
export type UpstreamNode = Upstream['nodes'][number];
export type UpstreamModel = UpstreamNode['places'][number];
export type UpstreamKey = UpstreamNode['keys'][number];

export interface StatusLabel {
  readonly tone: Tone;
  readonly text: string;
}

const { states, keyStates, modelStates } = words;

/** Bad while calls fail: all its models are cooling down, or one of them has no other candidate. */
export function getState({ nodes, impact }: Pick<Upstream, 'nodes' | 'impact'>): StatusLabel {
  const places = nodes.flatMap((node) => node.places);
  if (nodes.length === 0) return { tone: 'neutral', text: states.unknown };
  const resting = findWorstByName(places.filter(({ cooldown_ms }) => cooldown_ms > 0));
  const all = new Set(places.map(({ upstream_model }) => upstream_model)).size;
  const next = formatDuration(Math.min(...resting.values()));
  if (resting.size > 0 && resting.size === all) return { tone: 'bad', text: states.coolingDown(next) };
  const isStuck = impact !== null && impact.models.length > 0;
  if (resting.size > 0) return { tone: isStuck ? 'bad' : 'warn', text: states.partlyCoolingDown(resting.size, all, next) };
  const tried = new Set(places.filter(({ state }) => state !== 'closed').map(({ upstream_model }) => upstream_model)).size;
  return tried > 0 ? { tone: 'warn', text: states.probing(tried) } : { tone: 'good', text: states.healthy };
}

function findWorstByName(places: readonly UpstreamModel[]): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const { upstream_model, cooldown_ms } of places)
    longest.set(upstream_model, Math.max(longest.get(upstream_model) ?? 0, cooldown_ms));
  return longest;
}

export function getModelState({ state, cooldown_ms }: UpstreamModel): StatusLabel {
  const word = state === 'closed' && cooldown_ms > 0 ? words.pausedByProvider : modelStates[state];
  if (cooldown_ms > 0) return { tone: state === 'closed' ? 'warn' : 'bad', text: words.modelRetry(word, formatDuration(cooldown_ms)) };
  return { tone: state === 'closed' ? 'good' : 'warn', text: word };
}

const keyTones: Readonly<Record<UpstreamKey['state'], Tone>> = { ready: 'good', limited: 'warn', rejected: 'bad' };
const ranks: readonly UpstreamKey['state'][] = ['ready', 'limited', 'rejected'];

export function getKeyState({ state, cooldown_ms }: UpstreamKey): StatusLabel {
  const text = cooldown_ms > 0 ? words.keyRetry(keyStates[state], formatDuration(cooldown_ms)) : keyStates[state];
  return { tone: keyTones[state], text };
}

/** Each key once, in configuration order, with its worst state in any process. */
export function listKeys({ nodes }: Pick<Upstream, 'nodes'>): readonly UpstreamKey[] {
  const worst = new Map<string, UpstreamKey>();
  for (const { keys } of nodes) {
    for (const [index, key] of keys.entries()) {
      const id = `${index} ${key.last_four}`;
      const known = worst.get(id);
      if (!known || ranks.indexOf(key.state) > ranks.indexOf(known.state)) worst.set(id, key);
    }
  }
  return [...worst.values()];
}

/** Totals across processes. Null if none has slots, as with a simulator. */
export function sumSlots({
  nodes,
}: Pick<Upstream, 'nodes'>): { readonly running: number; readonly waiting: number; readonly most: number } | null {
  const counted = nodes.filter(({ max_concurrency: most }) => most !== null);
  if (counted.length === 0) return null;
  const sum = (of: (node: UpstreamNode) => number | null) => counted.reduce((all, node) => all + (of(node) ?? 0), 0);
  return { running: sum(({ running }) => running), waiting: sum(({ waiting }) => waiting), most: sum(({ max_concurrency: most }) => most) };
}

/** The newest one that any process reports. */
export const findLastFailure = ({ nodes }: Upstream): UpstreamNode['last_failure'] =>
  nodes
    .flatMap(({ last_failure: failure }) => (failure === null ? [] : [failure]))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0] ?? null;

/** The oldest time across processes, because a process with older settings may use an older key. */
export const findLoadedAt = ({ nodes }: Upstream): string | null => nodes.flatMap(({ loaded_at: at }) => at ?? []).sort()[0] ?? null;
