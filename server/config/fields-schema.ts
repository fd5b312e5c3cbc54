/** Which top-level fields of a caller's body are forwarded to an upstream of the same protocol. */
import { z } from 'zod';

/** A vendor may support fields that we do not know: some choose another model, another vendor or another price. */
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
        'Fields to forward besides those of the OpenAI API. `*`: all, including fields that make a vendor use another model, provider or price than is charged.',
      examples: [['top_k']],
    }),
    deny: Names.refine((names) => !names.includes('*'), 'must name fields').meta({
      description: 'Fields that are refused with 400, even if the API has them.',
      examples: [['logit_bias']],
    }),
  })
  .prefault({})
  .meta({
    description:
      'Which top-level fields of callers are forwarded. Kind `openai` also forwards unknown ones, unless they may choose a model, provider, tier, tool or price. Others are left out and named in `x-modelgate-ignored`.',
    examples: [{ allow: ['top_k'] }],
  });

export interface FieldRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether fields that no operation knows are forwarded, unless their name says that they choose a model, provider, tier, tool or price. */
  readonly isOpen?: boolean;
}

/** Fields of local servers and other vendors that change how a model answers, but not which model answers or what a token costs. */
export const ofCompatible: readonly string[] = [
  ...['top_k', 'top_a', 'min_p', 'typical_p', 'tfs_z', 'repetition_penalty', 'repeat_penalty', 'repeat_last_n', 'length_penalty'],
  ...['mirostat', 'mirostat_tau', 'mirostat_eta', 'random_seed', 'min_tokens', 'stop_token_ids', 'ignore_eos', 'bad_words'],
  ...['skip_special_tokens', 'spaces_between_special_tokens', 'include_stop_str_in_output', 'chat_template_kwargs', 'cache_prompt'],
  ...['add_generation_prompt', 'continue_final_message', 'thinking', 'think', 'enable_thinking', 'thinking_budget', 'reasoning_format'],
  ...['include_reasoning', 'reasoning_split', 'clear_thinking', 'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'],
  ...['guided_grammar', 'grammar', 'json_schema', 'safe_prompt', 'prompt_mode'],
];
