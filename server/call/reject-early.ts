/** Rejects a request before its large body is read, if it must fail whatever the body contains (docs/decisions/0006). */
import { assertCanUseOperation, hasPermission } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import type { Limit } from '../limits/limiter.ts';
import { formatDollars, parseMultiplier } from '../money/dollars.ts';
import type { Money } from '../money/money.ts';
import { STANDARD_PRICE_LIST } from '../money/price-book.ts';
import { canBeFree } from '../money/prices.ts';
import {
  type CallName,
  createStoreDownError,
  formatRetryHint,
  GatewayError,
  type OperationError,
  toGatewayError,
} from '../primitives/errors.ts';
import { withStoreTimeout } from '../store/errors.ts';
import { createRateLimitError } from './admission.ts';
import { getCallerLimits } from './caller-limits.ts';
import type { RequestContext } from './context.ts';

export interface EarlyCheck {
  readonly call: RequestContext & { readonly principal: Principal };
  readonly operation: string;
  readonly bodyMemory: BodyMemory;
}

/**
 * Returns a function that creates the error of a request that must fail, or null if that depends on the body. Checks permission, money and concurrency, in
 * the pipeline's order.
 */
export async function rejectEarly(gateway: Gateway, { call, operation, bodyMemory }: EarlyCheck): Promise<(() => GatewayError) | null> {
  const { principal } = call;
  try {
    assertCanUseOperation(principal, operation);
    await requireFunds(gateway, { call, operation, bodyMemory });
    const limit = findFullLimit(gateway, principal, bodyMemory);
    if (limit === null) return null;
    return () => {
      gateway.limitUse.recordRejection(limit, principal.accountId);
      return createRateLimitError(call, { limit, retryAfterMs: SLOT_RETRY_MS });
    };
  } catch (thrown) {
    return () => toGatewayError(thrown);
  }
}

/** Balance lookups by principal. A success is reused while the principal is cached (one second). A failure isn't, but concurrent requests share a lookup. */
const hasMoney = new WeakMap<Principal, Promise<GatewayError | null>>();

/** Throws 403 if the account can't pay for any request: it has no money, and no model it can call is free. */
async function requireFunds({ money, catalog, config }: Gateway, { call, operation, bodyMemory }: EarlyCheck): Promise<void> {
  const { principal } = call;
  if (!money) return;
  if (parseMultiplier(config.groups[principal.group]?.multiplier ?? '1') === 0) return;
  let looking = hasMoney.get(principal);
  if (!looking) {
    looking = checkBalance(money, principal);
    hasMoney.set(principal, looking);
    void looking.then((firstError) => firstError && hasMoney.delete(principal));
  }
  const firstError = await looking;
  if (firstError === null) return;
  const mayBeFree = catalog.list().some((model) => {
    const price = hasPermission(principal, model, operation) && money.prices.find(STANDARD_PRICE_LIST, model.id);
    return price && canBeFree(price.prices);
  });
  if (mayBeFree) return;
  // A stored response costs nothing, and only the complete body shows whether the idempotency key matches it.
  if (call.header('idempotency-key') === undefined) throw firstError;
  if (bodyMemory.getReadingCount(principal.keyId) > 1) throw createOneAtATimeError();
}

const createOneAtATimeError = (): OperationError<CallName, 429> =>
  new GatewayError('concurrency_limit_exceeded', {
    message: `The account has no balance. Only one large request with an idempotency key is processed at a time. ${formatRetryHint(1)}`,
    headers: { 'retry-after': '1' },
  });

/** Checks the balance including held money: held money may be released before the body arrives, but spent money is gone. */
async function checkBalance({ ledger, now, waitMs }: Money, { accountId }: Principal): Promise<OperationError<CallName, 403 | 503> | null> {
  try {
    const account = await withStoreTimeout(ledger.getBalance(accountId), waitMs);
    if (account && account.balance > 0n) return null;
    if (await withStoreTimeout(ledger.findActiveSubscription(accountId, now()), waitMs)) return null;
    const balance = formatDollars(account?.balance ?? 0n);
    return new GatewayError('insufficient_balance', {
      message: `The account's balance is too low: $${balance}. Top up the account or request less output.`,
    });
  } catch (cause) {
    return createStoreDownError(cause);
  }
}

/** A slot frees up when a request ends, which can't be predicted. */
const SLOT_RETRY_MS = 1_000;

/** Returns the concurrency limit that is full, if any. Requests still sending their body count against the key's limit, within this process. */
function findFullLimit(gateway: Gateway, principal: Principal, bodyMemory: BodyMemory): Limit | null {
  const limits = getCallerLimits(gateway, principal);
  const reading = bodyMemory.getReadingCount(principal.keyId);
  const ofKey = limits.find(({ scope, quantity, mode }) => scope === 'key' && quantity === 'concurrency' && mode === 'enforce');
  return ofKey && reading > ofKey.most ? ofKey : (gateway.limits.findFull?.(limits) ?? null);
}
