/** Caches the current subscription of each account for a second. */
import type { SubscriptionRecord } from './store.ts';

type CurrentSubscription = SubscriptionRecord | undefined;

/** Synchronous for the embedded database, asynchronous for PostgreSQL. */
type ReadSubscription = (accountId: string, at: number) => CurrentSubscription | Promise<CurrentSubscription>;

interface RecentSubscriptions {
  /** Returns a state from the last second, unless this process has changed a subscription since. */
  find(accountId: string, at: number): Promise<CurrentSubscription>;
  /** Drops all entries, because this process has changed a subscription. */
  forget(): void;
}

/** Another process may have changed the subscription, so the store is read again after this time. */
const MAX_AGE_MS = 1_000;

/** About 300 bytes each. */
const MAX_CACHED_ACCOUNTS = 10_000;

interface CachedSubscription {
  readonly record: SubscriptionRecord | undefined;
  readonly at: number;
}

export function openRecentSubscriptions(read: ReadSubscription): RecentSubscriptions {
  let entries = new Map<string, CachedSubscription>();
  return {
    async find(accountId, at) {
      const cachedEntry = entries.get(accountId);
      if (cachedEntry && isFresh(cachedEntry, at)) return cachedEntry.record;
      // A record that was read before a `forget` isn't stored after it.
      const entriesBefore = entries;
      const record = await read(accountId, at);
      if (entriesBefore.size >= MAX_CACHED_ACCOUNTS) entriesBefore.clear();
      entriesBefore.set(accountId, { record, at });
      return record;
    },
    forget() {
      entries = new Map();
    },
  };
}

/** If the clock was set back, an entry would look fresh for too long. */
function isFresh({ record, at: requestedAt }: CachedSubscription, at: number): boolean {
  if (at < requestedAt || at >= requestedAt + MAX_AGE_MS) return false;
  return record === undefined || (isInFuture(record.endsAt, at) && isInFuture(record.cancelledAt, at));
}

const isInFuture = (time: number | null, at: number): boolean => time === null || time > at;
