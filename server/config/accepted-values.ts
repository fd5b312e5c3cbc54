/** Merges the provider-specific values that the candidates of a model accept. */

/** Provider-specific values, by the field of a chat request that accepts them. */
export interface AcceptedValues {
  readonly tools: readonly string[];
  readonly parts: readonly string[];
  readonly toolChoices: readonly string[];
  readonly serviceTiers: readonly string[];
  readonly untypedTools: boolean;
}

/** Returns undefined if no candidate accepts such values, so that requests of most models need no check. */
export function mergeAccepted(
  candidates: readonly { quirks?: { readonly accepts?: AcceptedValues | undefined } | undefined }[],
): AcceptedValues | undefined {
  const all = candidates.flatMap(({ quirks }) => quirks?.accepts ?? []);
  const [first, ...others] = all;
  return first && others.reduce(mergeAcceptedValues, first);
}

function mergeAcceptedValues(one: AcceptedValues, other: AcceptedValues): AcceptedValues {
  return {
    tools: [...one.tools, ...other.tools],
    parts: [...one.parts, ...other.parts],
    toolChoices: [...one.toolChoices, ...other.toolChoices],
    serviceTiers: [...one.serviceTiers, ...other.serviceTiers],
    untypedTools: one.untypedTools || other.untypedTools,
  };
}
