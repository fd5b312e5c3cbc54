/** Limits that many processes share in Redis. While Redis is down, each process enforces its part of each limit (promise G11). */

import { toWindow } from '../leaky-bucket.ts';
import type { AcquireResult, Acquisition, Limit, Limiter, LimitStatus, LimitsState, MemoryLimits, Windows } from '../limiter.ts';
import { type LocalShare, openLocalShare } from '../local-share.ts';
import { Breaker } from './breaker.ts';
import { BucketCache } from './bucket-cache.ts';
import { type Connection, openConnection, withDeadline } from './connection.ts';
import { RunningCalls } from './running-calls.ts';
import {
  type Clock,
  createAcquireStep,
  createCorrectStep,
  createHeartbeatCommand,
  type Ending,
  KEY_PREFIX,
  needsRedis,
  readAcquireReply,
  readCorrectReply,
  type SlotChange,
  type Slots,
  type Step,
  scripts,
  toKey,
  toPeekAcquisition,
  toWindows,
} from './script.ts';
import { createStepBatcher, type StepBatcher } from './step-batcher.ts';

export interface RedisLimitsOptions {
  readonly url: string;
  /** The unique name of this process. */
  readonly node: string;
  readonly log: LimitsLog;
  /** Counts this process's share of the limits while Redis is down. */
  readonly fallback: MemoryLimits;
  /** In milliseconds. Defaults to the clock of Redis, which is the same for all processes. */
  readonly now?: () => number;
  readonly prefix?: string;
  /** How long the slots of a dead process stay occupied. */
  readonly leaseMs?: number;
  /** How long a call waits for Redis. */
  readonly waitMs?: number;
  /** How long a cached rate can admit a caller who is far below the limit. */
  readonly trustMs?: number;
}

export interface LimitsLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface RedisLimits extends Limiter {
  /** State for readiness and metrics. A process that counts without Redis is ready. */
  getState(): LimitsState;
}

const NO_WINDOWS: Windows = { requests: null, tokens: null };
const DEFAULT_WAIT_MS = 50;
const DEFAULT_CACHE_MAX_AGE_MS = 1_000;
const START_TIMEOUT_MS = 1_000;
const HEARTBEAT_INTERVAL_MS = 2_000;
/** Five missed heartbeats. */
const ALIVE_MS = 10_000;
const DEFAULT_LEASE_MS = 30_000;
/** The maximum number of calls per heartbeat script, so that no script blocks Redis for long. */
const CALLS_PER_HEARTBEAT = 500;
/** If the connection is open but gets no responses, a new connection may work. */
const PROBES_PER_CONNECTION = 10;

/** Starts even if Redis is down. Rejects if the URL can't be parsed. */
export async function openRedisLimits(options: RedisLimitsOptions): Promise<RedisLimits> {
  const limits = new SharedLimits(options);
  await limits.open();
  return limits;
}

