/** Portal handler that estimates what a call would cost and whether it would be rejected. */

import { contract } from '../../../contract/index.ts';
import type { CostEstimate } from '../../../contract/portal/estimate.ts';
import type { PortalContract } from '../../../contract/portal/index.ts';
import { toPrincipal } from '../../access/authenticate.ts';
import { Admission } from '../../call/admission.ts';
import { RequestContext } from '../../call/context.ts';
import { type EstimatedRequest, estimateRequest } from '../../call/dry-run.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Window } from '../../limits/limiter.ts';
import { formatDollars } from '../../money/dollars.ts';
import { GatewayError, throwStoreDown } from '../../primitives/errors.ts';
import { createJsonBody } from '../../protocols/wire/json-body.ts';
import { explainIssues } from '../http/explain-issues.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { toCheckableBody } from '../v1/body-check.ts';
import { getPortalUser } from './portal-user.ts';

export function createEstimateHandlers(gateway: Gateway): ContractHandlers<PortalContract, 'estimateCost'> {
  return {
    async estimateCost({ request, reply, body: { operation, body }, ok }) {
      // A separate context, which isn't logged, because no call is made.
      const call = new RequestContext(request.id, reply.raw);
      const { key } = getPortalUser(request);
      const available = await fetchAvailableBalance(gateway, key.account.id);
      call.admission = new Admission(gateway, call, toPrincipal(key));
      try {
        const { error } = contract[operation].body.safeParse(toCheckableBody(gateway, operation, body));
        if (error) throw explainIssues(error.issues, body);
        return ok({ ...writeEstimate(await estimateRequest(gateway, call, { operation, body: createJsonBody(body) })), available });
      } catch (thrown) {
        if (!(thrown instanceof GatewayError) || isServerFault(thrown)) throw thrown;
        return ok({
          object: 'cost_estimate',
          max_cost: null,
          available,
          output_limit: null,
          error: thrown.body.error,
          requests: null,
          tokens: null,
        });
      }
    },
  };
}

/** Whether the error doesn't concern the call: the store is down, or there's a bug. */
const isServerFault = ({ code }: GatewayError): boolean => code === 'overloaded' || code === 'internal_error';

async function fetchAvailableBalance({ money }: Gateway, accountId: string): Promise<string | null> {
  if (!money) return null;
  const { balance, held } = (await money.ledger.getBalance(accountId).catch(throwStoreDown)) ?? { balance: 0n, held: 0n };
  return formatDollars(balance - held);
}

const writeEstimate = ({ money, windows }: EstimatedRequest): Omit<CostEstimate, 'available'> => ({
  object: 'cost_estimate',
  max_cost: money && formatDollars(money.most),
  output_limit: money?.outputLimit ?? null,
  error: null,
  requests: writeRateWindow(windows.requests),
  tokens: writeRateWindow(windows.tokens),
});

const writeRateWindow = (window: Window | null): CostEstimate['requests'] =>
  window && { limit: window.limit, remaining: window.remaining, reset_ms: Math.ceil(window.resetMs) };
