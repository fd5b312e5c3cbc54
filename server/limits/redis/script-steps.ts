/** Writes a step on limits as a command for Redis, and reads its answer; all figures are those of gcra.ts. */
import { pour, waitFor, windowOf } from '../gcra.ts';
import { costOf, isAsked, type Limit, mostOwed, type Take, type Taken, type Window, type Windows } from '../limiter.ts';

export interface Command {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** The position of a key among the keys of the script. */
export type PlaceOf = (key: string) => number;
/** A step in the words of the script. */
export type Step = (placeOf: PlaceOf) => string;

/** Arguments of every script. */
export interface Clock {
  /** The time to use; empty for the clock of Redis. */
  readonly time: string;
  /** Milliseconds. */
  readonly leaseMs: string;
}

/** A slot becomes free when a call ends, which cannot be predicted. */
const SLOT_RETRY_MS = 1_000;
/** The cost of a limit that is reported and not taken from. */
const LOOKED_AT = -1;

const isSlot = ({ quantity }: Limit): boolean => quantity === 'concurrency';
/** Whether the limit is reported to callers. */
export const isTold = (limit: Limit): boolean => !isSlot(limit) && limit.mode === 'enforce';
const flag = (is: boolean): string => (is ? '1' : '0');

/** The braces keep all keys on one node of a Redis Cluster: a script decides over the limits of many accounts in one step. */
export const KEY_PREFIX = '{modelgate}:';

export const keyOf = (prefix: string, { scope, subject, quantity }: Limit): string => `${prefix}${scope}:${subject}:${quantity}`;
/** The beginning of the line of a limit in every step. */
const opening = ({ quantity, most }: Limit): string => `${quantity} ${most} `;

/** The keys of the slots that a call takes. */
export function slotKeys(prefix: string, take: Take): string[] {
  return take.limits.filter((limit) => isSlot(limit) && isAsked(take, limit)).map((limit) => keyOf(prefix, limit));
}

/** The limits whose state the answer reports, in their order: those that are taken from, and rates that are only reported. */
const concerned = (take: Take): Limit[] => take.limits.filter((limit) => isTold(limit) || isAsked(take, limit));

/** Only requests are taken provisionally, so a pending entry is always one request. */
export function takeStep(prefix: string, take: Take, placeOf: PlaceOf): string {
  const { replaces } = take;
  const replaced = new Set(replaces?.limits.filter((limit) => isAsked(replaces, limit)).map((limit) => keyOf(prefix, limit)));
  let lines = '';
  const add = (limit: Limit, cost: number): void => {
    const key = keyOf(prefix, limit);
    lines += `\n${placeOf(key)} ${opening(limit)}${flag(limit.mode === 'enforce')} ${cost} ${flag(replaced.delete(key))}`;
  };
  for (const limit of concerned(take)) add(limit, isAsked(take, limit) ? costOf(limit, take) : LOOKED_AT);
  for (const limit of replaces?.limits ?? []) if (replaced.has(keyOf(prefix, limit))) add(limit, LOOKED_AT);
  return `t${flag(take.isProvisional === true)} ${take.requestId}\n${replaces?.requestId ?? ''}${lines}`;
}

interface Read {
  readonly told: readonly Told[];
}

/** The time of the take is needed for its correction. */
export function readTaken(
  take: Take,
  [answer, at = 0, ...found]: readonly number[],
): Read & { readonly taken: Taken; readonly at: number } {
  const isTaken = answer === 1;
  const waits: { readonly limit: Limit; readonly ms: number }[] = [];
  const told: Told[] = [];
  for (const [index, limit] of concerned(take).entries()) {
    const state = { level: found[3 * index] ?? 0, pending: found[3 * index + 1] ?? 0, at, most: limit.most };
    const ms = isAsked(take, limit) ? waitAt(limit, take, state) : 0;
    if (ms > 0) waits.push({ limit, ms });
    if (!isTaken) state.pending += found[3 * index + 2] ?? 0;
    else if (isAsked(take, limit) && take.isProvisional) state.pending += costOf(limit, take);
    else if (isAsked(take, limit)) pour(state, costOf(limit, take));
    told.push({ limit, level: state.level, pending: state.pending });
  }
  const windows = windowsOf(told);
  if (isTaken) return { taken: { kind: 'taken', windows, observed: waits.map(({ limit }) => limit) }, at, told };
  const [longest] = waits.filter(({ limit }) => limit.mode === 'enforce').toSorted((a, b) => b.ms - a.ms);
  if (!longest) throw new Error('Redis refused what no limit refuses.');
  return { taken: { kind: 'refused', limit: longest.limit, retryAfterMs: longest.ms, windows }, at, told };
}

function waitAt(limit: Limit, take: Take, state: Parameters<typeof waitFor>[0]): number {
  if (isSlot(limit)) return state.level < limit.most ? 0 : SLOT_RETRY_MS;
  return waitFor(state, limit.most, costOf(limit, take));
}

/** How a take ends: it was provisional and is given back; the call used so many tokens; or the answer was lost, and everything is given back. */
export type Ending =
  | { readonly kind: 'given back' }
  | { readonly kind: 'finished'; readonly usedTokens: number; readonly at: number }
  | { readonly kind: 'undone'; readonly at: number };

export function correctStep(prefix: string, take: Take, ending: Ending, placeOf: PlaceOf): string {
  let lines = '';
  for (const limit of concerned(take)) {
    const isMoved = isAsked(take, limit) && !isSlot(limit) && !take.isProvisional;
    const taken = isMoved ? costOf(limit, take) : 0;
    const used = isMoved ? usedOf(limit, take, ending) : 0;
    const ends = isAsked(take, limit) && (isSlot(limit) || take.isProvisional === true);
    lines += `\n${placeOf(keyOf(prefix, limit))} ${opening(limit)}${flag(ends)} ${taken} ${used} ${owedAtMost(limit)}`;
  }
  return `c${ending.kind === 'given back' ? 0 : ending.at} ${take.requestId}${lines}`;
}

/** -1: unbounded. */
function owedAtMost(limit: Limit): number {
  const most = mostOwed(limit);
  return Number.isFinite(most) ? most : -1;
}

function usedOf(limit: Limit, take: Take, ending: Ending): number {
  if (ending.kind === 'undone') return 0;
  return ending.kind === 'finished' && limit.quantity === 'tokens' ? ending.usedTokens : costOf(limit, take);
}

/** The answer to a correction. */
export const readCorrected = (take: Take, found: readonly number[]): readonly Told[] =>
  concerned(take).map((limit, index) => ({ limit, level: found[2 * index] ?? 0, pending: found[2 * index + 1] ?? 0 }));

/** A look takes nothing and corrects nothing. */
export const lookOf = (limits: readonly Limit[]): Take => ({ requestId: '', limits, tokens: 0, quantities: [] });

/** Whether Redis has to be asked at all. */
export const concerns = (take: Take): boolean => take.limits.some((limit) => isTold(limit) || isAsked(take, limit));

/** The state of a limit after a step. */
export interface Told {
  readonly limit: Limit;
  readonly level: number;
  readonly pending: number;
}

export function windowsOf(told: readonly Told[]): Windows {
  return { requests: tightest(told, 'requests'), tokens: tightest(told, 'tokens') };
}

function tightest(told: readonly Told[], quantity: 'requests' | 'tokens'): Window | null {
  let found: Window | null = null;
  for (const { limit, level, pending } of told) {
    if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
    const window = windowOf({ level, pending, at: 0, most: limit.most }, limit.most);
    if (found === null || window.remaining < found.remaining) found = window;
  }
  return found;
}

/** The slots of one request. */
export interface Slots {
  readonly requestId: string;
  readonly keys: readonly string[];
}

export interface Beat {
  /** The key of the list of living processes. */
  readonly nodes: string;
  readonly node: string;
  readonly aliveMs: number;
  readonly changes: readonly SlotChange[];
}

export interface SlotChange {
  readonly what: 'keep' | 'drop';
  readonly slots: Slots;
}

export function beatCommand({ nodes, node, aliveMs, changes }: Beat, { time, leaseMs }: Clock): Command {
  const keys = [nodes];
  const args = [time, node, String(aliveMs), leaseMs];
  for (const { what, slots } of changes)
    for (const key of slots.keys) {
      keys.push(key);
      args.push(what, slots.requestId);
    }
  return { keys, args };
}
