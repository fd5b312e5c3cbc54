/** The scripts that Redis runs: steps over all limits of a call, many steps per script, with the arithmetic of limiter.ts (promise G11). */
import { createHash } from 'node:crypto';
import { fill, getBucketWaitMs, toWindow } from '../leaky-bucket.ts';
import {
  type AcquireResult,
  type Acquisition,
  getCost,
  getMaxOwed,
  isRequested,
  type Limit,
  type Window,
  type Windows,
} from '../limiter.ts';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The first argument is the time. If it's empty, the script uses the clock of Redis, because the clocks of processes can differ. */
const CLOCK = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/**
 * The state under a key: the level and the pending requests of a rate, or the number of held slots. Read once for all steps of a script.
 * A bucket is stored as "level at". A missing bucket is empty, so that empty buckets need no storage.
 */
const READ_STATE = `
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

/** Writes each bucket once, when all steps are done. Numbers use '%.0f', because Lua's default format keeps only 14 digits. */
const KEEP_LEVELS = `
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

/** Slots and pending requests. Each is stored by request ID until its lease ends, so that a dead process's entries become free. */
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
 * First line: whether the acquisition is provisional, and the request ID. Second line: the ID of the replaced request.
 * Each further line is one limit: key index, quantity, limit, whether it can reject, cost (-1: only read), and whether the replaced
 * request is pending there.
 * Returns 1 (acquired) or 0, and the time. Then for each limit the previous state: level or slots, pending requests, and whether the
 * replaced one was pending.
 */
const ACQUIRE = `
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
 * First line: the time of the acquisition, and the request ID. Returns the new state of each limit.
 * Each further line is one limit: key index, quantity, limit, whether the request ends there, amount acquired, amount used, maximum debt
 * (-1: unbounded).
 * Refunds an overestimate, except for the part that may have leaked.
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
 * Arguments: time, lease, then the steps, each as its first letter and its own argument.
 * Returns the result of each step. A failed step returns only its error, and the other steps still run.
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
 * Arguments: time, this process, how long it counts as alive, lease. Then for each further key: 'keep' or 'drop', and the request ID of
 * the slot.
 * Returns the number of live processes.
 */
const SEND_HEARTBEAT = `
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[3]))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
for i = 2, #KEYS do
  local id = ARGV[2 * i + 2]
  if ARGV[2 * i + 1] == 'keep' then lease(KEYS[i], id, ARGV[4]) else drop(KEYS[i], id) end
