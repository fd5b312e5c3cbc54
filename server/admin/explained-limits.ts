/** The limits that apply to a call, with what remains of each. Asking counts nothing. */
import type { ExplainedLimit } from '../../contract/admin/explanations.ts';
import type { KeyRecord } from '../access/store.ts';
import type { Model } from '../config/catalog.ts';
import type { Limit } from '../limits/limiter.ts';
import { limitsOf, withParts } from '../limits/resolve.ts';
import type { Operations } from './operations.ts';

/** Where calls are counted, and by which rules. */
type Counting = Pick<Operations, 'config' | 'limits'>;

/** The limits of the key, its account and its group, each with what remains of it. */
export function explainKeyLimits(operations: Counting, key: KeyRecord): Promise<ExplainedLimit[]> {
  const { config } = operations;
  const { account } = key;
  const met = limitsOf([
    { scope: 'key', id: key.id, own: key.limits, otherwise: config.limits.perKey },
    { scope: 'account', id: account.id, own: account.limits, otherwise: config.limits.perAccount },
    { scope: 'group', id: account.group, own: config.groups[account.group]?.limits ?? {} },
  ]);
  return Promise.all(met.map((limit) => explainLimit(operations, limit, account.id)));
}

/** The limits of a model, each with what remains of it for an account. */
export function explainModelLimits(operations: Counting, { id, limits }: Model, accountId: string): Promise<ExplainedLimit[]> {
  const met = limitsOf([{ scope: 'model', id, own: limits }]);
  return Promise.all(met.map((limit) => explainLimit(operations, limit, accountId)));
}

async function explainLimit({ limits }: Pick<Counting, 'limits'>, limit: Limit, accountId: string): Promise<ExplainedLimit> {
  const { scope, subject, quantity, most, mode } = limit;
  // Only enforced limits report their windows; an observed one is counted too, so ask for it as enforced.
  const counted: Limit = { ...limit, mode: 'enforce' };
  const isOfMany = scope === 'group' || scope === 'model';
  const windows = await limits?.look(isOfMany ? withParts([counted], accountId) : [counted]);
  const window = quantity === 'concurrency' ? null : (windows?.[quantity] ?? null);
  return { scope, subject, quantity, limit: most, mode, remaining: window?.remaining ?? null, reset_ms: window?.resetMs ?? null };
}
