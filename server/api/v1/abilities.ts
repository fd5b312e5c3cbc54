/** Lists a model's capabilities, context window, and output limit, for the catalog and the model list. */

import type { Abilities } from '../../../contract/catalog.ts';
import type { Model } from '../../config/config.ts';
import { getOutputLimit } from '../../protocols/output-limits.ts';
import { getUpstreamProtocols } from '../../protocols/upstream-protocols.ts';

export const toTokenLimits = (model: Model) => ({
  context_window: model.contextWindow ?? null,
  max_output_tokens: model.kind === 'image' ? null : getOutputLimit(model),
});

export const getAbilities = (model: Model): Abilities => (model.kind === 'image' ? imageAbilities : getTextAbilities(model));

/** The capabilities of an image model: it accepts images to edit, and has no others. */
const imageAbilities: Abilities = {
  tools: false,
  hosted_tools: false,
  parallel_tool_calls: false,
  image_input: true,
  structured_output: 'none',
  reasoning_effort: false,
};

/**
 * Returns the capabilities of a text model. Translation supports all of them over every protocol; an upstream's quirks, the known rules of the model, and the
 * configuration remove some.
 */
function getTextAbilities({ protocols, quirks, candidates, capabilities = {} }: Model): Abilities {
  const hasTools = !quirks?.unsupported.includes('tools');
  const canReason = candidates.some(({ rules }) => rules?.reasoning === undefined || rules.reasoning.length > 0);
  const { imageInput = true, reasoningEffort = canReason && (quirks === undefined || quirks.reasoningEffort === 'send') } = capabilities;
  const upstreamProtocols = getUpstreamProtocols(protocols);
  return {
    tools: hasTools,
    hosted_tools: upstreamProtocols.some(({ runsTools }) => runsTools),
    parallel_tool_calls: hasTools && quirks?.parallelToolCalls !== false && upstreamProtocols.some(({ limitsCalls }) => limitsCalls),
    image_input: imageInput,
    structured_output: quirks?.structuredOutput ?? 'schema',
    reasoning_effort: reasoningEffort,
  };
}
