/** The vendor's own values that a model takes, by all of its candidates together. */

/** Words of a vendor, by the field of a chat request that they may stand in. */
export interface AcceptedValues {
  readonly tools: readonly string[];
  readonly parts: readonly string[];
  readonly toolChoices: readonly string[];
  readonly responseFormats: readonly string[];
  readonly serviceTiers: readonly string[];
  readonly reasoningEfforts: readonly string[];
  readonly untypedTools: boolean;
}

interface Served {
  readonly quirks?: { readonly accepts?: AcceptedValues | undefined } | undefined;
}

/** Undefined when no candidate takes any: the requests of most models need no look. */
export function acceptedByAny(candidates: readonly Served[]): AcceptedValues | undefined {
  const all = candidates.flatMap(({ quirks }) => quirks?.accepts ?? []);
  const [first, ...others] = all;
  return first && others.reduce(together, first);
}

function together(one: AcceptedValues, other: AcceptedValues): AcceptedValues {
  return {
    tools: [...one.tools, ...other.tools],
    parts: [...one.parts, ...other.parts],
    toolChoices: [...one.toolChoices, ...other.toolChoices],
    responseFormats: [...one.responseFormats, ...other.responseFormats],
    serviceTiers: [...one.serviceTiers, ...other.serviceTiers],
    reasoningEfforts: [...one.reasoningEfforts, ...other.reasoningEfforts],
    untypedTools: one.untypedTools || other.untypedTools,
  };
}