class SharedLimits implements RedisLimits {
  readonly #options: RedisLimitsOptions;
  readonly #prefix: string;
  readonly #waitMs: number;
  readonly #connection: Connection;
  readonly #steps: StepBatcher;
  readonly #breaker: Breaker;
  readonly #share: LocalShare;
  readonly #runningCalls: RunningCalls;
  readonly #bucketCache: BucketCache;
  /** When Redis admitted the calls in flight, by the clock of Redis. */
  readonly #acquiredAt = new WeakMap<Acquisition, number>();
  #processes = 1;
  #countedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RedisLimitsOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? `${KEY_PREFIX}limits:`;
    this.#waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
    this.#share = openLocalShare(options.fallback, () => this.#processes);
    this.#runningCalls = new RunningCalls(this.#share, this.#prefix);
    this.#bucketCache = new BucketCache(options.trustMs ?? DEFAULT_CACHE_MAX_AGE_MS);
    this.#breaker = new Breaker({
      probe: (failedBefore) => this.#probe(failedBefore),
      onOpen: (cause) => this.#handleOutage(cause),
      onClose: () => this.#handleRecovery(),
      now: Date.now,
    });
    this.#connection = openConnection(options.url, (cause) => this.#breaker.open(cause));
    this.#steps = createStepBatcher(this.#connection, { clock: () => this.#getClock(), expected: () => this.#runningCalls.count });
  }

  async open(): Promise<void> {
    try {
      const startMs = Math.max(START_TIMEOUT_MS, this.#waitMs);
      await withDeadline(this.#connection.opened, startMs);
      await this.#sendHeartbeat(startMs);
    } catch (error) {
      this.#breaker.open(error);
    }
    const sendHeartbeat = (): void => {
      if (this.#breaker.isClosed) this.#sendHeartbeat().catch((error: unknown) => this.#breaker.recordFailure(error));
    };
    const { leaseMs = DEFAULT_LEASE_MS } = this.#options;
    this.#timer = setInterval(sendHeartbeat, Math.min(HEARTBEAT_INTERVAL_MS, leaseMs / 3)).unref();
  }

  acquire(acquisition: Acquisition): AcquireResult | Promise<AcquireResult> {
    if (!needsRedis(acquisition) && !(acquisition.replaces && needsRedis(acquisition.replaces)))
      return { kind: 'taken', windows: NO_WINDOWS, observed: [] };
    if (!this.#breaker.isClosed) return this.#acquireLocally(acquisition);
    const windows = acquisition.isProvisional && acquisition.isRepeated ? this.#bucketCache.findTrusted(acquisition) : null;
    return windows ? { kind: 'taken', windows, observed: [] } : this.#acquireShared(acquisition);
  }

  release(acquisition: Acquisition): Windows | Promise<Windows> {
    const isShared = this.#acquiredAt.delete(acquisition);
    this.#share.release(acquisition);
    // If Redis is down, a pending request becomes free when its lease ends.
    return this.#report(isShared ? acquisition : toPeekAcquisition(acquisition.limits), { kind: 'given back' });
  }

  finish(acquisition: Acquisition, usedTokens: number): Windows | Promise<Windows> {
    const acquiredAt = this.#acquiredAt.get(acquisition);
    this.#acquiredAt.delete(acquisition);
    this.#share.finish(acquisition, usedTokens);
    const slots = this.#runningCalls.end(acquisition);
    if (acquiredAt !== undefined) return this.#report(acquisition, { kind: 'finished', usedTokens, at: acquiredAt }, slots);
    // This process admitted the call alone. Redis may have received its slots with a heartbeat, and nothing else of the call.
    const releasedAcquisition = slots ? { ...acquisition, quantities: ['concurrency' as const] } : toPeekAcquisition(acquisition.limits);
    return this.#report(releasedAcquisition, { kind: 'finished', usedTokens: 0, at: 0 }, slots);
  }

  peek(limits: readonly Limit[]): Windows | Promise<Windows> {
    return this.#report(toPeekAcquisition(limits), { kind: 'given back' });
  }

  async getStatuses(limits: readonly Limit[]): Promise<readonly LimitStatus[]> {
    const statuses = this.#breaker.isClosed ? withDeadline(readSharedStatuses(this.#steps, limits, this.#prefix), START_TIMEOUT_MS) : null;
    return (await statuses?.catch(() => null)) ?? this.#share.getStatuses(limits);
  }

  getState(): LimitsState {
    const { since } = this.#breaker;
    return since === null ? { kind: 'shared', processes: this.#processes } : { kind: 'own', since, processes: this.#processes };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#breaker.isClosed) await withDeadline(this.#releaseAll(), this.#waitMs).catch(() => undefined);
    this.#breaker.end();
    this.#connection.close();
    await this.#options.fallback.close();
  }

  async #acquireShared(newAcquisition: Acquisition): Promise<AcquireResult> {
    const { replaces = null } = newAcquisition;
    // The replaced acquisition was counted only by this process, or not at all.
    const isReplacedUnknown = replaces !== null && !this.#acquiredAt.has(replaces);
    const acquisition = isReplacedUnknown ? { ...newAcquisition, replaces: null } : newAcquisition;
    const reply = this.#steps.ask((getPosition) => createAcquireStep(this.#prefix, acquisition, getPosition), true);
    try {
      const { taken: result, at, reported } = readAcquireReply(acquisition, await withDeadline(reply, this.#waitMs));
      this.#breaker.recordSuccess();
      this.#bucketCache.record(reported);
      if (result.kind === 'rejected') return result;
      this.#acquiredAt.set(newAcquisition, at);
      if (replaces) this.#share.release(replaces);
      this.#runningCalls.begin(newAcquisition, true);
      // The breaker may have opened while this response was in transit.
      if (!this.#breaker.isClosed) this.#runningCalls.startLocalCount();
      return result;
    } catch (error) {
      this.#undoLateAcquire(acquisition, reply);
      this.#breaker.recordFailure(error);
      return this.#acquireLocally(newAcquisition);
    }
  }

  #acquireLocally(acquisition: Acquisition): AcquireResult {
    const result = this.#share.acquire(acquisition);
    if (result.kind === 'taken') this.#runningCalls.begin(acquisition, false);
    return result;
  }

  /** Redis may still run an acquisition that no call waits for. When the late response arrives, the acquisition is released. */
  #undoLateAcquire(acquisition: Acquisition, reply: Promise<readonly number[]>): void {
    const slots = this.#runningCalls.getSlots(acquisition);
    reply.then(
      ([answer, at = 0]) => {
        if (answer === 1) void this.#reportShared(acquisition, { kind: 'undone', at }, slots);
      },
      () => this.#runningCalls.queueRelease(slots),
    );
  }

  /** Never rejects. If Redis is down, rates leak on their own, and slots are released when it recovers. */
  #report(acquisition: Acquisition, ending: Ending, slots: Slots | null = null): Windows | Promise<Windows> {
    if (this.#breaker.isClosed) return needsRedis(acquisition) ? this.#reportShared(acquisition, ending, slots) : NO_WINDOWS;
    this.#runningCalls.queueRelease(slots);
    return this.#share.peek(acquisition.limits);
  }

  async #reportShared(acquisition: Acquisition, ending: Ending, slots: Slots | null): Promise<Windows> {
    try {
      const reply = this.#steps.ask((getPosition) => createCorrectStep(this.#prefix, acquisition, ending, getPosition));
      const reported = readCorrectReply(acquisition, await withDeadline(reply, this.#waitMs));
      // A peek proves nothing, because a read-only Redis responds to it but can't count.
      if (acquisition.quantities.length > 0) this.#breaker.recordSuccess();
      this.#bucketCache.record(reported);
      return toWindows(reported);
    } catch (error) {
      this.#runningCalls.queueRelease(slots);
      this.#breaker.recordFailure(error);
      return this.#share.peek(acquisition.limits);
    }
  }

  /** Reports that this process is alive, renews the slots of its calls, and releases the slots of ended calls. */
  async #sendHeartbeat(waitMs = this.#waitMs): Promise<void> {
    const { ended, running } = this.#runningCalls.collectSlots();
    const changes = [
      ...ended.map((slots): SlotChange => ({ what: 'drop', slots })),
      ...running.map((slots): SlotChange => ({ what: 'keep', slots })),
    ];
    const heartbeatReplies: Promise<readonly number[]>[] = [];
    // Sent without a pause, so that the release of a call that ends during the heartbeat comes after it.
    do {
      const heartbeat = {
        nodes: this.#nodesKey,
        node: this.#options.node,
        aliveMs: ALIVE_MS,
        changes: changes.splice(0, CALLS_PER_HEARTBEAT),
      };
      heartbeatReplies.push(this.#connection.run<readonly number[]>(scripts.beat, createHeartbeatCommand(heartbeat, this.#getClock())));
    } while (changes.length > 0);
    const [firstReply] = await withDeadline(Promise.all(heartbeatReplies), waitMs);
    this.#countProcesses(firstReply?.[0] ?? 1);
    this.#runningCalls.forget(ended);
    this.#breaker.recordSuccess();
  }

  /** After Redis loses its data, it counts only the processes that have sent a heartbeat since. So a lower count is ignored for `ALIVE_MS`. */
  #countProcesses(aliveCount: number): void {
    const at = performance.now();
    if (aliveCount < this.#processes && at - this.#countedAt < ALIVE_MS) return;
    this.#processes = aliveCount;
    this.#countedAt = at;
  }

  async #probe(failedBefore: number): Promise<void> {
    if (failedBefore % PROBES_PER_CONNECTION === PROBES_PER_CONNECTION - 1) this.#connection.renew();
    if (!this.#connection.isReady) throw new Error('No connection to Redis.');
    await this.#sendHeartbeat();
  }

  #handleOutage(cause: unknown): void {
    this.#runningCalls.startLocalCount();
    const processes = this.#processes;
    this.#options.log.warn({ err: cause, processes }, "Redis doesn't respond; enforcing this process's share of each limit");
  }

  #handleRecovery(): void {
    this.#runningCalls.stopLocalCount();
    this.#options.log.info({ processes: this.#processes }, 'Redis responds again; limits are shared');
  }

  /** Releases all slots before this process ends, after the steps of ended calls have been sent. */
  async #releaseAll(): Promise<void> {
    await this.#steps.flush();
    const { ended, running } = this.#runningCalls.collectSlots();
    const changes = [...ended, ...running].map((slots): SlotChange => ({ what: 'drop', slots }));
    const { node } = this.#options;
    const heartbeat = createHeartbeatCommand({ nodes: this.#nodesKey, node, aliveMs: ALIVE_MS, changes }, this.#getClock());
    await Promise.all([
      this.#connection.run(scripts.beat, heartbeat),
      this.#connection.run(scripts.leave, { keys: [this.#nodesKey], args: ['', node] }),
    ]);
  }

  get #nodesKey(): string {
    return `${this.#prefix}processes`;
  }

  #getClock(): Clock {
    const { now, leaseMs = DEFAULT_LEASE_MS } = this.#options;
    return { time: now ? String(Math.floor(now())) : '', leaseMs: String(leaseMs) };
  }
}

/** A script blocks Redis for all other clients while it runs. */
const LIMITS_PER_STEP = 100;

/** Rejects if Redis doesn't respond. Sends one step after the other, so that calls run in between. */
async function readSharedStatuses(steps: Pick<StepBatcher, 'ask'>, limits: readonly Limit[], prefix: string): Promise<LimitStatus[]> {
  const statuses: LimitStatus[] = [];
  for (let from = 0; from < limits.length; from += LIMITS_PER_STEP) {
    const batch = limits.slice(from, from + LIMITS_PER_STEP);
    const levelValues = await steps.ask(createPeekStep(prefix, batch), true);
    for (const [index, limit] of batch.entries())
      statuses.push(toLimitStatus(limit, levelValues[2 * index] ?? 0, levelValues[2 * index + 1] ?? 0));
  }
  return statuses;
}

/** A correction that changes nothing returns the state of each limit. */
const createPeekStep =
  (prefix: string, limits: readonly Limit[]): Step =>
  (getPosition) =>
    `c0 ${limits.map((limit) => `\n${getPosition(toKey(prefix, limit))} ${limit.quantity} ${limit.most} 0 0 0 -1`).join('')}`;

function toLimitStatus({ quantity, most }: Limit, level: number, pending: number): LimitStatus {
  if (quantity === 'concurrency') return { most, remaining: Math.max(most - level, 0), resetMs: null };
  const { remaining, resetMs } = toWindow({ level, pending, at: 0, most }, most);
  return { most, remaining, resetMs };
}
