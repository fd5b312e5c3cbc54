/** Which rule rejects a call, and why: the same checks in the same order as for a real call (docs/lifecycle.md). */
import type { ExplainedLimit, Explanation } from '../../contract/admin/explanations.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { LimitInUse, limitRoutes } from '../../contract/admin/limits.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { denialOf, mayCall } from '../access/permissions.ts';
import type { KeyRecord, Principal } from '../access/store.ts';
import type { Model } from '../config/config.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/charge.ts';
import { type LimitInUse as Found, limitUseOf } from '../limits/in-use.ts';
import type { Limit } from '../limits/limiter.ts';
import { isForKind } from './configuration.ts';
import type { DryRun, Funds } from './explanations.ts';
import type { Operations } from './operations.ts';

interface Facts {
  readonly key: KeyRecord | undefined;
  readonly model: Model | undefined;
  readonly operation: string | undefined;
  /** Undefined where there is none. */
  readonly price: PriceVersion | undefined;
  /** Null when billing is off: then nothing costs. */
  readonly funds: Funds | null;
  /** Null when calls are free, or their hold cannot be computed. */
  readonly dryRun: DryRun | null;
  readonly limits: readonly ExplainedLimit[];
  /** Whether the configuration has the group of the account. */
  readonly isGroupKnown: boolean;
  readonly now: number;
}

type Verdict = Pick<Explanation, 'rule' | 'reason' | 'code'>;
type Refusal = Verdict & { readonly rule: NonNullable<Explanation['rule']> };

const refuse = (rule: Refusal['rule'], code: ErrorCode, reason: string): Refusal => ({ rule, code, reason });

/** The principal of a stored key; the caller's address is not checked. */
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

const callOperations = ['createChatCompletion', 'createResponse', 'generateImages', 'editImages'];
const isForImages = (operation: string): boolean => operation.endsWith('Images');

/** The operations by which the key may call the model. */
export function operationsOf(key: KeyRecord, model: Model): string[] {
  const fitting = callOperations.filter((operation) => isForImages(operation) === (model.kind === 'image'));
  return fitting.filter((operation) => mayCall(principalOf(key), model, operation));
}

export function judge(facts: Facts): Verdict {
  const { key } = facts;
  if (!key) return refuse('key_unknown', 'invalid_api_key', 'Key not found.');
  const refusal =
    byKey(key, facts.now) ?? byRate(facts, 'key', 'requests') ?? byModel(key, facts) ?? byMoney(facts) ?? byInnerLimits(facts);
  return refusal ?? { rule: null, code: null, reason: 'Allowed: no rule rejects this call.' };
}

function byKey({ revokedAt, expiresAt, account }: KeyRecord, now: number): Refusal | undefined {
  if (revokedAt !== null) return refuse('key_revoked', 'invalid_api_key', 'The key is revoked.');
  if (account.suspendedAt !== null) return refuse('account_suspended', 'invalid_api_key', `The account ${account.name} is suspended.`);
  if (expiresAt !== null && now >= expiresAt) return refuse('key_expired', 'invalid_api_key', 'The key has expired.');
  return undefined;
}

export const denials = {
  operation: "The key can't use this operation.",
  group: "The account's group can't call this model.",
  model: "The key's permissions don't include this model.",
} as const;

const lostGroup = ({ account: { name, group } }: KeyRecord): string =>
  `The group '${group}' of the account ${name} isn't configured, so the account can't call any model.`;

function byModel(key: KeyRecord, { model, operation, price, funds, isGroupKnown }: Facts): Refusal | undefined {
  if (!model) return refuse('model_unknown', 'model_not_found', "The model isn't configured.");
  const denial = denialOf(principalOf(key), model, operation);
  if (denial === 'group' && !isGroupKnown) return refuse('group', 'permission_denied', lostGroup(key));
  if (denial !== null) return refuse(denial === 'model' ? 'models' : denial, 'permission_denied', denials[denial]);
  if (!funds || (price && isForKind(price.prices, model.kind))) return undefined;
  // The price list is older than the model's current kind.
  const unit = model.kind === 'image' ? 'per token for this image model' : 'per image for this text model';
  const what = price ? `Price list '${price.price_list}' has a price ${unit}` : 'The model has no price';
  return refuse('no_price', 'permission_denied', `${what}, so the model can't be called.`);
}

/** The cap first, then the subscription, then the balance, as the store checks them. */
function byMoney({ funds, dryRun }: Facts): Refusal | undefined {
  if (!funds || dryRun?.result.kind !== 'rejected') return undefined;
  const { by, available } = dryRun.result;
  const short = available > 0n ? ` ${shortOf(dryRun, available)}` : '';
  switch (by) {
    case 'cap':
      return refuse(
        'spending_cap',
        'insufficient_balance',
        `The key's ${short ? 'remaining spending cap is too low.' : 'spending cap is reached.'}${short}`,
      );
    case 'subscription':
      return refuse('subscription', 'subscription_inactive', `${subscriptionReason(funds, short !== '')}${short}`);
    case 'balance':
      return refuse('balance', 'insufficient_balance', `The account's balance is ${short ? 'too low.' : 'used up.'}${short}`);
    case 'duplicate':
      return undefined;
  }
}

function subscriptionReason({ subscription: ruling }: Funds, isShort: boolean): string {
  if (ruling?.isOver) return "The subscription has ended, and its plan doesn't charge the balance.";
  return isShort
    ? "The subscription's remaining amount is too low."
    : "The subscription's amount is used up. It resets at the start of the next period.";
}

function shortOf({ least, highestLimit }: DryRun, available: bigint): string {
  const reserved = `Even a short call reserves $${formatDollars(least)}, but only $${formatDollars(available)} is available.`;
  return highestLimit === null ? reserved : `${reserved} A call with an output limit of up to ${highestLimit} tokens would be accepted.`;
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
  const reason = `The ${scope} has reached its limit of ${full.limit} ${quantity} per minute.`;
  return quantity === 'requests'
    ? refuse('request_rate', 'rate_limit_exceeded', reason)
    : refuse('token_rate', 'token_limit_exceeded', reason);
}

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

/** By id, at most once for each limit of the answer. */
async function nameOf({ access: { store } }: Operations, { scope, subject }: Limit): Promise<string | null> {
  if (scope === 'key') return (await store.findKeyById(subject))?.name ?? null;
  return scope === 'account' ? ((await store.findAccount(subject))?.name ?? null) : subject;
}