end
return {redis.call('ZCARD', KEYS[1])}`;

/** Removes this process from the list when it ends. */
const LEAVE = `
redis.call('ZREM', KEYS[1], ARGV[2])
return {}`;

function createScript(...parts: readonly string[]): Script {
  const text = parts.join('\n').trim();
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

export const scripts = {
  steps: createScript(CLOCK, READ_STATE, KEEP_LEVELS, LEASE, ACQUIRE, CORRECT, STEPS),
  beat: createScript(CLOCK, READ_STATE, LEASE, SEND_HEARTBEAT),
  leave: createScript(LEAVE),
} as const;

export interface Command {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** The position of a key among the keys of the script. */
type GetPosition = (key: string) => number;
/** Formats a step as an argument of the script. */
export type Step = (getPosition: GetPosition) => string;

/** The arguments of every script. */
export interface Clock {
  /** The time to use. Empty for the clock of Redis. */
  readonly time: string;
  /** In milliseconds. */
  readonly leaseMs: string;
}

/** A slot becomes free when a call ends, which can't be predicted. */
const SLOT_RETRY_MS = 1_000;
/** The cost of a limit that is only reported. */
const PEEK_COST = -1;

const isSlot = ({ quantity }: Limit): boolean => quantity === 'concurrency';
/** Whether the limit is reported to callers. */
export const isReported = (limit: Limit): boolean => !isSlot(limit) && limit.mode === 'enforce';
const formatFlag = (flag: boolean): string => (flag ? '1' : '0');

/** The braces keep all keys on one node of a Redis Cluster, because a script checks the limits of many accounts in one step. */
export const KEY_PREFIX = '{modelgate}:';

export const toKey = (prefix: string, { scope, subject, quantity }: Limit): string => `${prefix}${scope}:${subject}:${quantity}`;
/** The start of a limit's line in every step. */
const formatLimitPrefix = ({ quantity, most }: Limit): string => `${quantity} ${most} `;

/** The keys of the slots that a call acquires. */
export function listSlotKeys(prefix: string, acquisition: Acquisition): string[] {
  return acquisition.limits.filter((limit) => isSlot(limit) && isRequested(acquisition, limit)).map((limit) => toKey(prefix, limit));
}

/** The limits whose state is reported, in order: the limits to acquire from, and rates that are only reported. */
const listReportedLimits = (acquisition: Acquisition): Limit[] =>
  acquisition.limits.filter((limit) => isReported(limit) || isRequested(acquisition, limit));

/** Only requests are acquired provisionally, so a pending entry is always one request. */
export function createAcquireStep(prefix: string, acquisition: Acquisition, getPosition: GetPosition): string {
  const { replaces } = acquisition;
  const replacedKeys = new Set(replaces?.limits.filter((limit) => isRequested(replaces, limit)).map((limit) => toKey(prefix, limit)));
  let lines = '';
  const addLine = (limit: Limit, cost: number): void => {
    const key = toKey(prefix, limit);
    lines += `\n${getPosition(key)} ${formatLimitPrefix(limit)}${formatFlag(limit.mode === 'enforce')} ${cost} ${formatFlag(replacedKeys.delete(key))}`;
  };
  for (const limit of listReportedLimits(acquisition))
    addLine(limit, isRequested(acquisition, limit) ? getCost(limit, acquisition) : PEEK_COST);
  for (const limit of replaces?.limits ?? []) if (replacedKeys.has(toKey(prefix, limit))) addLine(limit, PEEK_COST);
  return `t${formatFlag(acquisition.isProvisional === true)} ${acquisition.requestId}\n${replaces?.requestId ?? ''}${lines}`;
}

/** Reads the result of an acquisition. Its time is needed for the later correction. */
export function readAcquireReply(
  acquisition: Acquisition,
  [status, at = 0, ...values]: readonly number[],
): { reported: readonly ReportedLimit[] } & { readonly taken: AcquireResult; readonly at: number } {
  const isAcquired = status === 1;
  const waits: { readonly limit: Limit; readonly ms: number }[] = [];
  const reported: ReportedLimit[] = [];
  for (const [index, limit] of listReportedLimits(acquisition).entries()) {
    const state = { level: values[3 * index] ?? 0, pending: values[3 * index + 1] ?? 0, at, most: limit.most };
    const ms = isRequested(acquisition, limit) ? getLimitWaitMs(limit, acquisition, state) : 0;
    if (ms > 0) waits.push({ limit, ms });
    if (!isAcquired) state.pending += values[3 * index + 2] ?? 0;
    else if (isRequested(acquisition, limit) && acquisition.isProvisional) state.pending += getCost(limit, acquisition);
    else if (isRequested(acquisition, limit)) fill(state, getCost(limit, acquisition));
    reported.push({ limit, level: state.level, pending: state.pending });
  }
  const windows = toWindows(reported);
  if (isAcquired) return { taken: { kind: 'taken', windows, observed: waits.map(({ limit }) => limit) }, at, reported };
  const [longest] = waits.filter(({ limit }) => limit.mode === 'enforce').toSorted((a, b) => b.ms - a.ms);
  if (!longest) throw new Error('Redis rejected a request that no limit rejects.');
  return { taken: { kind: 'rejected', limit: longest.limit, retryAfterMs: longest.ms, windows }, at, reported };
}

function getLimitWaitMs(limit: Limit, acquisition: Acquisition, state: Parameters<typeof getBucketWaitMs>[0]): number {
  if (isSlot(limit)) return state.level < limit.most ? 0 : SLOT_RETRY_MS;
  return getBucketWaitMs(state, limit.most, getCost(limit, acquisition));
}

/** How an acquisition ends: released if it was provisional, finished with its token usage, or undone because the response was lost. */
export type Ending =
  | { readonly kind: 'given back' }
  | { readonly kind: 'finished'; readonly usedTokens: number; readonly at: number }
  | { readonly kind: 'undone'; readonly at: number };

export function createCorrectStep(prefix: string, acquisition: Acquisition, ending: Ending, getPosition: GetPosition): string {
  let lines = '';
  for (const limit of listReportedLimits(acquisition)) {
    const isAdjusted = isRequested(acquisition, limit) && !isSlot(limit) && !acquisition.isProvisional;
    const reservedCost = isAdjusted ? getCost(limit, acquisition) : 0;
    const usedCost = isAdjusted ? getUsedCost(limit, acquisition, ending) : 0;
    const isReleased = isRequested(acquisition, limit) && (isSlot(limit) || acquisition.isProvisional === true);
    lines += `\n${getPosition(toKey(prefix, limit))} ${formatLimitPrefix(limit)}${formatFlag(isReleased)} ${reservedCost} ${usedCost} ${formatMaxOwed(limit)}`;
  }
  return `c${ending.kind === 'given back' ? 0 : ending.at} ${acquisition.requestId}${lines}`;
}

/** -1 means unbounded. */
function formatMaxOwed(limit: Limit): number {
  const maxOwed = getMaxOwed(limit);
  return Number.isFinite(maxOwed) ? maxOwed : -1;
}

function getUsedCost(limit: Limit, acquisition: Acquisition, ending: Ending): number {
  if (ending.kind === 'undone') return 0;
  return ending.kind === 'finished' && limit.quantity === 'tokens' ? ending.usedTokens : getCost(limit, acquisition);
}

/** Reads the response to a correction. */
export const readCorrectReply = (acquisition: Acquisition, values: readonly number[]): readonly ReportedLimit[] =>
  listReportedLimits(acquisition).map((limit, index) => ({ limit, level: values[2 * index] ?? 0, pending: values[2 * index + 1] ?? 0 }));

/** A peek acquires and corrects nothing. */
export const toPeekAcquisition = (limits: readonly Limit[]): Acquisition => ({ requestId: '', limits, tokens: 0, quantities: [] });

/** Whether the acquisition needs Redis at all. */
export const needsRedis = (acquisition: Acquisition): boolean =>
  acquisition.limits.some((limit) => isReported(limit) || isRequested(acquisition, limit));

/** The state of a limit after a step. */
export interface ReportedLimit {
  readonly limit: Limit;
  readonly level: number;
  readonly pending: number;
}

export function toWindows(reported: readonly ReportedLimit[]): Windows {
  return { requests: findTightest(reported, 'requests'), tokens: findTightest(reported, 'tokens') };
}

function findTightest(reported: readonly ReportedLimit[], quantity: 'requests' | 'tokens'): Window | null {
  let tightest: Window | null = null;
  for (const { limit, level, pending } of reported) {
    if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
    const window = toWindow({ level, pending, at: 0, most: limit.most }, limit.most);
    if (tightest === null || window.remaining < tightest.remaining) tightest = window;
  }
  return tightest;
}

/** The slots of one request. */
export interface Slots {
  readonly requestId: string;
  readonly keys: readonly string[];
}

interface HeartbeatParams {
  /** The key of the list of live processes. */
  readonly nodes: string;
  readonly node: string;
  readonly aliveMs: number;
  readonly changes: readonly SlotChange[];
}

export interface SlotChange {
  readonly what: 'keep' | 'drop';
  readonly slots: Slots;
}

export function createHeartbeatCommand({ nodes, node, aliveMs, changes }: HeartbeatParams, { time, leaseMs }: Clock): Command {
  const keys = [nodes];
  const args = [time, node, String(aliveMs), leaseMs];
  for (const { what, slots } of changes)
    for (const key of slots.keys) {
      keys.push(key);
      args.push(what, slots.requestId);
    }
  return { keys, args };
}
