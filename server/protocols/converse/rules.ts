/** Converse's limits, cache marks, and effort fields, by the provider of the model. */
import type { CanonicalRequest, Effort } from '../canonical/canonical-request.ts';
import type { AdditionalModelRequestFields, EffortLevel } from './wire.ts';

/** Only Anthropic models support cache marks. Other models cache by their own rules. */
export const supportsCacheMarks = (model: string): boolean => getModelProvider(model) === 'anthropic';

/** The maximum length of a tool name. */
export const MAX_TOOL_NAME = 64;

export const MAX_CALL_ID = 64;

/** The model's provider (`amazon`, `anthropic`, `meta`, …). Returns the full ID if it doesn't contain the provider, such as a profile's ARN. */
export function getModelProvider(model: string): string {
  const id = model.slice(model.lastIndexOf('/') + 1).replace(/^(?:us-gov|us|eu|apac|ap|jp|au|ca|sa|me|global)\./, '');
  return /^([a-z]\w*)\./.exec(id)?.[1] ?? model;
}

const effortLevels: Readonly<Record<Effort, EffortLevel>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** Nova supports reasoning from its second generation on. */
const reasoningNovaModel = /amazon\.nova-(?:[2-9]|\d\d)/;

/** The model-specific field for this effort. Null if the model has none. */
export function findEffortField({ model, effort }: Pick<CanonicalRequest, 'model' | 'effort'>): AdditionalModelRequestFields | null {
  if (effort === null) return null;
  if (reasoningNovaModel.test(model))
    return { reasoningConfig: effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: effortLevels[effort] } };
  return getModelProvider(model) === 'openai' ? { reasoning_effort: effortLevels[effort] } : null;
}
