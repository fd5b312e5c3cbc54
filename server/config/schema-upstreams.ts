/** Upstreams in the configuration: the keys of each kind, and those of all that use HTTP. */
import { z } from 'zod';
import { Auth, Fields, HeaderName, HeaderValue, HttpUrl, Secret, versioned } from './values.ts';

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

/** Values that OpenAI does not have and this provider has: the contract rejects them for every other model. */
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
        'Structured output that it supports: `schema` a JSON schema, `json` any JSON object, `none` neither. More is rejected with 400.',
      examples: ['json'],
    }),
  parallelToolCalls: yesOrNo(
    true,
    'Whether it supports `parallel_tool_calls`. If not, `true` is left out, because it is the default, and `false` is rejected with 400.',
  ),
  strictTools: yesOrNo(true, 'Whether tools may have `strict`. If not, `false` is left out and `true` is rejected with 400.'),
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
      description: 'Fields that it ignores or misreads. A request with one is rejected with 400 instead of a wrong answer.',
      examples: [['logit_bias', 'n']],
    }),
});

/** A label of a host name. */
const Label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must have lower-case letters, digits and hyphens');

const Azure = z.strictObject({
  resource: Label.meta({ description: 'The name of the resource, the first part of its address.', examples: ['contoso'] }),
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(?:-preview)?$/, 'must be a date, as in 2024-10-21')
    .optional()
    .meta({
      description: 'Only for the older addresses with a version: the deployment is then a part of the path. Without it: `/openai/v1`.',
      examples: ['2024-10-21'],
    }),
});

const Aws = z.strictObject({
  region: Label.meta({ description: 'The Region that serves the models.', examples: ['eu-central-1'] }),
  endpoint: z
    .enum(['runtime', 'mantle'])
    .default('runtime')
    .meta({ description: 'Which of the two hosts of Bedrock: `bedrock-runtime` or `bedrock-mantle`.', examples: ['mantle'] }),
});

const Google = z.strictObject({
  project: z
    .string()
    .regex(/^[a-z][a-z0-9.:-]{2,99}$/, 'must be the id of a project')
    .optional()
    .meta({ description: 'The id of the project. Leave it out with a key of express mode.', examples: ['my-project'] }),
  location: Label.optional().meta({
    description: 'The location that serves the models: `global`, `us`, `eu` or a region. Default: `global`.',
    examples: ['europe-west1'],
  }),
});

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly standard: number;
}
export const whole = ({ from, to, standard }: Bounds, description: string) =>
  z
    .int()
    .min(from)
    .max(to)
    .default(standard)
    .meta({ description, examples: [standard] });

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const MEBIBYTE = 1_048_576;

export const protocols = ['chat', 'responses', 'anthropic', 'gemini', 'converse', 'images'] as const;
export const Protocols = z
  .array(z.enum(protocols))
  .min(1)
  .max(protocols.length)
  .refine((list) => new Set(list).size === list.length, 'names a protocol twice');

/** Time limits of one request to an upstream; images have their own, because they can take minutes. */
const waits = (standard: { readonly headersMs: number; readonly silenceMs: number }) => ({
  headersMs: whole({ from: 10, to: 6 * HOUR, standard: standard.headersMs }, 'Time until the headers of the answer.'),
  firstEventMs: whole({ from: 10, to: 6 * HOUR, standard: standard.silenceMs }, 'Time from the headers to the first event of a stream.'),
  idleMs: whole({ from: 10, to: 6 * HOUR, standard: standard.silenceMs }, 'Longest silence within an answer that has begun.'),
  totalMs: whole({ from: 10, to: 24 * HOUR, standard: 30 * MINUTE }, 'Time for the whole request.'),
});
const Timeouts = z.strictObject({
  connectMs: whole({ from: 10, to: 2 * MINUTE, standard: 10 * SECOND }, 'Time to connect, TLS included.'),
  ...waits({ headersMs: 10 * MINUTE, silenceMs: 5 * MINUTE }),
});
const ImageTimeouts = z.strictObject(waits({ headersMs: 15 * MINUTE, silenceMs: 15 * MINUTE }));

