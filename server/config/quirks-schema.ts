/** What a place that speaks chat completions may do otherwise than OpenAI, as keys of its upstream. */
import { z } from 'zod';

const yesOrNo = (standard: boolean, description: string) =>
  z
    .boolean()
    .default(standard)
    .meta({ description, examples: [!standard] });

/** Fields that change an answer; what is only a hint is `hints`. */
const refusable = [
  ...(['temperature', 'top_p', 'n', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs'] as const),
  ...(['tools', 'tool_choice', 'prediction', 'modalities', 'web_search_options', 'moderation'] as const),
];

export const Quirks = z.strictObject({
  maxTokensField: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .default('max_tokens')
    .meta({
      description: 'Its name for the most output tokens; callers may use either name.',
      examples: ['max_completion_tokens'],
    }),
  seedField: z
    .enum(['seed', 'random_seed'])
    .default('seed')
    .meta({ description: 'Its name for the seed; callers say `seed`.', examples: ['random_seed'] }),
  developerRole: yesOrNo(false, 'Whether it knows messages of the role `developer`. If not, they go as `system`.'),
  streamUsage: yesOrNo(true, 'Whether it takes `stream_options`, by which a stream is asked for its usage. If not, they are left out.'),
  structuredOutput: z
    .enum(['schema', 'json', 'none'])
    .default('schema')
    .meta({
      description:
        'Forms of answer it can be held to: `schema` a JSON schema, `json` any JSON object, `none` neither. What is beyond is answered with 400.',
      examples: ['json'],
    }),
  parallelToolCalls: yesOrNo(
    true,
    'Whether it takes `parallel_tool_calls`. If not, `true` is left out, as the usual way, and `false` is answered with 400.',
  ),
  strictTools: yesOrNo(true, 'Whether tools may say `strict`. If not, `false` is left out and `true` is answered with 400.'),
  reasoningEffort: z
    .enum(['send', 'ignore', 'refuse'])
    .default('send')
    .meta({
      description:
        '`send`: it takes `reasoning_effort`. Where it does not: `refuse` answers with 400, `ignore` leaves the field out and names it in `x-modelgate-ignored`.',
      examples: ['ignore'],
    }),
  reasoningField: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9_]*$/, 'must be a field name of small letters, digits and underscores')
    .optional()
    .meta({
      description: 'Field of a message that holds the thoughts; `reasoning_content` and `reasoning` are found without it.',
      examples: ['reasoning_content'],
    }),
  sendReasoningBack: yesOrNo(
    false,
    'Whether it wants the thoughts of its earlier turns back, in `reasoningField` or `reasoning_content`. A message with calls has the field then always.',
  ),
  hints: yesOrNo(
    true,
    'Whether it takes fields that change no answer (`store`, `metadata`, `user`, `prompt_cache_key`, `service_tier`, `verbosity`, …). If not, they are left out and named in `x-modelgate-ignored`.',
  ),
  unsupported: z
    .array(z.enum(refusable))
    .max(refusable.length)
    .default([])
    .meta({
      description: 'Fields that it ignores or misreads. A caller who sets one is answered with 400 in place of a wrong answer.',
      examples: [['logit_bias', 'n']],
    }),
});
