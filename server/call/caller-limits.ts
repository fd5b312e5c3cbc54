/** Resolves the rate limits of a caller and of a call: the key's, the account's, and the model's. */

import type { Principal } from '../access/principal.ts';
import type { Config, Model } from '../config/config.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { addAccountLimits, toLimits } from '../limits/limit-values.ts';
import type { Limit } from '../limits/limiter.ts';

interface CallerLimits {
  readonly config: Config;
  readonly limits: readonly Limit[];
  /** `limits` plus the limits of a model, by model ID. */
  readonly withModel: Map<string, readonly Limit[]>;
}

/** Caches limits by principal: each request needs them twice, and the authenticator returns the same object for one second. */
const known = new WeakMap<Principal, CallerLimits>();

/** Returns the key, account and group limits, which don't depend on the model. */
export const getCallerLimits = (gateway: Gateway, principal: Principal): readonly Limit[] => resolveCallerLimits(gateway, principal).limits;

/** Returns all limits of a request, including the model's. */
export function getCallLimits(gateway: Gateway, principal: Principal, { id, limits: own }: Model): readonly Limit[] {
  const { limits, withModel } = resolveCallerLimits(gateway, principal);
  const last = withModel.get(id);
  if (last) return last;
  const ofModel = addAccountLimits(toLimits([{ scope: 'model', id, own }]), principal.accountId);
  const all = ofModel.length > 0 ? [...limits, ...ofModel] : limits;
  withModel.set(id, all);
  return all;
}

function resolveCallerLimits({ config }: Gateway, principal: Principal): CallerLimits {
  const last = known.get(principal);
  if (last?.config === config) return last;
  const { keyId, accountId, group, limits: own } = principal;
  const limits = toLimits([
    { scope: 'key', id: keyId, own: own.key, otherwise: config.limits.perKey },
    { scope: 'account', id: accountId, own: own.account, otherwise: config.limits.perAccount },
  ]);
  const ofGroup = toLimits([{ scope: 'group', id: group, own: config.groups[group]?.limits ?? NO_LIMITS }]);
  const found = { config, limits: [...limits, ...addAccountLimits(ofGroup, accountId)], withModel: new Map() };
  known.set(principal, found);
  return found;
}

const NO_LIMITS = {};
