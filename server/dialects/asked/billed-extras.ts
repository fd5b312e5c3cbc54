/** What a request asks for that costs more than its visible tokens: hosted tools, a service tier, hidden reasoning. */
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import { type HostedCalls, offeredTools } from '../responses/hosted-calls.ts';

/** Values of `service_tier` that mean the vendor's default. */
const ordinary: readonly unknown[] = [undefined, null, 'auto', 'default'];

export interface AskedTier {
  readonly name: string;
  readonly path: string;
}

/** The service tier of a request; null for the vendor's default, and for those that cost what the model costs. */
export const tierOf = ({ service_tier: tier }: Fields, included: readonly unknown[] = []): AskedTier | null =>
  ordinary.includes(tier) || included.includes(tier) ? null : { name: String(tier), path: 'service_tier' };

/** The most calls of the upstream's tools; null when the request sets no limit. */
export const mostToolCalls = ({ max_tool_calls: most }: Fields): number | null => (typeof most === 'number' && most > 0 ? most : null);

/** Calls that a chat answer does not show: one for each tool of the vendor that a request offers, `web_search_options` included. */
export function callsUnseen(request: Fields): HostedCalls {
  const calls: Record<string, number> = {};
  for (const { call } of offeredTools(request)) calls[call] = (calls[call] ?? 0) + 1;
  return calls;
}

/** Whether a request asks for reasoning; chat answers rarely show it. */
export function asksForThoughts({ reasoning_effort: own, reasoning }: Fields): boolean {
  const asked: Fields = isFields(reasoning) ? reasoning : {};
  const effort = own ?? asked.effort;
  // The other two are of vendors that take `reasoning` as an object.
  return (typeof effort === 'string' && effort !== 'none') || isSet(asked.max_tokens) || asked.enabled === true;
}
