/** Rate limits and concurrency limits: requests and tokens per minute and calls in flight, per key, account, group and model, decided in one atomic step (promise G11). */

/** `observe` counts and reports, and rejects no call. */
type LimitMode = 'off' | 'observe' | 'enforce';
export type Quantity = 'requests' | 'tokens' | 'concurrency';
export type Scope = 'key' | 'account' | 'group' | 'model';

/** One limit on one thing: `key:key_1`, 60 requests a minute. */
export interface Limit {
  readonly scope: Scope;
  /** The ID of the key, account, group or model. */
  readonly subject: string;
  readonly quantity: Quantity;
  /** Per minute; for `concurrency`, at the same time. */
  readonly most: number;
  readonly mode: Exclude<LimitMode, 'off'>;
  /** The share of one account in a limit of many accounts: the account alone owes what the others must not wait for. */
  readonly isPart?: boolean;
}

/** How much a shared limit can owe: no account waits longer for what another one used. */
const WINDOWS_OWED = 2;
/** The most that a bucket holds; unbounded when those who filled it are those who wait. */
export const maxOwed = ({ scope, most, isPart }: Limit): number =>
  isPart !== true && (scope === 'group' || scope === 'model') ? most * WINDOWS_OWED : Number.POSITIVE_INFINITY;

/** The cost of a take under a limit: of the output reserve, only as much as the limit has room for. */
export function costOf(limit: Limit, { tokens, reserve = 0 }: Take): number {
  if (limit.quantity !== 'tokens') return 1;
  return Math.min(Math.max(tokens, Math.min(tokens + reserve, limit.most)), maxOwed(limit));
}

export interface Take {
  readonly requestId: string;
  /** All limits of the call: the windows report all of them. */
  readonly limits: readonly Limit[];
  /** Tokens to take from each token limit; corrected when the call has ended. */
  readonly tokens: number;
  /** The output reserve in tokens, taken in addition as far as a limit has room; 0 when absent. */
  readonly reserve?: number;
  /** The quantities that are taken: the key's request rate is taken at authentication, the others later. */
  readonly quantities: readonly Quantity[];
  /** Only limits of these scopes are taken from; absent: all. */
  readonly scopes?: readonly Scope[];
  /** Whether the call may still be rejected. The request is then held without leaking until it's released or replaced by a final take. */
  readonly isProvisional?: boolean;
  /** Nothing is done for the call before a second take replaces this one, so a store may admit it by cached data. */
  readonly isAskedAgain?: boolean;
  /** The provisional take that this one replaces. When this one is rejected, the provisional one stays. */
  readonly replaces?: Take | null;
}

/** Whether a limit is taken from, or only read. */
export const isAsked = ({ quantities, scopes }: Take, { scope, quantity }: Limit): boolean =>
  quantities.includes(quantity) && (scopes === undefined || scopes.includes(scope));

/** The state of the tightest limits, for the `x-ratelimit-…` headers. */
export interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the whole limit is free again. */
  readonly resetMs: number;
}
export interface Windows {
  readonly requests: Window | null;
  readonly tokens: Window | null;
}

/** How far one limit is used. */
export interface Standing {
  /** The limit; where Redis is down, the part of it that this process enforces. */
  readonly most: number;
  readonly remaining: number;
  /** Milliseconds until the whole limit is free again; null for `concurrency`. */
  readonly resetMs: number | null;
}

export type Taken =
  | { readonly kind: 'taken'; readonly windows: Windows; readonly observed: readonly Limit[] }
  | {
      readonly kind: 'rejected';
      /** The limit that makes the call wait longest. */
      readonly limit: Limit;
      /** Milliseconds until the same call would be admitted; at least 1. */
      readonly retryAfterMs: number;
      readonly windows: Windows;
    };

