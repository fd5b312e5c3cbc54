/** Limits that many processes share in Redis. While Redis is down, each process enforces its part of each limit (promise G11). */

import {
  isAsked,
  type Limit,
  type LimitStore,
  type LimitsState,
  type MemoryLimits,
  type Standing,
  type Take,
  type Taken,
  type Windows,
  windowOf,
} from '../limiter.ts';
import { Breaker, type Connection, type GatheredSteps, gatherSteps, inTime, openConnection } from './connection.ts';
import { type OwnShare, openOwnShare, RunningCalls } from './outage.ts';
import {
  beatCommand,
  type Clock,
  concerns,
  correctStep,
  type Ending,
  isTold,
  KEY_PREFIX,
  keyOf,
  lookOf,
  type ReportedLimit,
  readCorrected,
  readTaken,
  type SlotChange,
  type Slots,
  type Step,
  scripts,
  takeStep,
  windowsOf,
} from './script.ts';

export interface RedisLimitsOptions {
  readonly url: string;
  /** The unique name of this process. */
  readonly node: string;
  readonly log: LimitsLog;
  /** Counts this process's part of the limits while Redis is down. */
  readonly fallback: MemoryLimits;
  /** Milliseconds. Defaults to the clock of Redis, which is the same for all processes. */
  readonly now?: () => number;
  readonly prefix?: string;
  /** How long the slots of a dead process stay taken. */
  readonly leaseMs?: number;
  /** How long a call waits for Redis. */
  readonly waitMs?: number;
  /** How long a rate that Redis reported can admit a caller who is far below the limit. */
  readonly trustMs?: number;
}

export interface LimitsLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface RedisLimits extends LimitStore {
  /** State for readiness and metrics. A process that counts without Redis is ready. */
  state(): LimitsState;
}

const NONE: Windows = { requests: null, tokens: null };
const WAIT_MS = 50;
const TRUST_MS = 1_000;
const START_MS = 1_000;
const BEAT_MS = 2_000;
/** Five missed heartbeats. */
const ALIVE_MS = 10_000;
const LEASE_MS = 30_000;
/** The most calls whose slots are sent in one script, so that no script blocks Redis for long. */
const CALLS_A_BEAT = 500;
/** When the connection is open but nothing comes back, a new connection may work. */
const PROBES_A_CONNECTION = 10;

