/** Enforces the quota of stored responses per account, with a cache of the bytes that each account uses. */

import { GatewayError, type OperationError, throwStoreDown } from '../primitives/errors.ts';
import { STORE_FIELD } from '../protocols/responses/continuation.ts';
import type { HistoryStore } from './store.ts';

const MIB = 1_048_576;

/** How long a cached total can admit requests without another read. A rejection always reads the total again. */
const CACHE_MAX_AGE_MS = 5_000;

/** Maximum number of cached accounts. The cache is cleared when it's full. */
const MAX_CACHED = 10_000;

interface CachedTotal {
  /** The bytes stored at `readAt`, plus the bytes admitted since. */
  readonly bytes: number;
  readonly readAt: number;
}

interface Quota {
  /** `maxBytes`: 0 means unlimited. */
  checkQuota(accountId: string, bytes: number, maxBytes: number): Promise<void>;
}

/** The gateway always stores a paid response, whatever its size, and rejects the next request instead. */
export function openQuota(store: Pick<HistoryStore, 'countStoredBytes'>): Quota {
  const totalsByAccount = new Map<string, CachedTotal>();
  const cacheTotal = (accountId: string, total: CachedTotal): void => {
    if (totalsByAccount.size >= MAX_CACHED) totalsByAccount.clear();
    totalsByAccount.set(accountId, total);
  };
  return {
    async checkQuota(accountId, bytes, maxBytes) {
      if (maxBytes === 0) return;
      const cachedTotal = totalsByAccount.get(accountId);
      if (cachedTotal && performance.now() - cachedTotal.readAt < CACHE_MAX_AGE_MS && cachedTotal.bytes + bytes <= maxBytes)
        return cacheTotal(accountId, { ...cachedTotal, bytes: cachedTotal.bytes + bytes });
      const readAt = performance.now();
      const storedBytes = await store.countStoredBytes(accountId).catch(throwStoreDown);
      if (storedBytes + bytes > maxBytes) throw createQuotaError(storedBytes, maxBytes);
      cacheTotal(accountId, { bytes: storedBytes + bytes, readAt });
    },
  };
}

function createQuotaError(storedBytes: number, maxBytes: number): OperationError<'createResponse', 403> {
  const message = `This account's stored responses use ${formatMiB(storedBytes)} of ${formatMiB(maxBytes)} MiB, and this response doesn't fit. Delete some or send 'store: false'.`;
  return new GatewayError('storage_quota_exceeded', { param: STORE_FIELD, message });
}

const formatMiB = (bytes: number): string => (bytes / MIB).toFixed(1);
