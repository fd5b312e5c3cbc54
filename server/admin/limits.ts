/** Limits in use, in the operators' API: from the limiter itself, with the names of what they limit. */
import type { LimitInUse, limitRoutes } from '../../contract/admin/limits.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { type LimitInUse as Found, limitUseOf } from '../limits/in-use.ts';
import type { Limit } from '../limits/limiter.ts';
import type { Operations } from './operations.ts';

const STANDARD_OVER = 0.5;

export function limitHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof limitRoutes> {
  return {
    async listLimitsInUse({ query: { scope, over = STANDARD_OVER }, ok }) {
      const found = operations.limits ? await limitUseOf(operations.limits).list({ scope, over }) : [];
      return ok({ object: 'list', data: await Promise.all(found.map((one) => writeLimit(operations, one))) });
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
    name: await nameOf(operations, limit),
    quantity,
    limit: most,
    mode,
    used: Math.round((1 - remaining / standing.most) * 10_000) / 10_000,
    remaining,
    reset_ms: resetMs,
    refused_1h: refusals.calls,
    refused_accounts: await Promise.all(
      refusals.accounts.map(async ({ accountId, calls }) => ({
        account_id: accountId,
        name: (await operations.access.store.findAccount(accountId))?.name ?? null,
        calls,
      })),
    ),
  };
}

/** By id, at most once for each limit of the answer. */
async function nameOf({ access: { store } }: Operations, { scope, subject }: Limit): Promise<string | null> {
  if (scope === 'key') return (await store.findKeyById(subject))?.name ?? null;
  return scope === 'account' ? ((await store.findAccount(subject))?.name ?? null) : subject;
}