/** Where limits are counted. Each method is one atomic step over all of its limits. */
export interface LimitStore {
  /** All or nothing: a rejected call takes nothing from any limit. */
  take(take: Take): Taken | Promise<Taken>;
  /** Gives a provisional take back, as if it had never been taken. */
  giveBack(take: Take): Windows | Promise<Windows>;
  /**
   * The call of this very take has ended: slots come back, the tokens that were taken are corrected to those that were used. What may have leaked
   * of tokens taken too much doesn't come back, or a minute would let through more than its limit. Never rejects.
   */
  finish(take: Take, usedTokens: number): Windows | Promise<Windows>;
  /** Reads what is left, without taking anything. */
  look(limits: readonly Limit[]): Windows | Promise<Windows>;
  /** The state of each limit, of any quantity and mode, without taking anything. Never rejects. */
  measure(limits: readonly Limit[]): readonly Standing[] | Promise<readonly Standing[]>;
  /** A concurrency limit without a free slot. Only stores that know it without asking have this method. */
  findFull?(limits: readonly Limit[]): Limit | null;
  close(): Promise<void>;
}

export interface MemoryLimits extends LimitStore {
  take(take: Take): Taken;
  giveBack(take: Take): Windows;
  finish(take: Take, usedTokens: number): Windows;
  look(limits: readonly Limit[]): Windows;
  measure(limits: readonly Limit[]): readonly Standing[];
  findFull(limits: readonly Limit[]): Limit | null;
}

/** A slot becomes free when a call ends, which can't be predicted. */
const SLOT_RETRY_MS = 1_000;
/** When so many buckets are stored, the empty ones are dropped. */
const SWEEP_AT = 10_000;

/** `now` in milliseconds. */
/** `now`: a clock that never goes back, in milliseconds. */
export function openMemoryLimits(now: () => number = () => performance.now()): MemoryLimits {
  return new Counters(now);
}

/** The state of one limit: a rate fills the bucket, calls in flight hold slots. */
interface Counter {
  readonly bucket: Bucket;
  slots: number;
}

/** By subject, separately for each scope and quantity, so that a look-up builds no string. */
const openTable = () => ({
  requests: new Map<string, Counter>(),
  tokens: new Map<string, Counter>(),
  concurrency: new Map<string, Counter>(),
});
const openTables = () => ({ key: openTable(), account: openTable(), group: openTable(), model: openTable() });

class Counters implements MemoryLimits {
  readonly #clock: () => number;
  readonly #tables = openTables();
  readonly #allTables = Object.values(this.#tables).flatMap((ofScope): Map<string, Counter>[] => Object.values(ofScope));
  /** When tokens were taken. */
  readonly #takenAt = new WeakMap<Take, number>();
  #sweepAt = SWEEP_AT;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  take(take: Take): Taken {
    const { replaces = null } = take;
    const now = this.now();
    if (this.#size() >= this.#sweepAt) this.#sweep();
    if (replaces) this.#suspend(replaces, -1);
    const observed: Limit[] = [];
    let longest: { readonly limit: Limit; readonly ms: number } | null = null;
    for (const limit of take.limits) {
      const ms = isAsked(take, limit) ? this.#waitOf(limit, take, now) : 0;
      if (ms === 0) continue;
      if (limit.mode === 'observe') observed.push(limit);
      else if (longest === null || ms > longest.ms) longest = { limit, ms };
    }
    if (longest) {
      if (replaces) this.#suspend(replaces, 1);
      return { kind: 'rejected', limit: longest.limit, retryAfterMs: longest.ms, windows: this.look(take.limits) };
    }
    if (take.isProvisional) this.#suspend(take, 1);
    else this.#add(take, now);
    return { kind: 'taken', windows: this.look(take.limits), observed };
  }

  giveBack(take: Take): Windows {
    this.#suspend(take, -1);
    return this.look(take.limits);
  }

