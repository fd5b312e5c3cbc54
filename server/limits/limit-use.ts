/** Tracks the limits of calls in this process: the usage of each, and the calls it rejected in the last hour. */
import type { Limit, Limiter, LimitStatus, Quantity, Scope } from './limiter.ts';

/** A limit, its remaining amount, and its rejections. In observe mode, the requests it would have rejected. */
export interface LimitInUse {
  readonly limit: Limit;
  readonly standing: LimitStatus;
  readonly refusals: Rejections;
}
export interface Rejections {
  readonly calls: number;
  /** For a shared limit: the accounts with the most rejected calls, in descending order. */
  readonly accounts: readonly { readonly accountId: string; readonly calls: number }[];
}

interface LimitQuery {
  readonly scope?: Scope | undefined;
  /** From 0 to 1. Omits limits with a lower usage, unless they rejected calls. */
  readonly over: number;
}

/** The number of limits to keep per scope and quantity. The limits that were used longest ago are dropped first. */
const MAX_LIMIT_ENTRIES = 1_000;
/** The maximum number of limits in a response. */
const MAX_RESULTS = 100;
const SLOT_MS = 300_000;
const HOUR_MS = 3_600_000;
/** The number of accounts of a shared limit that are counted separately in a slot. */
const MAX_ACCOUNTS = 50;

interface RejectionSlot {
  readonly from: number;
  calls: number;
  readonly accounts: Map<string, number>;
}
interface LimitEntry {
  limit: Limit;
  metAt: number;
  /** Counts of the last hour, oldest first. */
  slots: RejectionSlot[];
}

const createTable = (): Record<Quantity, Map<string, LimitEntry>> => ({ requests: new Map(), tokens: new Map(), concurrency: new Map() });

export class LimitUse {
  readonly #limiter: Limiter;
  readonly #now: () => number;
  readonly #tables: Record<Scope, Record<Quantity, Map<string, LimitEntry>>> = {
    key: createTable(),
    account: createTable(),
    group: createTable(),
    model: createTable(),
  };
  /** A caller's list of limits is the same object for about a second. Recorded once, it costs each further call one lookup. */
  readonly #recordedLists = new WeakSet<readonly Limit[]>();

  constructor(limiter: Limiter, now: () => number = Date.now) {
    this.#limiter = limiter;
    this.#now = now;
  }

  /** Records the limits that apply to a call. */
  record(limits: readonly Limit[]): void {
    if (this.#recordedLists.has(limits)) return;
    this.#recordedLists.add(limits);
    for (const limit of limits) if (limit.isPart !== true) this.#getEntry(limit);
  }

  /** Records that the limit rejected a call of the account, or would have if it were enforced. */
  recordRejection(limit: Limit, accountId: string): void {
    const entry = this.#getEntry(limit.isPart === true ? toWholeLimit(limit) : limit);
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

  /** Lists the limits by usage, highest first. The amount of work is bounded, regardless of the store's size. */
  async list({ scope, over: minUsedShare }: LimitQuery): Promise<LimitInUse[]> {
    const since = this.#now() - HOUR_MS;
    const entries = this.#listEntries(scope).filter(({ metAt }) => metAt > since);
    const statuses = await this.#limiter.getStatuses(entries.map(({ limit }) => limit));
    return entries
      .flatMap(({ limit, slots }, index) => {
        const status = statuses[index];
        return status ? [{ limit, standing: status, refusals: sumRejections(slots, since) }] : [];
      })
      .filter(
        ({ standing, refusals }) => refusals.calls > 0 || (getUsedShare(standing) >= minUsedShare && standing.remaining < standing.most),
      )
      .toSorted(compareByUsage)
      .slice(0, MAX_RESULTS);
  }

  #listEntries(scope: Scope | undefined): LimitEntry[] {
    const tables = scope === undefined ? Object.values(this.#tables) : [this.#tables[scope]];
    return tables.flatMap((table) => Object.values(table).flatMap((bySubject) => [...bySubject.values()]));
  }

  #getEntry(limit: Limit): LimitEntry {
    const table = this.#tables[limit.scope][limit.quantity];
    const entry = table.get(limit.subject) ?? { limit, metAt: 0, slots: [] };
    entry.limit = limit;
    entry.metAt = this.#now();
    // Moves the entry to the end, so that the first entry is the one used longest ago.
    table.delete(limit.subject);
    table.set(limit.subject, entry);
    if (table.size > MAX_LIMIT_ENTRIES) for (const [oldest] of table) return deleteEntry(table, oldest, entry);
    return entry;
  }
}

function deleteEntry(table: Map<string, LimitEntry>, oldest: string, entry: LimitEntry): LimitEntry {
  table.delete(oldest);
  return entry;
}

const isShared = ({ scope }: Limit): boolean => scope === 'group' || scope === 'model';
/** Converts an account's part to the shared limit it rejects for. The part's subject is the shared subject, a space, and the account. */
const toWholeLimit = ({ isPart: _, ...limit }: Limit): Limit => ({
  ...limit,
  subject: limit.subject.slice(0, limit.subject.lastIndexOf(' ')),
});
const getUsedShare = ({ most, remaining }: LimitStatus): number => 1 - remaining / most;

const compareByUsage = (one: LimitInUse, other: LimitInUse): number =>
  getUsedShare(other.standing) - getUsedShare(one.standing) || other.refusals.calls - one.refusals.calls;

function sumRejections(slots: readonly RejectionSlot[], since: number): Rejections {
  let calls = 0;
  const accounts = new Map<string, number>();
  for (const slot of slots) {
    if (slot.from + SLOT_MS <= since) continue;
    calls += slot.calls;
    for (const [id, count] of slot.accounts) accounts.set(id, (accounts.get(id) ?? 0) + count);
  }
  const topAccounts = [...accounts].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  return { calls, accounts: topAccounts.map(([accountId, count]) => ({ accountId, calls: count })) };
}
