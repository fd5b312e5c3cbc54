/** The state of an upstream in a word, across all its models and all reporting processes. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatCountdown } from '../../../data/times.ts';
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

const { states, keyStates } = words;

export interface UpstreamState extends StatusLabel {
  /** How much of the upstream is in this state, and until when. */
  readonly detail: string | null;
}
/** A model stays down during the test call of its circuit breaker. */
const isDown = ({ state, cooldown_ms }: UpstreamModel): boolean => state !== 'closed' || cooldown_ms > 0;

/** The tone is bad if calls fail, because a configured model has no fallback. */
export function getState({ nodes, impact }: Pick<Upstream, 'nodes' | 'impact'>): UpstreamState {
  const places = nodes.flatMap((node) => node.places);
  if (nodes.length === 0) return { tone: 'neutral', text: states.unknown, detail: null };
  const down = findWorstByName(places.filter(isDown));
  if (down.size === 0) return { tone: 'good', text: states.healthy, detail: null };
  const all = new Set(places.map(({ upstream_model }) => upstream_model)).size;
  const isBad = impact !== null && impact.models.length > 0;
  const next = formatWait(Math.min(...down.values()));
  const detail = down.size === all ? next : words.modelsDown(down.size, all, next);
  return isBad ? { tone: 'bad', text: states.unavailable, detail } : { tone: 'warn', text: states.coolingDown, detail };
}

const formatWait = (milliseconds: number): string => (milliseconds > 0 ? words.retryIn(formatCountdown(milliseconds)) : words.testing);

/** The first configured model that is down. */
export const findDownModel = ({ nodes }: Pick<Upstream, 'nodes'>): string | undefined =>
  nodes.flatMap(({ places }) => places).find(isDown)?.models[0];

function findWorstByName(places: readonly UpstreamModel[]): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const { upstream_model, cooldown_ms } of places)
    longest.set(upstream_model, Math.max(longest.get(upstream_model) ?? 0, cooldown_ms));
  return longest;
}

export function getModelState(model: UpstreamModel): StatusLabel {
  if (!isDown(model)) return { tone: 'good', text: states.healthy };
  const isPaused = model.state === 'closed';
  const word = isPaused ? words.pausedByProvider : states.coolingDown;
  return { tone: isPaused ? 'warn' : 'bad', text: words.withRetry(word, formatWait(model.cooldown_ms)) };
}

const ranked: readonly StatusLabel['tone'][] = ['bad', 'warn', 'neutral', 'good'];
/** What fails comes first. */
export const sortByState = (upstreams: readonly Upstream[]): readonly Upstream[] =>
  upstreams.toSorted((one, other) => ranked.indexOf(getState(one).tone) - ranked.indexOf(getState(other).tone));

const keyTones: Readonly<Record<UpstreamKey['state'], Tone>> = { ready: 'good', limited: 'warn', rejected: 'bad' };
const ranks: readonly UpstreamKey['state'][] = ['ready', 'limited', 'rejected'];

export function getKeyState({ state, cooldown_ms }: UpstreamKey): StatusLabel {
  const text = cooldown_ms > 0 ? words.withRetry(keyStates[state], formatWait(cooldown_ms)) : keyStates[state];
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

/** Returns the newest failure that any process reports. */
export const findLastFailure = ({ nodes }: Upstream): UpstreamNode['last_failure'] =>
  nodes
    .flatMap(({ last_failure: failure }) => (failure === null ? [] : [failure]))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0] ?? null;

/** The oldest time across processes, because a process with older settings may use an older key. */
export const findLoadedAt = ({ nodes }: Upstream): string | null => nodes.flatMap(({ loaded_at: at }) => at ?? []).sort()[0] ?? null;
