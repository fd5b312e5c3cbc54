/** Admin API handler for rate limits in use. */

import type { AdminContract } from '../../../contract/admin/index.ts';
import type { LimitInUse, limitRoutes } from '../../../contract/admin/limits.ts';
import { formatKeyName } from '../../access/read-names.ts';
import type { LimitInUse as Found } from '../../limits/limit-use.ts';
import type { Limit } from '../../limits/limiter.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import type { Operations } from './operations.ts';

const DEFAULT_MIN_USAGE = 0.5;

export function createLimitHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof limitRoutes> {
  return {
    async listLimitsInUse({ query: { scope, over = DEFAULT_MIN_USAGE }, ok }) {
      const limitsInUse = operations.limitUse ? await operations.limitUse.list({ scope, over }) : [];
      return ok({ object: 'list', data: await Promise.all(limitsInUse.map((one) => writeLimit(operations, one))) });
    },
  };
}

async function writeLimit(operations: Operations, { limit, standing, refusals }: Found): Promise<LimitInUse> {
  const { scope, subject, quantity, most, mode } = limit;
  const { remaining, resetMs } = standing;
  return {
    object: 'limit_in_use',
    scope,
    subject,
    name: await findSubjectName(operations, limit),
    quantity,
    limit: most,
    mode,
    used: Math.round((1 - remaining / standing.most) * 10_000) / 10_000,
    remaining,
    reset_ms: resetMs,
    rejected_1h: refusals.calls,
    rejected_accounts: await Promise.all(
      refusals.accounts.map(async ({ accountId, calls }) => ({
        account_id: accountId,
        name: (await operations.access.store.findAccount(accountId))?.name ?? null,
        calls,
      })),
    ),
  };
}

/** Looks up the name by ID, at most once per limit in the response. */
async function findSubjectName({ access: { store } }: Operations, { scope, subject }: Limit): Promise<string | null> {
  if (scope === 'key') {
    const key = await store.findKeyById(subject);
    return key === undefined ? null : formatKeyName(key.account.name, key.name);
  }
  return scope === 'account' ? ((await store.findAccount(subject))?.name ?? null) : subject;
}
