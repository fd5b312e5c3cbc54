/** What a call of the playground would cost at most: the body is checked as the operation does, and weighed by the steps of the call itself. */
import { contract } from '../../contract/index.ts';
import type { PortalContract } from '../../contract/portal.ts';
import type { WeighedCall } from '../../contract/portal-weigh.ts';
import { principalOf } from '../access/authenticate.ts';
import { jsonBody } from '../dialects/wire/json-body.ts';
import { GatewayError, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { checkableBody } from '../http/routes/checkable-body.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { explainIssues } from '../http/validation-errors.ts';
import { formatDollars } from '../ledger/money.ts';
import type { Window } from '../limits/limiter.ts';
import { Admission } from '../request/admission.ts';
import { RequestContext } from '../request/context.ts';
import { type WeighedRequest, weighRequest } from '../request/weigh.ts';
import { holderOf } from './holder.ts';

export function weighHandlers(gateway: Gateway): HandlersOf<PortalContract, 'weighCall'> {
  return {
    async weighCall({ request, reply, body: { operation, body }, ok }) {
      // A context of its own, which nothing logs: no call is made.
      const call = new RequestContext(request.id, reply.raw);
      const { key } = holderOf(request);
      const available = await availableOf(gateway, key.account.id);
      call.admission = new Admission(gateway, call, principalOf(key));
      try {
        const { error } = contract[operation].body.safeParse(checkableBody(gateway, operation, body));
        if (error) throw explainIssues(error.issues, body);
        return ok({ ...writeWeighed(await weighRequest(gateway, call, { operation, body: jsonBody(body) })), available });
      } catch (thrown) {
        if (!(thrown instanceof GatewayError) || isOurs(thrown)) throw thrown;
        return ok({
          object: 'weighed_call',
          most: null,
          available,
          output_limit: null,
          refusal: thrown.body.error,
          requests: null,
          tokens: null,
        });
      }
    },
  };
}

/** Not about the call: the store is down, or there is a bug. */
const isOurs = ({ code }: GatewayError): boolean => code === 'overloaded' || code === 'internal_error';

async function availableOf({ money }: Gateway, accountId: string): Promise<string | null> {
  if (!money) return null;
  const { balance, held } = (await money.ledger.balance(accountId).catch(storeFailed)) ?? { balance: 0n, held: 0n };
  return formatDollars(balance - held);
}

const writeWeighed = ({ money, windows }: WeighedRequest): Omit<WeighedCall, 'available'> => ({
  object: 'weighed_call',
  most: money && formatDollars(money.most),
  output_limit: money?.outputLimit ?? null,
  refusal: null,
  requests: writeLeft(windows.requests),
  tokens: writeLeft(windows.tokens),
});

const writeLeft = (window: Window | null): WeighedCall['requests'] =>
  window && { limit: window.limit, remaining: window.remaining, reset_ms: Math.ceil(window.resetMs) };