  finish(take: Take, usedTokens: number): Windows {
    const now = this.now();
    const forMs = now - (this.#takenAt.get(take) ?? 0);
    for (const limit of take.limits) {
      if (!isAsked(take, limit)) continue;
      const counter = this.counterOf(limit);
      if (limit.quantity === 'concurrency') counter.slots = Math.max(counter.slots - 1, 0);
      if (limit.quantity !== 'tokens') continue;
      leak(counter.bucket, limit.most, now);
      const taken = costOf(limit, take);
      if (usedTokens > taken) pour(counter.bucket, usedTokens - taken, maxOwed(limit));
      else refund(counter.bucket, { taken, used: usedTokens, forMs });
    }
    return this.look(take.limits);
  }

  look(limits: readonly Limit[]): Windows {
    return limits.length === 0 ? NO_WINDOWS : new Look(this, limits);
  }

  measure(limits: readonly Limit[]): readonly Standing[] {
    const now = this.now();
    return limits.map(({ scope, quantity, subject, most }) => {
      // Not `counterOf`: a look must not make a counter.
      const counter = this.#tables[scope][quantity].get(subject);
      if (quantity === 'concurrency') return { most, remaining: Math.max(most - (counter?.slots ?? 0), 0), resetMs: null };
      if (!counter) return { most, remaining: most, resetMs: 0 };
      leak(counter.bucket, most, now);
      const { remaining, resetMs } = windowOf(counter.bucket, most);
      return { most, remaining, resetMs };
    });
  }

  findFull(limits: readonly Limit[]): Limit | null {
    const isFull = (limit: Limit): boolean =>
      limit.quantity === 'concurrency' && limit.mode === 'enforce' && this.counterOf(limit).slots >= limit.most;
    return limits.find(isFull) ?? null;
  }

  async close(): Promise<void> {
    for (const table of this.#allTables) table.clear();
  }

  now(): number {
    return Math.floor(this.#clock());
  }

  counterOf(limit: Limit): Counter {
    const table = this.#tables[limit.scope][limit.quantity];
    let counter = table.get(limit.subject);
    if (counter === undefined) {
      counter = { bucket: emptyBucket(limit.most, this.now()), slots: 0 };
      table.set(limit.subject, counter);
    }
    return counter;
  }

  #waitOf(limit: Limit, take: Take, now: number): number {
    const { bucket, slots } = this.counterOf(limit);
    if (limit.quantity === 'concurrency') return slots < limit.most ? 0 : SLOT_RETRY_MS;
    leak(bucket, limit.most, now);
    return waitFor(bucket, limit.most, costOf(limit, take));
  }

  #add(take: Take, now: number): void {
    for (const limit of take.limits) {
      if (!isAsked(take, limit)) continue;
      const counter = this.counterOf(limit);
      if (limit.quantity === 'concurrency') counter.slots++;
      else pour(counter.bucket, costOf(limit, take));
      // Nothing else is corrected at the end.
      if (limit.quantity === 'tokens') this.#takenAt.set(take, now);
    }
  }

  /** Adds or removes the pending amount of a provisional take. Slots are never taken provisionally. */
  #suspend(take: Take, times: 1 | -1): void {
    for (const limit of take.limits) {
      if (!isAsked(take, limit)) continue;
      const { bucket } = this.counterOf(limit);
      bucket.pending = Math.max(bucket.pending + times * costOf(limit, take), 0);
    }
  }

  #size(): number {
    return this.#allTables.reduce((sum, { size }) => sum + size, 0);
  }

  #sweep(): void {
    const now = this.now();
    for (const table of this.#allTables)
      for (const [subject, { bucket, slots }] of table) if (slots === 0 && isSpare(bucket, now)) table.delete(subject);
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size());
  }
}

type Rate = keyof Windows;
const NO_WINDOWS: Windows = { requests: null, tokens: null };

/** Computed when it is read: of the three states that a call gets, one is reported. */
class Look implements Windows {
  readonly #counters: Counters;
  readonly #limits: readonly Limit[];

  constructor(counters: Counters, limits: readonly Limit[]) {
    this.#counters = counters;
    this.#limits = limits;
  }

  get requests(): Window | null {
    return this.#tightest('requests');
  }

  get tokens(): Window | null {
    return this.#tightest('tokens');
  }

  #tightest(quantity: Rate): Window | null {
    const now = this.#counters.now();
    let found: Window | null = null;
    for (const limit of this.#limits) {
      if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
      const { bucket } = this.#counters.counterOf(limit);
      leak(bucket, limit.most, now);
      const window = windowOf(bucket, limit.most);
      if (found === null || window.remaining < found.remaining) found = window;
    }
    return found;
  }
}

const MINUTE_MS = 60_000;

interface Bucket {
  /** Amount taken that hasn't leaked yet, in units of 1/60000. Exceeds the limit if a call used more than estimated. */
  level: number;
  /** Taken provisionally: it doesn't leak, so that giving it back leaves the bucket as if it had never been taken. */
  pending: number;
  /** The time of this state, in whole milliseconds. */
  at: number;
  /** The limit at the last look. */
  most: number;
}

