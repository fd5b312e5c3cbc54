/** Converts rate limits of keys, accounts, and plans between the admin API and the stores. */
import type { Limits, LimitsInput } from '../../../contract/admin/fields.ts';
import type { LimitSetting, LimitSettings } from '../../access/limit-settings.ts';
import type { LimitValue, LimitValues } from '../../limits/limit-values.ts';

type LimitInput = LimitsInput[keyof LimitsInput];

function readLimit(limit: LimitInput): LimitSetting | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === 'number' ? { limit, mode: 'enforce' } : { limit: limit.limit, mode: limit.mode ?? 'enforce' };
}

export function readLimitSettings(limits: LimitsInput | undefined): LimitSettings {
  return {
    requestsPerMinute: readLimit(limits?.requests_per_minute),
    tokensPerMinute: readLimit(limits?.tokens_per_minute),
    concurrency: readLimit(limits?.concurrency),
  };
}

function writeLimit(limit: LimitValue | null | undefined): LimitSetting | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === 'number' ? { limit, mode: 'enforce' } : { limit: limit.limit, mode: limit.mode };
}

export function writeLimits({ requestsPerMinute, tokensPerMinute, concurrency }: LimitValues): Limits {
  return {
    requests_per_minute: writeLimit(requestsPerMinute),
    tokens_per_minute: writeLimit(tokensPerMinute),
    concurrency: writeLimit(concurrency),
  };
}