const Headers = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= 50, 'has more than 50 headers')
  .default({});

const UpstreamProtocols = Protocols.default(['chat', 'responses', 'images']).meta({
  description: 'What the upstream serves: `chat` (/chat/completions), `responses` (/responses), `images` (/images/…).',
  examples: [['chat', 'responses']],
});

/** The keys of every upstream that uses HTTP. */
const reach = {
  apiKey: Secret.optional().meta({
    description: 'The key of the upstream. Take it from the environment; leave it out when the upstream needs none.',
    examples: [`\${OPENAI_API_KEY}`],
  }),
  apiKeys: z
    .array(Secret)
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'Several keys, instead of `apiKey`: calls are spread over them, and a key that the vendor refuses is paused.',
      examples: [[`\${OPENAI_API_KEY_1}`, `\${OPENAI_API_KEY_2}`]],
    }),
  auth: Auth.optional().meta({
    description: 'How requests prove whose they are. Default: the way of the kind with `apiKey`, or that of the place below.',
    examples: [{ type: 'header', name: 'api-key' }],
  }),
  azure: Azure.optional().meta({
    description: 'Served by Azure OpenAI or Foundry: fills in `baseUrl` and the header of the key.',
    examples: [{ resource: 'contoso' }],
  }),
  aws: Aws.optional().meta({
    description: 'Served by Amazon Bedrock: fills in `baseUrl` and the signature.',
    examples: [{ region: 'eu-central-1' }],
  }),
  google: Google.optional().meta({
    description: 'Served by Google Vertex AI: fills in `baseUrl` and the access token.',
    examples: [{ project: 'my-project', location: 'global' }],
  }),
  connections: whole(
    { from: 1, to: 100_000, standard: 1024 },
    'The most requests at once; every open stream counts. Above it: 503 `overloaded`.',
  ),
  accountShare: whole(
    { from: 1, to: 100, standard: 80 },
    'The most of `connections` that one account may use, in percent; less while others use more. 100: all. With fewer than five connections there is no such limit.',
  ),
  queue: whole(
    { from: 0, to: 100_000, standard: 0 },
    'The most requests that wait for a connection, each for at most `timeouts.connectMs`. 0: none waits.',
  ),
  onClientDisconnect: z
    .enum(['abort', 'drain'])
    .optional()
    .meta({
      description:
        'When a caller disconnects: `drain` reads the answer to its end within the two limits below, and the caller is charged what the vendor counted; `abort` cancels the request at once, and usage that cannot be counted is charged at its upper bound. Default: `drain`; `abort` when `billing` is off.',
      examples: ['abort'],
    }),
  drainMs: whole(
    { from: 100, to: 6 * HOUR, standard: 5 * MINUTE },
    'How long the answer is read after the caller disconnects; a longer one is cut, and its usage estimated.',
  ),
  drainBytes: whole(
    { from: 1024, to: 1024 * MEBIBYTE, standard: 16 * MEBIBYTE },
    'How many bytes of the answer are read after the caller disconnects.',
  ),
  headers: Headers.meta({ description: 'Extra headers of each request to the upstream.', examples: [{ 'openai-project': 'proj_1' }] }),
  timeouts: Timeouts.prefault({}).meta({ description: 'Time limits of chat and responses.' }),
  imageTimeouts: ImageTimeouts.prefault({}).meta({
    description:
      'Time limits of images. One image can take minutes and is billed even when it is cancelled: keep these at ten minutes or more.',
  }),
};

export const OpenaiUpstream = z.strictObject({
  kind: z.literal('openai').meta({ description: 'A place that speaks the OpenAI protocol.' }),
  baseUrl: HttpUrl.overwrite((text) => (text === 'https://api.openai.com' ? `${text}/v1` : text))
    .default('https://api.openai.com/v1')
    .meta({
      description: 'Address before `/chat/completions`; for most vendors it ends in `/v1`.',
      examples: ['https://api.openai.com/v1'],
    }),
  protocols: UpstreamProtocols,
  fields: Fields,
  ...reach,
});

