/** What a call will be refused with however its body looks, told before that body is read: for bodies that are large, or may be (decision 28). */
import type { IncomingHttpHeaders } from 'node:http';
import { mayCall, permitOperation } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { Money } from '../billing/billing.ts';
import { asGatewayError, type CallName, type ErrorOf, GatewayError, storeDown } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { canBeFree } from '../ledger/charge.ts';
import { formatDollars, parseMultiplier } from '../ledger/money.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import type { Limit } from '../limits/limiter.ts';
import { within } from '../storage/store-timeout.ts';
import { callerLimits, tooMuch } from './admission.ts';
import type { RequestContext } from './context.ts';

/** In bytes, unpacked: a body up to here is read whoever sends it, so that its mistakes are told in the order that is promised. */
export const SMALL_BODY = 64 * 1024;
/** The same of the bytes of a packed one: there may be a thousand times as many in it. */
export const SMALL_PACKED = 8 * 1024;

/** Whether a body is over that, or nobody can know. */
export function mayBeLarge(headers: IncomingHttpHeaders): boolean {
  const isPlain = (headers['content-encoding'] ?? 'identity').trim().toLowerCase() === 'identity';
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > (isPlain ? SMALL_BODY : 0);
}

export interface Foreseen {
  readonly call: RequestContext & { readonly principal: Principal };
  readonly operation: string;
  readonly room: BodyMemory;
}

/** Null where the body has to tell. In the order in which the pipeline would refuse: permission, money, calls at once. */
export async function foresee(gateway: Gateway, { call, operation, room }: Foreseen): Promise<(() => GatewayError) | null> {
  const { principal } = call;
  try {
    permitOperation(principal, operation);
    await payForIt(gateway, { call, operation, room });
    const limit = fullLimit(gateway, principal, room);
    return limit && (() => tooMuch(call, { limit, retryAfterMs: SLOT_RETRY_MS }));
  } catch (thrown) {
    return () => asGatewayError(thrown);
  }
}

/** Of a key without money this is asked once at a time, of every other once in the second that its principal lives. */
const hasMoney = new WeakMap<Principal, Promise<GatewayError | null>>();

/** Throws 403 where no call of the account could be held: nothing is on it, and nothing that it may call is free. */
async function payForIt({ money, catalog, config }: Gateway, { call, operation, room }: Foreseen): Promise<void> {
  const { principal } = call;
  if (!money) return;
  if (parseMultiplier(config.groups[principal.group]?.multiplier ?? '1') === 0) return;
  let looking = hasMoney.get(principal);
  if (!looking) {
    looking = lookForMoney(money, principal);
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
  // An answer that was kept costs nothing; whether this is its request, only the whole body tells.
  if (call.header('idempotency-key') === undefined) throw refusal;
  if (room.readingOf(principal.keyId) > 1) throw oneAtATime();
}

const oneAtATime = (): ErrorOf<CallName, 429> =>
  new GatewayError('concurrency_limit_exceeded', {
    message: 'The account has no money: of its large requests with an idempotency key one is read at a time. Try again in 1s.',
    headers: { 'retry-after': '1' },
  });

/** A balance that is all held may come back before the body has arrived; one that is spent does not. */
async function lookForMoney({ ledger, now, waitMs }: Money, { accountId }: Principal): Promise<ErrorOf<CallName, 403 | 503> | null> {
  try {
    const account = await within(ledger.balance(accountId), waitMs);
    if (account && account.balance > 0n) return null;
    if (await within(ledger.activeSubscription(accountId, now()), waitMs)) return null;
    const balance = formatDollars(account?.balance ?? 0n);
    return new GatewayError('insufficient_balance', {
      message: `The balance of the account is too low: it is ${balance} dollars. Top it up, or ask for less output.`,
    });
  } catch (cause) {
    return storeDown(cause);
  }
}

/** A slot comes back when a call ends; nobody knows when that is. */
const SLOT_RETRY_MS = 1_000;

/** The limit on calls at once that is full already, with those whose bodies are being read; of the caller's own, as far as this process counts them. */
function fullLimit(gateway: Gateway, principal: Principal, room: BodyMemory): Limit | null {
  const limits = callerLimits(gateway, principal);
  const reading = room.readingOf(principal.keyId);
  const ofKey = limits.find(({ scope, quantity, mode }) => scope === 'key' && quantity === 'concurrency' && mode === 'enforce');
  return ofKey && reading > ofKey.most ? ofKey : (gateway.limits.findFull?.(limits) ?? null);
}
