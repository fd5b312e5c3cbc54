/** Reads the reasoning effort of a request, and finds the nearest one that a model accepts. */

import type { Effort } from '../../config/model-rules.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import type { CanonicalRequest } from './canonical-request.ts';

/** True if a request asks for reasoning. Chat responses rarely show it. */
export function isReasoningRequested({ reasoning_effort: effortField, reasoning }: Fields): boolean {
  const reasoningFields: Fields = isFields(reasoning) ? reasoning : {};
  const effort = effortField ?? reasoningFields.effort;
  // `max_tokens` and `enabled` belong to providers that accept `reasoning` as an object.
  return (typeof effort === 'string' && effort !== 'none') || isSet(reasoningFields.max_tokens) || reasoningFields.enabled === true;
}

/** The effort that a chat request asks for, from either field. Null if the model decides. */
export const findChatEffort = ({ reasoning_effort: effort, reasoning }: Fields): unknown =>
  effort ?? (isFields(reasoning) ? reasoning.effort : null) ?? null;

export const getEffortName = ({ caller }: Pick<CanonicalRequest, 'caller'>): string =>
  caller === 'chat' ? 'reasoning_effort' : 'reasoning.effort';

const effortOrder: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

export const isReasoningEffort = (value: unknown): value is Effort => effortOrder.some((effort) => effort === value);

/**
 * The highest accepted effort below the given one, or else the lowest accepted. Null if the model accepts none. Only `none` can turn reasoning off.
 */
export function findNearestEffort(effort: Effort, accepted: readonly Effort[] = effortOrder): Effort | null {
  if (accepted.includes(effort)) return effort;
  const acceptedEfforts = effortOrder.filter((one) => one !== 'none' && accepted.includes(one));
  return acceptedEfforts.findLast((one) => effortOrder.indexOf(one) < effortOrder.indexOf(effort)) ?? acceptedEfforts[0] ?? null;
}
