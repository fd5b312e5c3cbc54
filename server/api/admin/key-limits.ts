/** Lists the rate limits that apply to a key or a model, with the state of each. */

import type { ExplainedLimit } from '../../../contract/admin/explanations.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Model } from '../../config/config.ts';
import { addAccountLimits, toLimits } from '../../limits/limit-values.ts';
import type { Limit } from '../../limits/limiter.ts';
import type { Operations } from './operations.ts';

/** The limiter and the configured limits. */
type LimitContext = Pick<Operations, 'config' | 'limits'>;

/** Returns the limits of the key, its account and its group, with their remaining amounts. */
export function explainKeyLimits(operations: LimitContext, key: KeyRecord): Promise<ExplainedLimit[]> {
  const { config } = operations;
  const { account } = key;
  const limitList = toLimits([
    { scope: 'key', id: key.id, own: key.limits, otherwise: config.limits.perKey },
    { scope: 'account', id: account.id, own: account.limits, otherwise: config.limits.perAccount },
    { scope: 'group', id: account.group, own: config.groups[account.group]?.limits ?? {} },
  ]);
  return Promise.all(limitList.map((limit) => explainLimit(operations, limit, account.id)));
}

/** Returns the limits of a model, with the remaining amounts for an account. */
export function explainModelLimits(operations: LimitContext, { id, limits }: Model, accountId: string): Promise<ExplainedLimit[]> {
  const limitList = toLimits([{ scope: 'model', id, own: limits }]);
  return Promise.all(limitList.map((limit) => explainLimit(operations, limit, accountId)));
}

async function explainLimit({ limits }: Pick<LimitContext, 'limits'>, limit: Limit, accountId: string): Promise<ExplainedLimit> {
  const { scope, subject, quantity, most, mode } = limit;
  // Only enforced limits report their windows. An observed limit is counted too, so query it as enforced.
  const enforcedLimit: Limit = { ...limit, mode: 'enforce' };
  const isSharedByAccounts = scope === 'group' || scope === 'model';
  const windows = await limits?.peek(isSharedByAccounts ? addAccountLimits([enforcedLimit], accountId) : [enforcedLimit]);
  const window = quantity === 'concurrency' ? null : (windows?.[quantity] ?? null);
  return { scope, subject, quantity, limit: most, mode, remaining: window?.remaining ?? null, reset_ms: window?.resetMs ?? null };
}
