/** Which subscription an account has, remembered for a second: every call asks it, and a read costs as much as half of a commit (promise G3). */
import type { SubscriptionRecord } from '../store.ts';

type Read = (accountId: string, at: number) => SubscriptionRecord | undefined;

export interface RecentSubscriptions {
  /** As it was within the last second, and as nobody here has changed it since. */
  readonly find: Read;
  /** Something was changed here: nothing is remembered. */
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
  const entries = new Map<string, Entry>();
  return {
    find(accountId, at) {
      const known = entries.get(accountId);
      if (known && isFresh(known, at)) return known.record;
      const record = read(accountId, at);
      if (entries.size >= MOST) entries.clear();
      entries.set(accountId, { record, at });
      return record;
    },
    forget: () => entries.clear(),
  };
}

/** A clock that was set back makes an entry look fresh for too long. */
function isFresh({ record, at: askedAt }: Entry, at: number): boolean {
  if (at < askedAt || at >= askedAt + FRESH_MS) return false;
  return record === undefined || (isAhead(record.endsAt, at) && isAhead(record.cancelledAt, at));
}

const isAhead = (time: number | null, at: number): boolean => time === null || time > at;
