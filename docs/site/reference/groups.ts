/** Groups request fields by how often people need them. Fields without a group keep the order of the contract. */
export interface Group {
  readonly title: string;
  readonly names: readonly string[];
}

const chat: readonly Group[] = [
  { title: 'Common fields', names: ['model', 'messages', 'stream', 'stream_options', 'max_completion_tokens', 'reasoning_effort'] },
  {
    title: 'Output format',
    names: ['response_format', 'verbosity', 'n', 'stop', 'modalities', 'audio', 'prediction', 'logprobs', 'top_logprobs'],
  },
  { title: 'Tools', names: ['tools', 'tool_choice', 'parallel_tool_calls', 'web_search_options'] },
  { title: 'Sampling', names: ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'seed'] },
  {
    title: 'Caching, storage, and identity',
    names: ['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'store', 'metadata', 'service_tier'],
  },
  { title: 'Deprecated', names: ['max_tokens', 'user', 'functions', 'function_call'] },
];
const responses: readonly Group[] = [
  { title: 'Common fields', names: ['model', 'input', 'instructions', 'stream', 'stream_options', 'max_output_tokens', 'reasoning'] },
  { title: 'Output format', names: ['text', 'include', 'truncation', 'top_logprobs'] },
  { title: 'Tools', names: ['tools', 'tool_choice', 'parallel_tool_calls', 'max_tool_calls'] },
  { title: 'Conversations', names: ['previous_response_id', 'store', 'conversation', 'background', 'metadata'] },
  { title: 'Sampling', names: ['temperature', 'top_p'] },
  { title: 'Caching and identity', names: ['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'service_tier', 'user'] },
];

const groups: Readonly<Record<string, readonly Group[]>> = { createChatCompletion: chat, createResponse: responses };

/** Puts each name into one group. Names without a group go into the last one. */
export function groupsOf(operation: string, names: readonly string[]): readonly Group[] {
  const own = groups[operation] ?? [];
  const known = own.map(({ title, names: wanted }) => ({ title, names: wanted.filter((name) => names.includes(name)) }));
  const named = new Set(known.flatMap((group) => group.names));
  const rest = names.filter((name) => !named.has(name));
  return [...known, { title: own.length === 0 ? 'Fields' : 'More', names: rest }].filter((group) => group.names.length > 0);
}
