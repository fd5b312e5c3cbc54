/** Names of fields that may choose another model, provider, tier, tool, price or amount of output than the one that was checked, held for and charged. */

/** Words of a name in snake case. A list of such names is never complete; their words are few. */
const choosing = new Set(
  [
    'model models engine deployment provider providers vendor vendors upstream upstreams route routes router routing fallback fallbacks',
    'api base url uri endpoint host key keys extra body header headers region location zone project organization org account',
    'tier priority speed fast latency flex batch background transform transforms cache',
    'tool tools plugin plugins function functions mcp server servers search web browse browsing grounding connector connectors',
    'data source sources retrieval file files agent agents skill skills container containers code exec',
    'price prices pricing budget spend cost costs billing credit credits charge charges',
    'max min limit limits token tokens length predict best completions candidate candidates sample samples count num number',
    'image images audio video frame frames resolution quality size scale upscale variation variations duration',
  ].flatMap((words) => words.split(' ')),
);

/** Also a name in other signs than small ASCII letters, which some readers take for a field of the API: `MAX_TOKENS`. */
export const mayChoose = (name: string): boolean =>
  !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) || name.split('_').some((word) => choosing.has(word));
