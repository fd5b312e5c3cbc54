/** Which rule says no to a call, and why: the same checks in the same order as a call meets them (product: order of checks). */
import type { ExplainedLimit, Explanation } from '../../contract/admin/explanations.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { denialOf } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { KeyRecord } from '../access/store.ts';
import type { Model } from '../catalog.ts';
import type { Funds } from './funds.ts';
import { isForKind } from './prices.ts';

export interface Facts {
  readonly key: KeyRecord | undefined;
  readonly model: Model | undefined;
  readonly operation: string | undefined;
  /** Undefined where there is none. */
  readonly price: PriceVersion | undefined;
  /** Null where billing is off: then nothing costs. */
  readonly funds: Funds | null;
  readonly limits: readonly ExplainedLimit[];
  /** Whether the configuration has the group of the account. */
  readonly isGroupKnown: boolean;
  readonly now: number;
}

export type Verdict = Pick<Explanation, 'rule' | 'reason' | 'code'>;
type Refusal = Verdict & { readonly rule: NonNullable<Explanation['rule']> };

const refuse = (rule: Refusal['rule'], code: ErrorCode, reason: string): Refusal => ({ rule, code, reason });

/** Of a kept key; its hold on a connection is not looked at. */
export function principalOf({ id, name, account, permissions, limits, cap, capOwner }: KeyRecord): Principal {
  const own = { key: limits, account: account.limits };
  return {
    keyId: id,
    keyName: name,
    accountId: account.id,
    group: account.group,
    permissions,
    addresses: null,
    limits: own,
    cap,
    capOwner,
  };
}

export function judge(facts: Facts): Verdict {
  const { key } = facts;
  if (!key) return refuse('key_unknown', 'invalid_api_key', 'There is no such key.');
  const refusal =
    byKey(key, facts.now) ?? byRate(facts, 'key', 'requests') ?? byModel(key, facts) ?? byMoney(facts) ?? byInnerLimits(facts);
  return refusal ?? { rule: null, code: null, reason: 'Nothing is against it.' };
}

function byKey({ revokedAt, expiresAt, account }: KeyRecord, now: number): Refusal | undefined {
  if (revokedAt !== null) return refuse('key_revoked', 'invalid_api_key', 'The key is revoked.');
  if (account.suspendedAt !== null) return refuse('account_suspended', 'invalid_api_key', `The account ${account.name} is suspended.`);
  if (expiresAt !== null && now >= expiresAt) return refuse('key_expired', 'invalid_api_key', 'The key has expired.');
  return undefined;
}

const denials = {
  operation: 'The key may not use this operation.',
  group: 'The group of its account may not call this model.',
  model: 'The permissions of the key do not name this model.',
} as const;

const lostGroup = ({ account: { name, group } }: KeyRecord): string =>
  `The group '${group}' of the account ${name} is not in the configuration, so the account may call nothing.`;

function byModel(key: KeyRecord, { model, operation, price, funds, isGroupKnown }: Facts): Refusal | undefined {
  if (!model) return refuse('model_unknown', 'model_not_found', 'No model of the configuration has this id.');
  const denial = denialOf(principalOf(key), model, operation);
  if (denial === 'group' && !isGroupKnown) return refuse('group', 'permission_denied', lostGroup(key));
  if (denial !== null) return refuse(denial === 'model' ? 'models' : denial, 'permission_denied', denials[denial]);
  if (!funds || (price && isForKind(price.prices, model.kind))) return undefined;
  // Of a list that was sold when the model was of another kind.
  const what = price ? `The price of the model in the list '${price.price_list}' is of another kind` : 'The model has no price';
  return refuse('no_price', 'permission_denied', `${what}, so it cannot be called.`);
}

/** The least that a call can cost. */
const least = (price: PriceVersion | undefined): bigint => (price?.prices === 'free' ? 0n : 1n);

/** The cap first, then the subscription, then the balance. */
function byMoney({ funds, price }: Facts): Refusal | undefined {
  if (!funds) return undefined;
  const { capLeft, ruling, balance } = funds;
  const amount = least(price);
  if (capLeft !== null && amount > capLeft)
    return refuse('spending_cap', 'insufficient_balance', 'The spending cap of the key is used up.');
  if (ruling && !ruling.isOver && amount <= ruling.left) return undefined;
  if (ruling?.record.onExhaustion === 'stop') {
    const reason = ruling.isOver ? 'The subscription is over, and stops there.' : 'The subscription is used up until its next period.';
    return refuse('subscription', 'subscription_inactive', reason);
  }
  const free = balance.balance - balance.held;
  return amount > free ? refuse('balance', 'insufficient_balance', 'The balance of the account is used up.') : undefined;
}

function byInnerLimits(facts: Facts): Refusal | undefined {
  for (const scope of ['key', 'account', 'group', 'model'] as const) {
    const refusal = byRate(facts, scope, 'tokens') ?? (scope === 'key' ? undefined : byRate(facts, scope, 'requests'));
    if (refusal) return refusal;
  }
  return undefined;
}

function byRate({ limits }: Facts, scope: ExplainedLimit['scope'], quantity: 'requests' | 'tokens'): Refusal | undefined {
  const full = limits.find((one) => one.scope === scope && one.quantity === quantity && one.mode === 'enforce' && one.remaining === 0);
  if (!full) return undefined;
  const reason = `The limit of the ${scope}, ${full.limit} ${quantity} a minute, is used up for now.`;
  return quantity === 'requests'
    ? refuse('request_rate', 'rate_limit_exceeded', reason)
    : refuse('token_rate', 'token_limit_exceeded', reason);
}
