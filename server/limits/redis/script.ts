/** The scripts that Redis runs: steps over all limits of a call, many steps in one script, with the arithmetic of gcra.ts (promise G11). */
import { createHash } from 'node:crypto';
import {
  costOf,
  isAsked,
  type Limit,
  maxOwed,
  pour,
  type Take,
  type Taken,
  type Window,
  type Windows,
  waitFor,
  windowOf,
} from '../limiter.ts';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The first argument is the time; empty: the clock of Redis, so that the clocks of the processes needn't agree. */
const CLOCK = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/**
 * The state under a key: the level and the pending requests of a rate, or the number of held slots. Read once for all steps of a script.
 * A bucket is stored as "level at"; a missing one is empty, so that empty buckets need no storage.
 */
const STANDS = `
local counts, levels, mosts = {}, {}, {}
local function leased(key)
  counts[key] = counts[key] or redis.call('ZCOUNT', key, string.format('(%.0f', now), '+inf')
  return counts[key]
end
local function levelOf(key, most)
  if levels[key] then return levels[key] end
  local kept = redis.call('GET', key)
  if not kept then return 0 end
  local level, at = string.match(kept, '^(%d+) (%d+)$')
  return math.max(level - math.max(now - at, 0) * most, 0)
end
local function stands(key, quantity, most)
  if quantity == 'concurrency' then return leased(key), 0 end
  return levelOf(key, most), quantity == 'requests' and leased(key .. ':pending') or 0
end`;

/** Written once, when all steps are done. Numbers are written with '%.0f', because Lua's default format keeps 14 digits only. */
const KEEP = `
local function keep(key, level, most)
  levels[key], mosts[key] = level, most
end
local function write()
  for key, most in pairs(mosts) do
    local level = levels[key]
    if level == 0 then
      redis.call('DEL', key)
    else
      local untilEmpty = math.ceil(level / most) + 60000
      redis.call('SET', key, string.format('%.0f %.0f', level, now), 'PX', string.format('%.0f', untilEmpty))
    end
  end
end`;

/** Slots and pending requests: each by the ID of its request until its lease ends, so that those of a dead process become free. */
const LEASE = `
local swept = {}
local function lease(key, id, forMs)
  if not swept[key] then redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now)) end
  local added = redis.call('ZADD', key, string.format('%.0f', now + forMs), id)
  if not swept[key] then redis.call('PEXPIRE', key, forMs) end
  swept[key] = true
  if counts[key] then counts[key] = counts[key] + added end
end
local function drop(key, id)
  redis.call('ZREM', key, id)
  counts[key], swept[key] = nil, nil
end`;

/**
 * The first line holds whether the take is provisional, and the request ID; the second the ID of the request that it replaces; each further line one
 * limit: the index of its key, quantity, most, whether it may reject, cost (-1: only read), and whether the replaced request is pending there.
 * Returns 1 (taken) or 0, and the time; then for each limit the state before: level or slots, pending requests, and whether the replaced one was pending.
 */
const TAKE = `
local leaseMs = ARGV[2]
local function take(words)
  local provisional, id, gone, lines = string.match(words, '^(%d) ([^\\n]*)\\n([^\\n]*)(.*)$')
  local found, fits, all, i = {1, now}, true, {}, 0
  for place, quantity, most, rejects, cost, replaces in string.gmatch(lines, '(%d+) (%a+) (%d+) (%d) (-?%d+) (%d)') do
    i, most, cost = i + 1, tonumber(most), tonumber(cost)
    local key = KEYS[tonumber(place)]
    all[i] = {key, quantity, most, cost, replaces}
    local level, pending = stands(key, quantity, most)
    local replaced = 0
    if replaces == '1' then
      local ends = redis.call('ZSCORE', key .. ':pending', gone)
      if ends and tonumber(ends) > now then replaced = 1 end
    end
    pending = pending - replaced
    if cost >= 0 and rejects == '1' then
      if quantity == 'concurrency' then
        fits = fits and level < most
      else
        fits = fits and level + (pending + math.min(cost, most) - most) * 60000 <= 0
      end
    end
    found[3 * i], found[3 * i + 1], found[3 * i + 2] = level, pending, replaced
  end
  if not fits then
    found[1] = 0
    return found
  end
  for i, one in ipairs(all) do
    local key, quantity, most, cost, replaces = unpack(one)
    if replaces == '1' then drop(key .. ':pending', gone) end
    if cost >= 0 then
      if quantity == 'concurrency' then
        lease(key, id, leaseMs)
      elseif provisional == '1' then
        lease(key .. ':pending', id, leaseMs)
      elseif cost > 0 then
        keep(key, found[3 * i] + cost * 60000, most)
      end
    end
  end
  return found
end`;

/**
 * The first line holds the time of the take and the request ID; each further line one limit: the index of its key, quantity, most, whether the request
 * ends there, the tokens or requests that were taken and used, and the most that the limit may owe (-1: no bound). Returns the new state of each limit.
 * Gives back what was taken too much, except for what may have leaked of it.
 */
