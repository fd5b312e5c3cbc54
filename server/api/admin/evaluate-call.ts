/** Finds the rule that rejects a call, with the same checks in the same order as a real call (docs/lifecycle.md). */

import type { ExplainedLimit, Explanation } from '../../../contract/admin/explanations.ts';
import type { PriceVersion } from '../../../contract/admin/rules.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { findDenial, hasPermission } from '../../access/permissions.ts';
import type { Principal } from '../../access/principal.ts';
import { type KeyRecord, listCaps } from '../../access/store.ts';
import type { Model } from '../../config/config.ts';
import { formatDollars } from '../../money/dollars.ts';
import { describeCap } from '../../money/spending-cap.ts';
import type { DryRun } from './dry-run.ts';
import type { Funds } from './funds.ts';
import { isForKind } from './prices.ts';

interface CallFacts {
  readonly key: KeyRecord | undefined;
  readonly model: Model | undefined;
  readonly operation: string | undefined;
  /** Undefined if the model has no price. */
  readonly price: PriceVersion | undefined;
  /** Null if billing is off, so that calls are free. */
  readonly funds: Funds | null;
  /** Null if calls are free or their hold can't be computed. */
  readonly dryRun: DryRun | null;
  readonly limits: readonly ExplainedLimit[];
  /** Whether the account's group is configured. */
  readonly isGroupKnown: boolean;
  readonly now: number;
}

type AccessDecision = Pick<Explanation, 'rule' | 'reason' | 'code'>;
type AccessRejection = AccessDecision & { readonly rule: NonNullable<Explanation['rule']> };

const createRejection = (rule: AccessRejection['rule'], code: ErrorCode, reason: string): AccessRejection => ({ rule, code, reason });

/** Creates the principal of a stored key, without its address restrictions. */
export function toPrincipalWithoutAddresses(key: KeyRecord): Principal {
  const { id, name, account, permissions, limits } = key;
  const limitSettings = { key: limits, account: account.limits };
  return {
    keyId: id,
    keyName: name,
    accountId: account.id,
    group: account.group,
    permissions,
    addresses: null,
    limits: limitSettings,
    caps: listCaps(key),
  };
}

const callOperations = ['createChatCompletion', 'createResponse', 'generateImages', 'editImages'];
const isImageOperation = (operation: string): boolean => operation.endsWith('Images');

/** Lists the operations that the key can use with the model. */
export function listAllowedOperations(key: KeyRecord, model: Model): string[] {
  const kindOperations = callOperations.filter((operation) => isImageOperation(operation) === (model.kind === 'image'));
  return kindOperations.filter((operation) => hasPermission(toPrincipalWithoutAddresses(key), model, operation));
}

export function evaluateCall(facts: CallFacts): AccessDecision {
  const { key } = facts;
  if (!key) return createRejection('key_unknown', 'invalid_api_key', 'Key not found.');
  const rejection =
    checkKey(key, facts.now) ??
    checkRate(facts, 'key', 'requests') ??
    checkModel(key, facts) ??
    checkFunds(facts) ??
    checkRemainingLimits(facts);
  return rejection ?? { rule: null, code: null, reason: 'Allowed: no rule rejects this call.' };
}

function checkKey({ revokedAt, expiresAt, account }: KeyRecord, now: number): AccessRejection | undefined {
  if (revokedAt !== null) return createRejection('key_revoked', 'invalid_api_key', 'The key is revoked.');
  if (account.suspendedAt !== null)
    return createRejection('account_suspended', 'invalid_api_key', `The account ${account.name} is suspended.`);
  if (expiresAt !== null && now >= expiresAt) return createRejection('key_expired', 'invalid_api_key', 'The key has expired.');
  return undefined;
}

export const denialMessages = {
  operation: "The key can't use this operation.",
  group: "The account's group can't call this model.",
  model: "The key's permissions don't include this model.",
} as const;

const formatUnknownGroup = ({ account: { name, group } }: KeyRecord): string =>
  `The group '${group}' of the account ${name} isn't configured, so the account can't call any model.`;

function checkModel(key: KeyRecord, { model, operation, price, funds, isGroupKnown }: CallFacts): AccessRejection | undefined {
  if (!model) return createRejection('model_unknown', 'model_not_found', "The model isn't configured.");
  const denial = findDenial(toPrincipalWithoutAddresses(key), model, operation);
  if (denial === 'group' && !isGroupKnown) return createRejection('group', 'permission_denied', formatUnknownGroup(key));
  if (denial !== null) return createRejection(denial === 'model' ? 'models' : denial, 'permission_denied', denialMessages[denial]);
  if (!funds || (price && isForKind(price.prices, model.kind))) return undefined;
  // The stored price predates the model's current kind.
  const subject = price ? `Price list '${price.price_list}' has a price per image for this text model` : 'The model has no price';
  return createRejection('no_price', 'permission_denied', `${subject}, so the model can't be called.`);
}

/** Checks the cap, then the subscription, then the balance, like the store. */
function checkFunds({ funds, dryRun }: CallFacts): AccessRejection | undefined {
  if (!funds || dryRun?.result.kind !== 'rejected') return undefined;
  const { result } = dryRun;
  const { available } = result;
  const shortfall = available > 0n ? ` ${formatShortfall(dryRun, available)}` : '';
  switch (result.by) {
    case 'cap':
      return createRejection(
        'spending_cap',
        'insufficient_balance',
        `${describeCap(result.cap)} is ${shortfall ? 'too low.' : 'reached.'}${shortfall}`,
      );
    case 'subscription':
      return createRejection('subscription', 'subscription_inactive', `${formatSubscriptionReason(funds, shortfall !== '')}${shortfall}`);
    case 'balance':
      return createRejection(
        'balance',
        'insufficient_balance',
        `The account's balance is ${shortfall ? 'too low.' : 'used up.'}${shortfall}`,
      );
    case 'duplicate':
      return undefined;
  }
}

function formatSubscriptionReason({ subscription }: Funds, isShort: boolean): string {
  if (subscription?.isOver) return "The subscription has ended, and its plan doesn't charge the balance.";
  return isShort
    ? "The subscription's remaining amount is too low."
    : "The subscription's amount is used up. It resets at the start of the next period.";
}

function formatShortfall({ least, highestLimit }: DryRun, available: bigint): string {
  const message = `Even a short call reserves $${formatDollars(least)}, but only $${formatDollars(available)} is available.`;
  return highestLimit === null ? message : `${message} A call with an output limit of up to ${highestLimit} tokens would be accepted.`;
}

function checkRemainingLimits(facts: CallFacts): AccessRejection | undefined {
  for (const scope of ['key', 'account', 'group', 'model'] as const) {
    const rejection = checkRate(facts, scope, 'tokens') ?? (scope === 'key' ? undefined : checkRate(facts, scope, 'requests'));
    if (rejection) return rejection;
  }
  return undefined;
}

function checkRate({ limits }: CallFacts, scope: ExplainedLimit['scope'], quantity: 'requests' | 'tokens'): AccessRejection | undefined {
  const exhaustedLimit = limits.find(
    (one) => one.scope === scope && one.quantity === quantity && one.mode === 'enforce' && one.remaining === 0,
  );
  if (!exhaustedLimit) return undefined;
  const reason = `The ${scope} has reached its limit of ${exhaustedLimit.limit} ${quantity} per minute.`;
  return quantity === 'requests'
    ? createRejection('request_rate', 'rate_limit_exceeded', reason)
    : createRejection('token_rate', 'token_limit_exceeded', reason);
}
