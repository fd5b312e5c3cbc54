/** The storage quota of an account, checked before an upstream is asked for a response that would be stored. */
import { STORE } from '../dialects/responses/continuation.ts';
import { type ErrorOf, GatewayError, storeFailed } from '../errors.ts';
import type { HistoryStore } from './store.ts';

const MIB = 1_048_576;
/** How long a stored total may admit requests without another read; a refusal always reads again. */
const FRESH_MS = 5_000;
/** So many accounts are remembered; then all of them are dropped. */
const MOST_CACHED = 10_000;

interface CachedTotal {
  /** The bytes that were stored at `readAt`, and those admitted since. */
  readonly bytes: number;
  readonly readAt: number;
}

export interface Quota {
  checkQuota(accountId: string, bytes: number): Promise<void>;
}

/** `most`: in bytes; 0: unlimited. An answer that was paid for is stored whatever its size: the next request is refused instead. */
export function openQuota(store: Pick<HistoryStore, 'keptBytes'>, most: () => number): Quota {
  const cached = new Map<string, CachedTotal>();
  const remember = (accountId: string, now: CachedTotal): void => {
    if (cached.size >= MOST_CACHED) cached.clear();
    cached.set(accountId, now);
  };
  return {
    async checkQuota(accountId, bytes) {
      const mostBytes = most();
      if (mostBytes === 0) return;
      const last = cached.get(accountId);
      if (last && performance.now() - last.readAt < FRESH_MS && last.bytes + bytes <= mostBytes)
        return remember(accountId, { ...last, bytes: last.bytes + bytes });
      const readAt = performance.now();
      const kept = await store.keptBytes(accountId).catch(storeFailed);
      if (kept + bytes > mostBytes) throw full(kept, mostBytes);
      remember(accountId, { bytes: kept + bytes, readAt });
    },
  };
}

function full(kept: number, most: number): ErrorOf<'createResponse', 403> {
  const message = `The stored responses of this account take ${inMib(kept)} of ${inMib(most)} MiB, and this one would not fit. Delete some, or send 'store: false'.`;
  return new GatewayError('storage_quota_exceeded', { param: STORE, message });
}

const inMib = (bytes: number): string => (bytes / MIB).toFixed(1);