export const CompatibleUpstream = z.strictObject({
  kind: z
    .literal('openai-compatible')
    .meta({ description: 'An upstream that speaks chat completions with differences: a local server, or another vendor.' }),
  baseUrl: HttpUrl.optional().meta({
    description: 'Address before `/chat/completions`; for most upstreams it ends in `/v1`. Needed, but for an upstream with a place.',
    examples: ['http://127.0.0.1:11434/v1'],
  }),
  protocols: z.array(z.literal('chat')).length(1).default(['chat']).meta({ description: 'Only `chat`.' }),
  quirks: Quirks.prefault({}).meta({
    description: 'How this upstream differs from OpenAI.',
    examples: [{ structuredOutput: 'json' }],
  }),
  fields: Fields,
  ...reach,
});

const PromptCaching = z
  .enum(['auto', 'off'])
  .default('auto')
  .meta({
    description:
      'Prompt caching for callers who mark nothing themselves. `auto` marks tools, instructions, and the last two user messages of calls that are likely to continue; a write costs more than plain input, a read much less. `off` marks only what callers mark. Models of other providers are not affected.',
    examples: ['off'],
  });

export const AnthropicUpstream = z.strictObject({
  kind: z.literal('anthropic').meta({ description: 'A place that speaks the Anthropic Messages protocol.' }),
  baseUrl: versioned('v1')
    .default('https://api.anthropic.com/v1')
    .meta({ description: 'Address before `/messages`, with or without `/v1`.', examples: ['https://api.anthropic.com'] }),
  protocols: z.array(z.literal('anthropic')).length(1).default(['anthropic']).meta({ description: 'Only `anthropic`.' }),
  promptCaching: PromptCaching,
  ...reach,
});

export const GeminiUpstream = z.strictObject({
  kind: z.literal('gemini').meta({ description: 'A place that speaks the Gemini generateContent protocol.' }),
  baseUrl: versioned('v1beta')
    .default('https://generativelanguage.googleapis.com/v1beta')
    .meta({
      description: 'Address before `/models/…`, with or without `/v1beta`.',
      examples: ['https://generativelanguage.googleapis.com'],
    }),
  protocols: z.array(z.literal('gemini')).length(1).default(['gemini']).meta({ description: 'Only `gemini`.' }),
  ...reach,
});

export const ConverseUpstream = z.strictObject({
  kind: z.literal('converse').meta({ description: 'Models of any vendor in Amazon Bedrock, asked by Converse.' }),
  baseUrl: HttpUrl.optional().meta({
    description: 'Address before `/model/…`. Needed, but for an upstream with `aws`.',
    examples: ['https://bedrock-runtime.eu-central-1.amazonaws.com'],
  }),
  protocols: z.array(z.literal('converse')).length(1).default(['converse']).meta({ description: 'Only `converse`.' }),
  promptCaching: PromptCaching,
  ...reach,
});

export const Seed = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: 'Fixes the ids in its answers: the same requests get the same answers, byte for byte. Only for tests.',
    examples: ['ci'],
  });
export const Clock = z.iso
  .datetime({ offset: true })
  .meta({ description: 'A fixed time for all its answers.', examples: ['2026-01-01T00:00:00Z'] });

export const SimulatorUpstream = z.strictObject({
  kind: z
    .literal('simulator')
    .meta({ description: 'The built-in demo: a program that answers like a model. Needs no network and no key.' }),
  protocols: UpstreamProtocols,
  eventDelayMs: whole({ from: 0, to: 10 * SECOND, standard: 15 }, 'Pause between two events of a stream.'),
  slowMs: whole(
    { from: 0, to: 30 * SECOND, standard: 3 * SECOND },
    'The delay of `simulate: slow`; a tenth of it between two events of a stream.',
  ),
  stallMs: whole({ from: 0, to: 600 * SECOND, standard: 60 * SECOND }, 'When `simulate: stall` ends.'),
  seed: Seed.optional(),
  clock: Clock.optional(),
});
