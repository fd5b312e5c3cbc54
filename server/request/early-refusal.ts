/** Rejects a request before its large body is read, when it must fail whatever the body says (docs/decisions/0006). */
import { mayCall, permitOperation } from '../access/permissions.ts';
import type { Principal } from '../access/store.ts';
import type { Money } from '../billing/recovery.ts';
import { asGatewayError, type CallName, type ErrorOf, GatewayError, storeDown, tryAgainIn } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { canBeFree, formatDollars, parseMultiplier } from '../ledger/charge.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import { limitUseOf } from '../limits/in-use.ts';
import type { Limit } from '../limits/limiter.ts';
import { within } from '../storage/errors.ts';
import { callerLimits, tooMuch } from './admission.ts';
import type { RequestContext } from './context.ts';

export interface Foreseen {
  readonly call: RequestContext & { readonly principal: Principal };
  readonly operation: string;
  readonly bodyMemory: BodyMemory;
}

/** Makes the refusal of a request that must fail; null if that depends on its body. Checks permission, money and concurrency, in the pipeline's order. */
export async function rejectEarly(gateway: Gateway, { call, operation, bodyMemory }: Foreseen): Promise<(() => GatewayError) | null> {
  const { principal } = call;
  try {
    permitOperation(principal, operation);
    await requireFunds(gateway, { call, operation, bodyMemory });
    const limit = fullLimit(gateway, principal, bodyMemory);
    if (limit === null) return null;
    return () => {
      limitUseOf(gateway.limits).rejected(limit, principal.accountId);
      return tooMuch(call, { limit, retryAfterMs: SLOT_RETRY_MS });
    };
  } catch (thrown) {
    return () => asGatewayError(thrown);
  }
}

/** Balance look-ups by principal. The result is reused as long as the principal is cached (a second); a refusal isn't, but simultaneous requests share a look-up. */
const hasMoney = new WeakMap<Principal, Promise<GatewayError | null>>();

/** Throws 403 when the account can't pay for any request: it has no money, and no model that it may call is free. */
async function requireFunds({ money, catalog, config }: Gateway, { call, operation, bodyMemory }: Foreseen): Promise<void> {
  const { principal } = call;
  if (!money) return;
  if (parseMultiplier(config.groups[principal.group]?.multiplier ?? '1') === 0) return;
  let looking = hasMoney.get(principal);
  if (!looking) {
    looking = checkBalance(money, principal);
    hasMoney.set(principal, looking);
    void looking.then((refusal) => refusal && hasMoney.delete(principal));
  }
  const refusal = await looking;
  if (refusal === null) return;
  const mayBeFree = catalog.list().some((model) => {
    const price = mayCall(principal, model, operation) && money.prices.find(STANDARD, model.id);
    return price && canBeFree(price.prices);
  });
  if (mayBeFree) return;
  // A kept response costs nothing; only the whole body shows whether this request is the one that it answers.
  if (call.header('idempotency-key') === undefined) throw refusal;
  if (bodyMemory.readingOf(principal.keyId) > 1) throw oneAtATime();
}

const oneAtATime = (): ErrorOf<CallName, 429> =>
  new GatewayError('concurrency_limit_exceeded', {
    message: `The account has no balance. Only one large request with an idempotency key is processed at a time. ${tryAgainIn(1)}`,
    headers: { 'retry-after': '1' },
  });

/** Looks at the balance with its held part: held money may be released before the body has arrived, spent money is gone. */
async function checkBalance({ ledger, now, waitMs }: Money, { accountId }: Principal): Promise<ErrorOf<CallName, 403 | 503> | null> {
  try {
    const account = await within(ledger.balance(accountId), waitMs);
    if (account && account.balance > 0n) return null;
    if (await within(ledger.activeSubscription(accountId, now()), waitMs)) return null;
    const balance = formatDollars(account?.balance ?? 0n);
    return new GatewayError('insufficient_balance', {
      message: `The account's balance is too low: $${balance}. Top up the account or request less output.`,
    });
  } catch (cause) {
    return storeDown(cause);
  }
}

/** A slot is free when a request ends, which can't be predicted. */
const SLOT_RETRY_MS = 1_000;

/** The concurrency limit that is full, if any. Counts requests whose bodies are being read against the key's limit, as far as this process sees them. */
function fullLimit(gateway: Gateway, principal: Principal, bodyMemory: BodyMemory): Limit | null {
  const limits = callerLimits(gateway, principal);
  const reading = bodyMemory.readingOf(principal.keyId);
  const ofKey = limits.find(({ scope, quantity, mode }) => scope === 'key' && quantity === 'concurrency' && mode === 'enforce');
  return ofKey && reading > ofKey.most ? ofKey : (gateway.limits.findFull?.(limits) ?? null);
}