const CORRECT = `
local function correct(words)
  local takenAt, id, lines = string.match(words, '^(%d+) ([^\\n]*)(.*)$')
  local found, i = {}, 0
  for place, quantity, most, ends, taken, used, owed in string.gmatch(lines, '(%d+) (%a+) (%d+) (%d) (%d+) (%d+) (-?%d+)') do
    i, most, taken, used, owed = i + 1, tonumber(most), tonumber(taken), tonumber(used), tonumber(owed)
    local key = KEYS[tonumber(place)]
    if ends == '1' then drop(quantity == 'requests' and key .. ':pending' or key, id) end
    local level, pending = stands(key, quantity, most)
    if used > taken then
      local full = level + (used - taken) * 60000
      if owed >= 0 then full = math.max(level, math.min(full, owed * 60000)) end
      level = full
    elseif used < taken then
      local left = math.max(taken * 60000 - (now - takenAt) * most, 0)
      level = math.max(level - math.min((taken - used) * 60000, left), 0)
    end
    if used ~= taken then keep(key, level, most) end
    found[2 * i - 1], found[2 * i] = level, pending
  end
  return found
end`;

/**
 * Arguments: time, lease; then the steps, each as its first letter and its own argument. Returns the result of each step; the result of a failed step is
 * only its error, and the other steps still run.
 */
const STEPS = `
local does, answers = {t = take, c = correct}, {}
for i = 3, #ARGV do
  local ok, found = pcall(does[string.sub(ARGV[i], 1, 1)], string.sub(ARGV[i], 2))
  if ok then
    answers[i - 2] = found
  else
    answers[i - 2] = {type(found) == 'table' and found.err or tostring(found)}
  end
end
write()
return answers`;

/**
 * Arguments: time, this process, how long it counts as alive, lease; then for each further key: 'keep' or 'drop', and the request that holds the slot.
 * Returns the number of live processes.
 */
const BEAT = `
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[3]))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
for i = 2, #KEYS do
  local id = ARGV[2 * i + 2]
  if ARGV[2 * i + 1] == 'keep' then lease(KEYS[i], id, ARGV[4]) else drop(KEYS[i], id) end
end
return {redis.call('ZCARD', KEYS[1])}`;

/** Removes this process from the count when it ends. */
const LEAVE = `
redis.call('ZREM', KEYS[1], ARGV[2])
return {}`;

function script(...parts: readonly string[]): Script {
  const text = parts.join('\n').trim();
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

export const scripts = {
  steps: script(CLOCK, STANDS, KEEP, LEASE, TAKE, CORRECT, STEPS),
  beat: script(CLOCK, STANDS, LEASE, BEAT),
  leave: script(LEAVE),
} as const;

export interface Command {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** The position of a key among the keys of the script. */
type PlaceOf = (key: string) => number;
/** A step in the words of the script. */
export type Step = (placeOf: PlaceOf) => string;

/** Arguments of every script. */
export interface Clock {
  /** The time to use; empty for the clock of Redis. */
  readonly time: string;
  /** Milliseconds. */
  readonly leaseMs: string;
}

/** A slot becomes free when a call ends, which can't be predicted. */
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

/** The limits whose state the response reports, in their order: those that are taken from, and rates that are only reported. */
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
  readonly told: readonly ReportedLimit[];
}

/** The time of the take is needed for its correction. */
export function readTaken(
  take: Take,
  [answer, at = 0, ...found]: readonly number[],
): Read & { readonly taken: Taken; readonly at: number } {
  const isTaken = answer === 1;
  const waits: { readonly limit: Limit; readonly ms: number }[] = [];
  const told: ReportedLimit[] = [];
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
  if (!longest) throw new Error('Redis rejected a request that no limit rejects.');
  return { taken: { kind: 'rejected', limit: longest.limit, retryAfterMs: longest.ms, windows }, at, told };
}

function waitAt(limit: Limit, take: Take, state: Parameters<typeof waitFor>[0]): number {
  if (isSlot(limit)) return state.level < limit.most ? 0 : SLOT_RETRY_MS;
  return waitFor(state, limit.most, costOf(limit, take));
}

/** How a take ends: it was provisional and is given back; the call used so many tokens; or the response was lost, and everything is given back. */
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
  const most = maxOwed(limit);
  return Number.isFinite(most) ? most : -1;
}

function usedOf(limit: Limit, take: Take, ending: Ending): number {
  if (ending.kind === 'undone') return 0;
  return ending.kind === 'finished' && limit.quantity === 'tokens' ? ending.usedTokens : costOf(limit, take);
}

/** The response to a correction. */
export const readCorrected = (take: Take, found: readonly number[]): readonly ReportedLimit[] =>
  concerned(take).map((limit, index) => ({ limit, level: found[2 * index] ?? 0, pending: found[2 * index + 1] ?? 0 }));

/** A look takes nothing and corrects nothing. */
export const lookOf = (limits: readonly Limit[]): Take => ({ requestId: '', limits, tokens: 0, quantities: [] });

/** Whether Redis must be asked at all. */
export const concerns = (take: Take): boolean => take.limits.some((limit) => isTold(limit) || isAsked(take, limit));

/** The state of a limit after a step. */
export interface ReportedLimit {
  readonly limit: Limit;
  readonly level: number;
  readonly pending: number;
}

export function windowsOf(told: readonly ReportedLimit[]): Windows {
  return { requests: tightest(told, 'requests'), tokens: tightest(told, 'tokens') };
}

function tightest(told: readonly ReportedLimit[], quantity: 'requests' | 'tokens'): Window | null {
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

interface Beat {
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
