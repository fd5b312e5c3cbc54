/** A dry run of a call: the steps of the pipeline up to the hold, which keeps nothing, and a look at the limits, which takes nothing. */
import { type Weighed, weighHold } from '../billing/hold.ts';
import type { Gateway } from '../gateway.ts';
import type { Windows } from '../limits/limiter.ts';
import { holdRequestOf } from './admission.ts';
import { limitsForCall } from './caller-limits.ts';
import type { RequestContext } from './context.ts';
import { weighable } from './pipeline.ts';
import type { ParsedRequest } from './transcoder.ts';

export interface WeighedRequest {
  /** Null when calls cost nothing, or this one does. */
  readonly money: Weighed | null;
  readonly windows: Windows;
}

/** Throws what the call would be refused with. `call` has a principal, and was never counted. */
export async function weighRequest(gateway: Gateway, call: RequestContext, asked: ParsedRequest): Promise<WeighedRequest> {
  const order = await weighable(gateway, call, asked);
  const request = holdRequestOf(gateway, call, order);
  const money = gateway.money && order.isFree !== true ? await weighHold(gateway.money, request) : null;
  return { money, windows: await gateway.limits.look(limitsForCall(gateway, request.principal, order.model)) };
}
