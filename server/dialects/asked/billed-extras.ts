/** What a request asks for that costs more than its visible tokens: hosted tools, a service tier, hidden reasoning. */
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import type { HostedCalls } from '../responses/hosted-calls.ts';

/** Values of `service_tier` that mean the vendor's default. */
const ordinary: readonly unknown[] = [undefined, null, 'auto', 'default'];

export interface AskedTier {
  readonly name: string;
  readonly path: string;
}

/** The service tier of a request; null for the vendor's default. */
export const tierOf = ({ service_tier: tier }: Fields): AskedTier | null =>
  ordinary.includes(tier) ? null : { name: String(tier), path: 'service_tier' };

/** The most calls of the upstream's tools; null when the request sets no limit. */
export const mostToolCalls = ({ max_tool_calls: most }: Fields): number | null => (typeof most === 'number' && most > 0 ? most : null);

/** Calls that the answer does not show: a chat vendor runs one search for a request with `web_search_options`. */
export const callsUnseen = ({ web_search_options: search }: Fields): HostedCalls => (isSet(search) ? { web_search_call: 1 } : {});

/** Whether a request asks for reasoning; chat answers rarely show it. */
export function asksForThoughts({ reasoning_effort: own, reasoning }: Fields): boolean {
  const asked: Fields = isFields(reasoning) ? reasoning : {};
  const effort = own ?? asked.effort;
  // The other two are of vendors that take `reasoning` as an object.
  return (typeof effort === 'string' && effort !== 'none') || isSet(asked.max_tokens) || asked.enabled === true;
}
