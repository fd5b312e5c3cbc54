/** Which subscription an account has, remembered for a second: every call asks it, which is one more statement on PostgreSQL, and on SQLite a read that a lock can hold up (promise G3). */
import type { SubscriptionRecord } from './store.ts';

type Found = SubscriptionRecord | undefined;
/** Of the embedded database at once, of another later. */
type Read = (accountId: string, at: number) => Found | Promise<Found>;

export interface RecentSubscriptions {
  /** The state within the last second, if this process has not changed it since. */
  find(accountId: string, at: number): Promise<Found>;
  /** Drops all entries, because this process has changed a subscription. */
  forget(): void;
}

/** Another process may have changed it: after this time the store is asked again. */
const FRESH_MS = 1_000;
/** Some 300 bytes each. */
const MOST = 10_000;

interface Entry {
  readonly record: SubscriptionRecord | undefined;
  readonly at: number;
}

export function openRecentSubscriptions(read: Read): RecentSubscriptions {
  let entries = new Map<string, Entry>();
  return {
    async find(accountId, at) {
      const known = entries.get(accountId);
      if (known && isFresh(known, at)) return known.record;
      // A record that was read before a `forget` is not stored after it.
      const before = entries;
      const record = await read(accountId, at);
      if (before.size >= MOST) before.clear();
      before.set(accountId, { record, at });
      return record;
    },
    forget() {
      entries = new Map();
    },
  };
}

/** A clock that was set back makes an entry look fresh for too long. */
function isFresh({ record, at: askedAt }: Entry, at: number): boolean {
  if (at < askedAt || at >= askedAt + FRESH_MS) return false;
  return record === undefined || (isAhead(record.endsAt, at) && isAhead(record.cancelledAt, at));
}

const isAhead = (time: number | null, at: number): boolean => time === null || time > at;
