/** Which top-level fields of a caller's body an upstream that speaks like its callers is handed. */
import { z } from 'zod';

/** A vendor obeys more fields than anybody knows: some choose another model, another vendor or another price. */
const Name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^(?:\*|[\w.-]+)$/, 'must be the name of a field, or *');
const Names = z.array(Name).max(256).default([]);

export const Fields = z
  .strictObject({
    allow: Names.meta({
      description:
        'Fields that are handed on beside those of the OpenAI API. `*`: all, also those by which a vendor takes another model, provider or price than is charged.',
      examples: [['top_k']],
    }),
    deny: Names.refine((names) => !names.includes('*'), 'has to name fields').meta({
      description: 'Fields that are answered with 400, also where the API knows them.',
      examples: [['logit_bias']],
    }),
  })
  .prefault({})
  .meta({
    description: 'Top-level fields of callers that are handed on. Others are left out and named in `x-modelgate-ignored`.',
    examples: [{ allow: ['top_k'] }],
  });

export interface FieldRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Fields of local servers and other vendors that change how a model answers, and neither which one does nor what it costs by the token. */
export const ofCompatible: readonly string[] = [
  ...['top_k', 'top_a', 'min_p', 'typical_p', 'tfs_z', 'repetition_penalty', 'repeat_penalty', 'repeat_last_n', 'length_penalty'],
  ...['mirostat', 'mirostat_tau', 'mirostat_eta', 'random_seed', 'min_tokens', 'stop_token_ids', 'ignore_eos', 'bad_words'],
  ...['skip_special_tokens', 'spaces_between_special_tokens', 'include_stop_str_in_output', 'chat_template_kwargs', 'cache_prompt'],
  ...['add_generation_prompt', 'continue_final_message', 'thinking', 'think', 'enable_thinking', 'thinking_budget', 'reasoning_format'],
  ...['include_reasoning', 'reasoning_split', 'clear_thinking', 'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'],
  ...['guided_grammar', 'grammar', 'json_schema', 'safe_prompt', 'prompt_mode'],
];