const emptyBucket = (most: number, at: number): Bucket => ({ level: 0, pending: 0, at, most });

/** Lets the time since the last look pass; none when the clock was set back. */
function leak(bucket: Bucket, most: number, now: number): void {
  bucket.level = Math.max(bucket.level - Math.max(now - bucket.at, 0) * most, 0);
  bucket.at = now;
  bucket.most = most;
}

/** Whether the bucket can be dropped without a loss. */
const isSpare = ({ level, pending, at, most }: Bucket, now: number): boolean => pending === 0 && level <= (now - at) * most;

/** Milliseconds until `cost` fits if everything pending stays; 0 when it fits now. A cost over the whole limit counts as the whole limit. */
export function waitFor({ level, pending }: Bucket, most: number, cost: number): number {
  const over = level + (pending + Math.min(cost, most) - most) * MINUTE_MS;
  return Math.max(Math.ceil(over / most), 0);
}

/** Never above `most`, and never below the current level. */
export function pour(bucket: Bucket, cost: number, most = Number.POSITIVE_INFINITY): void {
  bucket.level = Math.max(bucket.level, Math.min(bucket.level + cost * MINUTE_MS, most * MINUTE_MS));
}

/** Gives back what was taken too much, except for what may have leaked of it in the meantime. */
function refund(bucket: Bucket, { taken, used, forMs }: { readonly taken: number; readonly used: number; readonly forMs: number }): void {
  const left = Math.max(taken * MINUTE_MS - forMs * bucket.most, 0);
  bucket.level = Math.max(bucket.level - Math.min((taken - used) * MINUTE_MS, left), 0);
}

export function windowOf({ level, pending }: Bucket, most: number): { limit: number; remaining: number; resetMs: number } {
  const full = level + pending * MINUTE_MS;
  return { limit: most, remaining: Math.max(most - Math.ceil(full / MINUTE_MS), 0), resetMs: Math.ceil(full / most) };
}

/** A limit as it is configured: a plain number is enforced. */
export type LimitValue = number | { readonly limit: number; readonly mode: LimitMode };
export type LimitValues = Readonly<Partial<Record<keyof typeof quantities, LimitValue | null | undefined>>>;

const quantities = { requestsPerMinute: 'requests', tokensPerMinute: 'tokens', concurrency: 'concurrency' } as const satisfies Record<
  string,
  Quantity
>;
const names = Object.keys(quantities) as (keyof typeof quantities)[];

interface Subject {
  readonly scope: Scope;
  readonly id: string;
  /** The settings of this key, account, group or model; for an absent quantity, `otherwise` applies. */
  readonly own: LimitValues;
  readonly otherwise?: LimitValues;
}

export function limitsOf(subjects: readonly Subject[]): Limit[] {
  return subjects.flatMap((subject) => names.flatMap((name) => limitOn(subject, name)));
}

/** An account owes alone what it used of a shared limit beyond what all of them owe: it has a separate bucket with the whole limit. */
export function withParts(limits: readonly Limit[], accountId: string): Limit[] {
  const owing = limits.filter(({ quantity, mode }) => quantity === 'tokens' && mode === 'enforce');
  return [...limits, ...owing.map((limit) => ({ ...limit, subject: `${limit.subject} ${accountId}`, isPart: true }))];
}

function limitOn({ scope, id, own, otherwise }: Subject, name: (typeof names)[number]): Limit[] {
  const written = own[name] ?? otherwise?.[name] ?? null;
  if (written === null) return [];
  const { limit, mode } = typeof written === 'number' ? { limit: written, mode: 'enforce' as const } : written;
  return mode === 'off' ? [] : [{ scope, subject: id, quantity: quantities[name], most: limit, mode }];
}

export type LimitsState =
  /** `processes` processes share them. */
  | { readonly kind: 'shared'; readonly processes: number }
  /** Each of the `processes` that were alive lately enforces its part, since this time (milliseconds since the epoch). */
  | { readonly kind: 'own'; readonly since: number; readonly processes: number };

export function describeState(state: LimitsState): string {
  return state.kind === 'shared' ? 'limits: shared' : `limits: enforcing own share since ${new Date(state.since).toISOString()}`;
}
