/** Schema of the field rules of an upstream or model: which additional fields it gets, and which fields are rejected. */
import { z } from 'zod';

/** Providers may support fields that the gateway doesn't know. Some of them select another model, provider, or price. */
const Name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^(?:\*|[\w.-]+)$/, 'must be a field name or *');

const Names = z.array(Name).max(256).default([]);

export const Fields = z
  .strictObject({
    allow: Names.meta({
      description:
        'Fields to forward in addition to those of the OpenAI API. `*` forwards all fields, even if they make a provider use another model, provider, or price than the one you charge.',
      examples: [['top_k']],
    }),
    deny: Names.refine((names) => !names.includes('*'), "can't contain *").meta({
      description: 'Fields to reject with 400, even if the API has them.',
      examples: [['logit_bias']],
    }),
  })
  .prefault({})
  .meta({
    description:
      'Top-level fields of callers to forward. Upstreams of kind `openai` also get unknown fields, unless these could select a model, provider, tier, tool, or price. Other fields are omitted and named in `x-modelgate-dropped`.',
    examples: [{ allow: ['top_k'] }],
  });

export interface FieldRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether unknown fields are forwarded, unless their name suggests that they select a model, provider, tier, tool, or price. */
  readonly isOpen?: boolean;
}

/** Fields of local servers and other providers that change how a model responds, but not which model responds or the price of a token. */
export const compatibleFields: readonly string[] = [
  ...['top_k', 'top_a', 'min_p', 'typical_p', 'tfs_z', 'repetition_penalty', 'repeat_penalty', 'repeat_last_n', 'length_penalty'],
  ...['mirostat', 'mirostat_tau', 'mirostat_eta', 'random_seed', 'min_tokens', 'stop_token_ids', 'ignore_eos', 'bad_words'],
  ...['skip_special_tokens', 'spaces_between_special_tokens', 'include_stop_str_in_output', 'chat_template_kwargs', 'cache_prompt'],
  ...['add_generation_prompt', 'continue_final_message', 'thinking', 'think', 'enable_thinking', 'thinking_budget', 'reasoning_format'],
  ...['include_reasoning', 'reasoning_split', 'clear_thinking', 'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'],
  ...['guided_grammar', 'grammar', 'json_schema', 'safe_prompt', 'prompt_mode'],
];
