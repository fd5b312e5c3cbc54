/** Runs the steps of a request up to admission, for estimates and token counts. Nothing is held and nothing is sent. */
import type { Gateway } from '../gateway/gateway.ts';
import type { Windows } from '../limits/limiter.ts';
import { estimateHold, type HoldEstimate } from '../money/hold.ts';
import { type GrantRequest, toHoldRequest } from './admission.ts';
import { getCallLimits } from './caller-limits.ts';
import { chooseCandidates, findAffineSession, getNamedSession } from './candidates.ts';
import type { RequestContext } from './context.ts';
import type { GrantedRequest } from './failover.ts';
import { admit, toGrantRequest } from './pipeline.ts';
import { failsOnDemand, prepareFirst } from './prepare.ts';
import type { ParsedRequest } from './transcoder.ts';

/** Builds the grant request with the steps of a real call, without holding or sending anything. */
async function createDryRunGrantRequest(gateway: Gateway, call: RequestContext, received: ParsedRequest): Promise<GrantRequest> {
  const { parsed, first } = await prepareDryRun(gateway, call, received);
  return toGrantRequest(parsed, first, failsOnDemand(gateway, call, first));
}

/** Prepares the request for its first candidate. Nothing is held and nothing is sent. */
export async function prepareDryRun(
  gateway: Gateway,
  call: RequestContext,
  received: ParsedRequest,
): Promise<Pick<GrantedRequest, 'parsed' | 'session' | 'first'>> {
  const { model, parsed } = admit(gateway, call, received);
  const session = findAffineSession(gateway, call, { parsed, named: getNamedSession(call, parsed) });
  const candidates = await chooseCandidates(gateway, call, { parsed, model, session });
  return { parsed, session, first: await prepareFirst(gateway, call, parsed, candidates) };
}

export interface EstimatedRequest {
  /** Null if billing is off or the request is free. */
  readonly money: HoldEstimate | null;
  readonly windows: Windows;
}

/** Throws the error that the request would get. `call` must have a principal, and doesn't count against limits. */
export async function estimateRequest(gateway: Gateway, call: RequestContext, parsed: ParsedRequest): Promise<EstimatedRequest> {
  const grantRequest = await createDryRunGrantRequest(gateway, call, parsed);
  const holdRequest = toHoldRequest(gateway, call, grantRequest);
  const money = gateway.money && grantRequest.isFree !== true ? await estimateHold(gateway.money, holdRequest) : null;
  return { money, windows: await gateway.limits.peek(getCallLimits(gateway, holdRequest.principal, grantRequest.model)) };
}
