/** Which limits are in use: those that calls met in this process, how near each is, and what it rejected in the last hour. */
import type { Limit, LimitStore, Quantity, Scope, Standing } from './limiter.ts';

/** A limit, what is left of it, and what it rejected; in observe mode, what it would have rejected. */
export interface LimitInUse {
  readonly limit: Limit;
  readonly standing: Standing;
  readonly refusals: Refusals;
}
export interface Refusals {
  readonly calls: number;
  /** For a shared limit: the accounts with the most calls, in descending order. */
  readonly accounts: readonly { readonly accountId: string; readonly calls: number }[];
}

export interface LimitQuery {
  readonly scope?: Scope | undefined;
  /** From 0 to 1: limits that are used less are omitted, unless they rejected. */
  readonly over: number;
}

/** Limits of one scope and quantity that are remembered; the ones that were met longest ago go first. */
const MAX_REMEMBERED = 1_000;
/** Limits in a response. */
const MAX_PROBLEMS = 100;
const SLOT_MS = 300_000;
const HOUR_MS = 3_600_000;
/** Accounts of a shared limit that are counted one by one in a slot. */
const MAX_ACCOUNTS = 50;

interface Slot {
  readonly from: number;
  calls: number;
  readonly accounts: Map<string, number>;
}
interface Entry {
  limit: Limit;
  metAt: number;
  /** Counts of the last hour, oldest first. */
  slots: Slot[];
}

const openTable = (): Record<Quantity, Map<string, Entry>> => ({ requests: new Map(), tokens: new Map(), concurrency: new Map() });

export class LimitUse {
  readonly #store: LimitStore;
  readonly #now: () => number;
  readonly #tables: Record<Scope, Record<Quantity, Map<string, Entry>>> = {
    key: openTable(),
    account: openTable(),
    group: openTable(),
    model: openTable(),
  };
  /** A caller's list of limits is the same object for about a second: noted once, it costs a call one look-up. */
  readonly #noted = new WeakSet<readonly Limit[]>();

  constructor(store: LimitStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** A call has met these. */
  note(limits: readonly Limit[]): void {
    if (this.#noted.has(limits)) return;
    this.#noted.add(limits);
    for (const limit of limits) if (limit.isPart !== true) this.#meet(limit);
  }

  /** The limit rejected a call of the account, or would have if it were enforced. */
  rejected(limit: Limit, accountId: string): void {
    const entry = this.#meet(limit.isPart === true ? wholeOf(limit) : limit);
    const { slots } = entry;
    const from = Math.floor(entry.metAt / SLOT_MS) * SLOT_MS;
    let slot = slots.at(-1);
    if (slot?.from !== from) {
      slot = { from, calls: 0, accounts: new Map() };
      entry.slots = [...slots.filter((one) => one.from > from - HOUR_MS), slot];
    }
    slot.calls++;
    const { accounts } = slot;
    if (isShared(limit) && (accounts.has(accountId) || accounts.size < MAX_ACCOUNTS))
      accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1);
  }

  /** The nearest first; bounded work, whatever the store holds. */
  async list({ scope, over }: LimitQuery): Promise<LimitInUse[]> {
    const since = this.#now() - HOUR_MS;
    const entries = this.#entries(scope).filter(({ metAt }) => metAt > since);
    const standings = await this.#store.measure(entries.map(({ limit }) => limit));
    return entries
      .flatMap(({ limit, slots }, index) => {
        const standing = standings[index];
        return standing ? [{ limit, standing, refusals: sumOf(slots, since) }] : [];
      })
      .filter(({ standing, refusals }) => refusals.calls > 0 || (shareOf(standing) >= over && standing.remaining < standing.most))
      .toSorted(byNearness)
      .slice(0, MAX_PROBLEMS);
  }

  #entries(scope: Scope | undefined): Entry[] {
    const tables = scope === undefined ? Object.values(this.#tables) : [this.#tables[scope]];
    return tables.flatMap((table) => Object.values(table).flatMap((bySubject) => [...bySubject.values()]));
  }

  #meet(limit: Limit): Entry {
    const table = this.#tables[limit.scope][limit.quantity];
    const entry = table.get(limit.subject) ?? { limit, metAt: 0, slots: [] };
    entry.limit = limit;
    entry.metAt = this.#now();
    // Put at the end: the first is the one that was met longest ago.
    table.delete(limit.subject);
    table.set(limit.subject, entry);
    if (table.size > MAX_REMEMBERED) for (const [oldest] of table) return drop(table, oldest, entry);
    return entry;
  }
}

function drop(table: Map<string, Entry>, oldest: string, entry: Entry): Entry {
  table.delete(oldest);
  return entry;
}

const isShared = ({ scope }: Limit): boolean => scope === 'group' || scope === 'model';
/** The share of an account rejects for the whole limit: its subject is that of the whole, a blank, and the account. */
const wholeOf = ({ isPart: _, ...limit }: Limit): Limit => ({ ...limit, subject: limit.subject.slice(0, limit.subject.lastIndexOf(' ')) });
const shareOf = ({ most, remaining }: Standing): number => 1 - remaining / most;

const byNearness = (one: LimitInUse, other: LimitInUse): number =>
  shareOf(other.standing) - shareOf(one.standing) || other.refusals.calls - one.refusals.calls;

function sumOf(slots: readonly Slot[], since: number): Refusals {
  let calls = 0;
  const accounts = new Map<string, number>();
  for (const slot of slots) {
    if (slot.from + SLOT_MS <= since) continue;
    calls += slot.calls;
    for (const [id, count] of slot.accounts) accounts.set(id, (accounts.get(id) ?? 0) + count);
  }
  const most = [...accounts].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  return { calls, accounts: most.map(([accountId, count]) => ({ accountId, calls: count })) };
}

const uses = new WeakMap<LimitStore, LimitUse>();

/** Returns the usage counts of a store. They include only calls that this process admits. */
export function limitUseOf(store: LimitStore): LimitUse {
  const known = uses.get(store);
  if (known) return known;
  const use = new LimitUse(store);
  uses.set(store, use);
  return use;
}