/** Starts without Redis, too. Rejects when the address can't be parsed. */
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
  readonly #steps: GatheredSteps;
  readonly #breaker: Breaker;
  readonly #share: OwnShare;
  readonly #running: RunningCalls;
  readonly #lately: Lately;
  /** When Redis took the calls that are still running, by the clock of Redis. */
  readonly #takenAt = new WeakMap<Take, number>();
  #processes = 1;
  #countedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RedisLimitsOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? `${KEY_PREFIX}limits:`;
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.#share = openOwnShare(options.fallback, () => this.#processes);
    this.#running = new RunningCalls(this.#share, this.#prefix);
    this.#lately = new Lately(options.trustMs ?? TRUST_MS);
    this.#breaker = new Breaker({
      probe: (failedBefore) => this.#probe(failedBefore),
      opened: (cause) => this.#fall(cause),
      closed: () => this.#rise(),
      now: Date.now,
    });
    this.#connection = openConnection(options.url, (cause) => this.#breaker.open(cause));
    this.#steps = gatherSteps(this.#connection, { clock: () => this.#clock(), expected: () => this.#running.count });
  }

  async open(): Promise<void> {
    try {
      const startMs = Math.max(START_MS, this.#waitMs);
      await inTime(this.#connection.opened, startMs);
      await this.#beat(startMs);
    } catch (error) {
      this.#breaker.open(error);
    }
    const beat = (): void => {
      if (this.#breaker.isClosed) this.#beat().catch((error: unknown) => this.#breaker.failed(error));
    };
    const { leaseMs = LEASE_MS } = this.#options;
    this.#timer = setInterval(beat, Math.min(BEAT_MS, leaseMs / 3)).unref();
  }

  take(take: Take): Taken | Promise<Taken> {
    if (!concerns(take) && !(take.replaces && concerns(take.replaces))) return { kind: 'taken', windows: NONE, observed: [] };
    if (!this.#breaker.isClosed) return this.#takeOwn(take);
    const windows = take.isProvisional && take.isAskedAgain ? this.#lately.trust(take) : null;
    return windows ? { kind: 'taken', windows, observed: [] } : this.#takeShared(take);
  }

  giveBack(take: Take): Windows | Promise<Windows> {
    const isShared = this.#takenAt.delete(take);
    this.#share.giveBack(take);
    // If Redis can't be told, a pending request becomes free when its lease ends.
    return this.#report(isShared ? take : lookOf(take.limits), { kind: 'given back' });
  }

  finish(take: Take, usedTokens: number): Windows | Promise<Windows> {
    const at = this.#takenAt.get(take);
    this.#takenAt.delete(take);
    this.#share.finish(take, usedTokens);
    const slots = this.#running.end(take);
    if (at !== undefined) return this.#report(take, { kind: 'finished', usedTokens, at }, slots);
    // This process admitted the call by itself; Redis may have got its slots with a heartbeat, and nothing else of it.
    const known = slots ? { ...take, quantities: ['concurrency' as const] } : lookOf(take.limits);
    return this.#report(known, { kind: 'finished', usedTokens: 0, at: 0 }, slots);
  }

  look(limits: readonly Limit[]): Windows | Promise<Windows> {
    return this.#report(lookOf(limits), { kind: 'given back' });
  }

  async measure(limits: readonly Limit[]): Promise<readonly Standing[]> {
    const asked = this.#breaker.isClosed ? inTime(measureShared(this.#steps, limits, this.#prefix), START_MS) : null;
    return (await asked?.catch(() => null)) ?? this.#share.measure(limits);
  }

  state(): LimitsState {
    const { since } = this.#breaker;
    return since === null ? { kind: 'shared', processes: this.#processes } : { kind: 'own', since, processes: this.#processes };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#breaker.isClosed) await inTime(this.#leave(), this.#waitMs).catch(() => undefined);
    this.#breaker.end();
    this.#connection.close();
    await this.#options.fallback.close();
  }

  async #takeShared(take: Take): Promise<Taken> {
    const { replaces = null } = take;
    // It was counted by this process only, or not at all.
    const isUnheardOf = replaces !== null && !this.#takenAt.has(replaces);
    const asked = isUnheardOf ? { ...take, replaces: null } : take;
    const reply = this.#steps.ask((placeOf) => takeStep(this.#prefix, asked, placeOf), true);
    try {
      const { taken, at, told } = readTaken(asked, await inTime(reply, this.#waitMs));
      this.#breaker.succeeded();
      this.#lately.note(told);
      if (taken.kind === 'rejected') return taken;
      this.#takenAt.set(take, at);
      if (replaces) this.#share.giveBack(replaces);
      this.#running.begin(take, true);
      // Other calls may have given up on Redis while this response was on its way.
      if (!this.#breaker.isClosed) this.#running.moveHere();
      return taken;
    } catch (error) {
      this.#undoLate(asked, reply);
      this.#breaker.failed(error);
      return this.#takeOwn(take);
    }
  }

  #takeOwn(take: Take): Taken {
    const taken = this.#share.take(take);
    if (taken.kind === 'taken') this.#running.begin(take, false);
    return taken;
  }

  /** Redis may still execute a take that no call waits for anymore: it is given back when the late answer comes. */
  #undoLate(take: Take, reply: Promise<readonly number[]>): void {
    const slots = this.#running.slotsOf(take);
    reply.then(
      ([answer, at = 0]) => {
        if (answer === 1) void this.#tellShared(take, { kind: 'undone', at }, slots);
      },
      () => this.#running.owe(slots),
    );
  }

  /** Never rejects. If Redis can't be told, rates leak by themselves, and slots are released when it is back. */
  #report(take: Take, ending: Ending, slots: Slots | null = null): Windows | Promise<Windows> {
    if (this.#breaker.isClosed) return concerns(take) ? this.#tellShared(take, ending, slots) : NONE;
    this.#running.owe(slots);
    return this.#share.look(take.limits);
  }

  async #tellShared(take: Take, ending: Ending, slots: Slots | null): Promise<Windows> {
    try {
      const reply = this.#steps.ask((placeOf) => correctStep(this.#prefix, take, ending, placeOf));
      const told = readCorrected(take, await inTime(reply, this.#waitMs));
      // A look proves nothing: a read-only Redis answers it, but can't count.
      if (take.quantities.length > 0) this.#breaker.succeeded();
      this.#lately.note(told);
      return windowsOf(told);
    } catch (error) {
      this.#running.owe(slots);
      this.#breaker.failed(error);
      return this.#share.look(take.limits);
    }
  }

  /** Reports that this process lives, renews the slots of its calls, and releases those of ended calls. */
  async #beat(waitMs = this.#waitMs): Promise<void> {
    const { ended, running } = this.#running.report();
    const changes = [
      ...ended.map((slots): SlotChange => ({ what: 'drop', slots })),
      ...running.map((slots): SlotChange => ({ what: 'keep', slots })),
    ];
    const beats: Promise<readonly number[]>[] = [];
    // Sent without a pause, so that the release of a call that ends in the meantime comes after it.
    do {
      const beat = { nodes: this.#nodes, node: this.#options.node, aliveMs: ALIVE_MS, changes: changes.splice(0, CALLS_A_BEAT) };
      beats.push(this.#connection.run<readonly number[]>(scripts.beat, beatCommand(beat, this.#clock())));
    } while (changes.length > 0);
    const [answer] = await inTime(Promise.all(beats), waitMs);
    this.#countProcesses(answer?.[0] ?? 1);
    this.#running.forget(ended);
    this.#breaker.succeeded();
  }

  /** After a loss of data, the list has only the processes that came back first: for a while the larger number counts. */
  #countProcesses(alive: number): void {
    const at = performance.now();
    if (alive < this.#processes && at - this.#countedAt < ALIVE_MS) return;
    this.#processes = alive;
    this.#countedAt = at;
  }

  async #probe(failedBefore: number): Promise<void> {
    if (failedBefore % PROBES_A_CONNECTION === PROBES_A_CONNECTION - 1) this.#connection.renew();
    if (!this.#connection.isReady) throw new Error('No connection to Redis.');
    await this.#beat();
  }

  #fall(cause: unknown): void {
    this.#running.moveHere();
    const processes = this.#processes;
    this.#options.log.warn({ err: cause, processes }, "Redis doesn't respond; enforcing this process's share of each limit");
  }

  #rise(): void {
    this.#running.moveBack();
    this.#options.log.info({ processes: this.#processes }, 'Redis responds again; limits are shared');
  }

  /** Slots that are still held end with this process; those of ended calls are released first. */
  async #leave(): Promise<void> {
    await this.#steps.flush();
    const { ended, running } = this.#running.report();
    const changes = [...ended, ...running].map((slots): SlotChange => ({ what: 'drop', slots }));
    const { node } = this.#options;
    const beat = beatCommand({ nodes: this.#nodes, node, aliveMs: ALIVE_MS, changes }, this.#clock());
    await Promise.all([
      this.#connection.run(scripts.beat, beat),
      this.#connection.run(scripts.leave, { keys: [this.#nodes], args: ['', node] }),
    ]);
  }

  get #nodes(): string {
    return `${this.#prefix}processes`;
  }

  #clock(): Clock {
    const { now, leaseMs = LEASE_MS } = this.#options;
    return { time: now ? String(Math.floor(now())) : '', leaseMs: String(leaseMs) };
  }
}

/** The bucket of a limit, as Redis reported it. */
interface Said {
  level: number;
  pending: number;
  /** By the clock of this process, in whole milliseconds. */
  at: number;
}

/** Buckets count in units of 1/60000. */
const ONE = 60_000;

const now = (): number => Math.floor(performance.now());

export class Lately {
  readonly #trustMs: number;
  readonly #said = new WeakMap<Limit, Said>();

  /** `trustMs` says how long a rate is valid. 0 if it never is. */
  constructor(trustMs: number) {
    this.#trustMs = trustMs;
  }

  note(told: readonly ReportedLimit[]): void {
    if (this.#trustMs === 0) return;
    const at = now();
    for (const { limit, level, pending } of told) {
      const said = this.#said.get(limit);
      if (said) Object.assign(said, { level, pending, at });
      else this.#said.set(limit, { level, pending, at });
    }
  }

  /**
   * The windows to report when the cached data admits the call; null if Redis must be asked. Only for a take that a second one replaces: Redis
   * then counts exactly, and the cache only decides whether a body is read before a refusal.
   */
  trust(take: Take): Windows | null {
    const at = now();
    const told: ReportedLimit[] = [];
    const entered: Said[] = [];
    for (const limit of take.limits) {
      const isEntered = isAsked(take, limit);
      if (!isEntered && !isTold(limit)) continue;
      const said = this.#said.get(limit);
      if (!said || at - said.at > this.#trustMs) return null;
      const level = Math.max(said.level - (at - said.at) * limit.most, 0);
      const pending = said.pending + (isEntered ? 1 : 0);
      // Other calls may take part of the free room in the meantime.
      if (isEntered && level + pending * ONE > (limit.most * ONE) / 2) return null;
      if (isEntered) entered.push(said);
      told.push({ limit, level, pending });
    }
    // Until Redis reports again, this process adds the calls that it has admitted.
    for (const said of entered) said.pending++;
    return windowsOf(told);
  }
}

/** A script blocks Redis for every other client while it runs. */
const LIMITS_A_STEP = 100;

/** Rejects where Redis doesn't answer. One step after the other, so that calls come between them. */
export async function measureShared(steps: Pick<GatheredSteps, 'ask'>, limits: readonly Limit[], prefix: string): Promise<Standing[]> {
  const found: Standing[] = [];
  for (let from = 0; from < limits.length; from += LIMITS_A_STEP) {
    const some = limits.slice(from, from + LIMITS_A_STEP);
    const told = await steps.ask(lookStep(prefix, some), true);
    for (const [index, limit] of some.entries()) found.push(standingOf(limit, told[2 * index] ?? 0, told[2 * index + 1] ?? 0));
  }
  return found;
}

/** A correction that corrects nothing responds with the state of each limit. */
const lookStep =
  (prefix: string, limits: readonly Limit[]): Step =>
  (placeOf) =>
    `c0 ${limits.map((limit) => `\n${placeOf(keyOf(prefix, limit))} ${limit.quantity} ${limit.most} 0 0 0 -1`).join('')}`;

function standingOf({ quantity, most }: Limit, level: number, pending: number): Standing {
  if (quantity === 'concurrency') return { most, remaining: Math.max(most - level, 0), resetMs: null };
  const { remaining, resetMs } = windowOf({ level, pending, at: 0, most }, most);
  return { most, remaining, resetMs };
}
