/** The limits of a caller: those of its key, account and group, and for a request also those of its model. Worked out once a principal. */
import type { Principal } from '../access/principal.ts';
import type { Model } from '../config/catalog.ts';
import type { Config } from '../config/config.ts';
import type { Gateway } from '../gateway.ts';
import type { Limit } from '../limits/limiter.ts';
import { limitsOf, withParts } from '../limits/resolve.ts';

interface CallerLimits {
  readonly config: Config;
  readonly limits: readonly Limit[];
  /** The same limits and those of a model, by the model's id. */
  readonly withModel: Map<string, readonly Limit[]>;
}

/** Limits by principal: each request needs them twice, and the authenticator returns the same object for a second. */
const known = new WeakMap<Principal, CallerLimits>();

/** The limits that are known before the model is. */
export const callerLimits = (gateway: Gateway, principal: Principal): readonly Limit[] => limitsOfCaller(gateway, principal).limits;

/** The limits of a request. */
export function limitsForCall(gateway: Gateway, principal: Principal, { id, limits: own }: Model): readonly Limit[] {
  const { limits, withModel } = limitsOfCaller(gateway, principal);
  const last = withModel.get(id);
  if (last) return last;
  const ofModel = withParts(limitsOf([{ scope: 'model', id, own }]), principal.accountId);
  const all = ofModel.length > 0 ? [...limits, ...ofModel] : limits;
  withModel.set(id, all);
  return all;
}

function limitsOfCaller({ config }: Gateway, principal: Principal): CallerLimits {
  const last = known.get(principal);
  if (last?.config === config) return last;
  const { keyId, accountId, group, limits: own } = principal;
  const limits = limitsOf([
    { scope: 'key', id: keyId, own: own.key, otherwise: config.limits.perKey },
    { scope: 'account', id: accountId, own: own.account, otherwise: config.limits.perAccount },
  ]);
  const ofGroup = limitsOf([{ scope: 'group', id: group, own: config.groups[group]?.limits ?? NO_LIMITS }]);
  const found = { config, limits: [...limits, ...withParts(ofGroup, accountId)], withModel: new Map() };
  known.set(principal, found);
  return found;
}
const NO_LIMITS = {};
