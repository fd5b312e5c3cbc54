/** How an upstream that speaks chat completions may differ from OpenAI, as keys of its configuration. */
import { z } from 'zod';

const yesOrNo = (standard: boolean, description: string) =>
  z
    .boolean()
    .default(standard)
    .meta({ description, examples: [!standard] });

/** Fields that change an answer; `hints` covers those that do not. */
const refusable = [
  ...(['temperature', 'top_p', 'n', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs'] as const),
  ...(['tools', 'tool_choice', 'prediction', 'modalities', 'web_search_options', 'moderation'] as const),
];

/** Fields that change no answer. */
const hints = [
  ...(['store', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options'] as const),
  ...(['service_tier', 'metadata', 'verbosity'] as const),
];

const words = (description: string, example: string) =>
  z
    .array(z.string().min(1).max(64))
    .max(100)
    .default([])
    .meta({ description, examples: [[example]] });

/** Values that OpenAI does not have and this vendor has: the contract refuses them for every other model. */
const Accepts = z.strictObject({
  tools: words(
    'Types of `tools` that it runs itself. Each request that offers one is charged one call, at the price of the type with `_call`: `openrouter:web_search` is `openrouter_web_search_call`.',
    'openrouter:web_search',
  ),
  parts: words('Types of parts in the content of messages.', 'document_url'),
  toolChoices: words('Words of `tool_choice`, or the `type` of one that is an object.', 'any'),
  responseFormats: words('Types of `response_format` that are sent as they are, without a check.', 'regex'),
  serviceTiers: words('Words of `service_tier`. They cost what the model costs.', 'on_demand'),
  reasoningEfforts: words('Words of `reasoning_effort`.', 'default'),
  untypedTools: yesOrNo(false, 'Whether `tools` may be functions without `type`.'),
});

export const Quirks = z.strictObject({
  maxTokensField: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .default('max_tokens')
    .meta({
      description: 'Its field for the output limit; callers may use either name.',
      examples: ['max_completion_tokens'],
    }),
  seedField: z
    .enum(['seed', 'random_seed'])
    .default('seed')
    .meta({ description: 'Its field for the seed; callers use `seed`.', examples: ['random_seed'] }),
  developerRole: yesOrNo(false, 'Whether it supports messages of the role `developer`. If not, they are sent as `system`.'),
  streamUsage: yesOrNo(true, 'Whether it supports `stream_options`, which ask for the usage of a stream. If not, they are left out.'),
  structuredOutput: z
    .enum(['schema', 'json', 'none'])
    .default('schema')
    .meta({
      description:
        'Structured output that it supports: `schema` a JSON schema, `json` any JSON object, `none` neither. More is refused with 400.',
      examples: ['json'],
    }),
  parallelToolCalls: yesOrNo(
    true,
    'Whether it supports `parallel_tool_calls`. If not, `true` is left out, because it is the default, and `false` is refused with 400.',
  ),
  strictTools: yesOrNo(true, 'Whether tools may have `strict`. If not, `false` is left out and `true` is refused with 400.'),
  reasoningEffort: z
    .enum(['send', 'ignore', 'refuse'])
    .default('send')
    .meta({
      description:
        '`send`: it supports `reasoning_effort`. If it does not: `refuse` answers with 400, `ignore` leaves the field out and names it in `x-modelgate-ignored`.',
      examples: ['ignore'],
    }),
  reasoningField: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9_]*$/, 'must be a field name of lower-case letters, digits and underscores')
    .optional()
    .meta({
      description: 'Field of a message that holds the reasoning; `reasoning_content` and `reasoning` need no setting.',
      examples: ['reasoning_content'],
    }),
  sendReasoningBack: yesOrNo(
    false,
    'Whether it needs the reasoning of its earlier turns, in `reasoningField` or `reasoning_content`. A message with calls then always has the field.',
  ),
  reasoningObject: yesOrNo(
    false,
    'Whether it takes `reasoning` of chat callers as an object (`max_tokens`, `enabled`, `exclude`). If not, `effort` is sent as `reasoning_effort`, and the other fields are left out and named in `x-modelgate-ignored`.',
  ),
  thinkingParts: yesOrNo(
    false,
    'Whether messages of the assistant may have parts of the type `thinking`. If not, they are sent where `sendReasoningBack` says, or left out and named in `x-modelgate-ignored`.',
  ),
  hints: z
    .union([z.boolean(), z.array(z.enum(hints)).max(hints.length)])
    .default(true)
    .meta({
      description:
        'Whether it accepts fields that do not change the answer (`store`, `metadata`, `user`, `prompt_cache_key`, `service_tier`, `verbosity`, …), or which of them. Others are left out and named in `x-modelgate-ignored`.',
      examples: [false, ['prompt_cache_key']],
    }),
  accepts: Accepts.optional().meta({
    description: 'Values of its own that callers of chat may send it. For a model that no such upstream serves they are 400.',
    examples: [{ parts: ['document_url'] }],
  }),
  unsupported: z
    .array(z.enum(refusable))
    .max(refusable.length)
    .default([])
    .meta({
      description: 'Fields that it ignores or misreads. A request with one is refused with 400 instead of a wrong answer.',
      examples: [['logit_bias', 'n']],
    }),
});
