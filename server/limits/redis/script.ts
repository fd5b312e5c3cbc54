/** The scripts that Redis runs: steps over all limits of a call, many steps in one script, with the arithmetic of gcra.ts (promise G11). */
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The first argument is the time; empty: the clock of Redis, so that the clocks of the processes need not agree. */
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

/** Slots and pending requests: each by the id of its request until its lease ends, so that those of a dead process become free. */
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
 * The first line holds whether the take is provisional, and the request id; the second the id of the request that it replaces; each further line one
 * limit: the index of its key, quantity, most, whether it may refuse, cost (-1: only read), and whether the replaced request is pending there.
 * Returns 1 (taken) or 0, and the time; then for each limit the state before: level or slots, pending requests, and whether the replaced one was pending.
 */
const TAKE = `
local leaseMs = ARGV[2]
local function take(words)
  local provisional, id, gone, lines = string.match(words, '^(%d) ([^\\n]*)\\n([^\\n]*)(.*)$')
  local found, fits, all, i = {1, now}, true, {}, 0
  for place, quantity, most, refuses, cost, replaces in string.gmatch(lines, '(%d+) (%a+) (%d+) (%d) (-?%d+) (%d)') do
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
    if cost >= 0 and refuses == '1' then
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
 * The first line holds the time of the take and the request id; each further line one limit: the index of its key, quantity, most, whether the request
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
