/** Which subscription an account has, remembered for a second: every call asks it, and a read costs as much as half of a commit (promise G3). */
import type { SubscriptionRecord } from './store.ts';

type Read = (accountId: string, at: number) => SubscriptionRecord | undefined;

export interface RecentSubscriptions {
  /** As it was within the last second, and as nobody here has changed it since. */
  readonly find: Read;
  /** The same from a store that takes its time. */
  readonly ask: (
    accountId: string,
    at: number,
    read: () => Promise<SubscriptionRecord | undefined>,
  ) => Promise<SubscriptionRecord | undefined>;
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
  let entries = new Map<string, Entry>();
  const keep = (kept: Map<string, Entry>, accountId: string, entry: Entry): void => {
    if (kept.size >= MOST) kept.clear();
    kept.set(accountId, entry);
  };
  return {
    find(accountId, at) {
      const known = entries.get(accountId);
      if (known && isFresh(known, at)) return known.record;
      const record = read(accountId, at);
      keep(entries, accountId, { record, at });
      return record;
    },
    async ask(accountId, at, readLater) {
      const known = entries.get(accountId);
      if (known && isFresh(known, at)) return known.record;
      // What is forgotten in the meantime stays forgotten.
      const before = entries;
      const record = await readLater();
      keep(before, accountId, { record, at });
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
