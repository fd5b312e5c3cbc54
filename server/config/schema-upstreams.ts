/** Schemas of upstreams: the keys of each kind, and the keys that all HTTP upstreams have. */
import { z } from 'zod';
import { Auth } from './auth-settings.ts';
import { Fields } from './field-rules.ts';
import { ScriptedAnswer } from './scripted-answer.ts';
import { BaseUrl, createVersionedBaseUrl, HeaderName, HeaderValue, Secret } from './values.ts';

export const createBooleanSetting = (defaultValue: boolean, description: string) =>
  z
    .boolean()
    .default(defaultValue)
    .meta({ description, examples: [!defaultValue] });

/** Fields that change the response. `hints` contains those that don't. */
const rejectableFields = [
  ...(['temperature', 'top_p', 'n', 'stop', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs'] as const),
  ...(['tools', 'tool_choice', 'prediction', 'modalities', 'web_search_options', 'moderation'] as const),
];

/** Fields that don't change the response. */
const hintFields = [
  ...(['store', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options'] as const),
  ...(['service_tier', 'metadata', 'verbosity'] as const),
];

const createNamesSetting = (description: string, example: string) =>
  z
    .array(z.string().min(1).max(64))
    .max(100)
    .default([])
    .meta({ description, examples: [[example]] });

/** Values of this provider that OpenAI doesn't have. The contract rejects them for every other model. */
const Accepts = z.strictObject({
  tools: createNamesSetting(
    'Types of `tools` that the upstream runs. Each request that offers one is charged for one call, at the price of the type plus `_call`: for `openrouter:web_search`, the price of `openrouter_web_search_call`.',
    'openrouter:web_search',
  ),
  parts: createNamesSetting('Types of message content parts.', 'document_url'),
  toolChoices: createNamesSetting("Values of `tool_choice`, or its `type` if it's an object.", 'any'),
  serviceTiers: createNamesSetting("Values of `service_tier`. They're charged at the model's price.", 'on_demand'),
  untypedTools: createBooleanSetting(false, 'Whether `tools` can be functions without `type`.'),
});

export const Quirks = z.strictObject({
  maxTokensField: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .default('max_tokens')
    .meta({
      description: "The upstream's field for the output limit. Callers can use either name.",
      examples: ['max_completion_tokens'],
    }),
  seedField: z
    .enum(['seed', 'random_seed'])
    .default('seed')
    .meta({ description: "The upstream's field for the seed. Callers use `seed`.", examples: ['random_seed'] }),
  developerRole: createBooleanSetting(
    false,
    'Whether the upstream supports the role `developer`. If not, such messages are sent as `system`.',
  ),
  streamUsage: createBooleanSetting(
    true,
    "Whether the upstream supports `stream_options`, which request the usage of a stream. If not, they're omitted.",
  ),
  structuredOutput: z
    .enum(['schema', 'json', 'none'])
    .default('schema')
    .meta({
      description:
        'Structured output that the upstream supports: `schema` for a JSON schema, `json` for any JSON object, `none` for neither. Requests for more are rejected with 400.',
      examples: ['json'],
    }),
  parallelToolCalls: createBooleanSetting(
    true,
    "Whether the upstream supports `parallel_tool_calls`. If not, `true` is omitted, because it's the default, and `false` is rejected with 400.",
  ),
  strictTools: createBooleanSetting(true, 'Whether tools can have `strict`. If not, `false` is omitted and `true` is rejected with 400.'),
  reasoningEffort: z
    .enum(['send', 'ignore', 'reject'])
    .default('send')
    .meta({
      description:
        "`send` forwards `reasoning_effort`. If the upstream doesn't support it, `reject` returns 400, and `ignore` omits the field and names it in `x-modelgate-dropped`.",
      examples: ['ignore'],
    }),
  reasoningField: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9_]*$/, 'must be a field name of lower-case letters, digits and underscores')
    .optional()
    .meta({
      description: 'Message field that holds the reasoning. `reasoning_content` and `reasoning` are recognized without this setting.',
      examples: ['reasoning_content'],
    }),
  sendReasoningBack: createBooleanSetting(
    false,
    'Whether the upstream requires the reasoning of its earlier turns, in `reasoningField` or `reasoning_content`. Messages with tool calls then always have the field.',
  ),
  reasoningObject: createBooleanSetting(
    false,
    'Whether the upstream accepts `reasoning` of chat callers as an object (`max_tokens`, `enabled`, `exclude`). If not, `effort` is sent as `reasoning_effort`, and the other fields are omitted and named in `x-modelgate-dropped`.',
  ),
  thinkingParts: createBooleanSetting(
    false,
    "Whether assistant messages can have parts of the type `thinking`. If not, they're sent as set by `sendReasoningBack`, or omitted and named in `x-modelgate-dropped`.",
  ),
  hints: z
    .union([z.boolean(), z.array(z.enum(hintFields)).max(hintFields.length)])
    .default(true)
    .meta({
      description:
        "Whether the upstream accepts fields that don't change the response (`store`, `metadata`, `user`, `prompt_cache_key`, `service_tier`, `verbosity`, …), or a list of those that it accepts. Others are omitted and named in `x-modelgate-dropped`.",
      examples: [false, ['prompt_cache_key']],
    }),
  accepts: Accepts.optional().meta({
    description: 'Provider-specific values that chat callers can send. Models that no such upstream serves return 400 for them.',
    examples: [{ parts: ['document_url'] }],
  }),
  unsupported: z
    .array(z.enum(rejectableFields))
    .max(rejectableFields.length)
    .default([])
    .meta({
      description:
        'Fields that the upstream ignores or misreads. A request with one is rejected with 400, instead of getting a wrong response.',
      examples: [['logit_bias', 'n']],
    }),
});

/** A label of a host name. */
const HostLabel = z
  .string()
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must consist of lower-case letters, digits, and hyphens');

const Azure = z.strictObject({
  resource: HostLabel.meta({ description: 'Name of the resource: the first part of its host name.', examples: ['contoso'] }),
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(?:-preview)?$/, 'must be a date, as in 2024-10-21')
    .optional()
    .meta({
      description: 'API version, for the older URLs with the deployment in the path. Omit to use `/openai/v1`.',
      examples: ['2024-10-21'],
    }),
});

const Aws = z.strictObject({
  region: HostLabel.meta({ description: 'AWS Region that serves the models.', examples: ['eu-central-1'] }),
  endpoint: z
    .enum(['runtime', 'mantle'])
    .default('runtime')
    .meta({ description: 'Bedrock endpoint: `bedrock-runtime` or `bedrock-mantle`.', examples: ['mantle'] }),
});

const Google = z.strictObject({
  project: z
    .string()
    .regex(/^[a-z][a-z0-9.:-]{2,99}$/, 'must be a project ID')
    .optional()
    .meta({ description: 'Project ID. Omit it if you use an express mode key.', examples: ['my-project'] }),
  location: HostLabel.optional().meta({
    description: 'Location that serves the models: `global`, `us`, `eu`, or a region. Defaults to `global`.',
    examples: ['europe-west1'],
  }),
});

export const createIntegerSetting = (from: number, to: number, defaultValue: number, description: string) =>
  z
    .int()
    .min(from)
    .max(to)
    .default(defaultValue)
    .meta({ description, examples: [defaultValue] });

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const MEBIBYTE = 1_048_576;

export const protocols = ['chat', 'responses', 'anthropic', 'gemini', 'converse', 'images'] as const;
export const Protocols = z
  .array(z.enum(protocols))
  .min(1)
  .max(protocols.length)
  .refine((list) => new Set(list).size === list.length, "can't contain a protocol twice");

/** Time limits of a request to an upstream. Images have separate limits, because they can take minutes. */
const createTimeoutSettings = (defaults: { readonly headersMs: number; readonly silenceMs: number }) => ({
  headersMs: createIntegerSetting(10, 6 * HOUR, defaults.headersMs, 'Maximum time until the response headers arrive.'),
  firstEventMs: createIntegerSetting(10, 6 * HOUR, defaults.silenceMs, 'Maximum time from the headers to the first event of a stream.'),
  idleMs: createIntegerSetting(10, 6 * HOUR, defaults.silenceMs, 'Maximum time between two chunks of a response.'),
  totalMs: createIntegerSetting(10, 24 * HOUR, 30 * MINUTE, 'Maximum time for the whole request.'),
});
const Timeouts = z.strictObject({
  connectMs: createIntegerSetting(10, 2 * MINUTE, 10 * SECOND, 'Maximum time to connect, including TLS.'),
  ...createTimeoutSettings({ headersMs: 10 * MINUTE, silenceMs: 5 * MINUTE }),
});
const ImageTimeouts = z.strictObject(createTimeoutSettings({ headersMs: 15 * MINUTE, silenceMs: 15 * MINUTE }));

const Headers = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= 50, 'must have at most 50 headers')
  .default({});

const UpstreamProtocols = Protocols.default(['chat', 'responses', 'images']).meta({
  description: 'Protocols that the upstream serves: `chat` (/chat/completions), `responses` (/responses), `images` (/images/…).',
  examples: [['chat', 'responses']],
});

/** The keys of every upstream that uses HTTP. */
const commonSettings = {
  apiKey: Secret.optional().meta({
    description: 'API key of the upstream. Read it from the environment. Omit it if the upstream needs no key.',
    examples: [`\${OPENAI_API_KEY}`],
  }),
  apiKeys: z
    .array(Secret)
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'Several keys instead of `apiKey`. Calls are spread over them, and a rejected key cools down.',
      examples: [[`\${OPENAI_API_KEY_1}`, `\${OPENAI_API_KEY_2}`]],
    }),
  auth: Auth.optional().meta({
    description:
      "How the gateway authenticates to the upstream. Defaults to the kind's usual header with `apiKey`, or to the method of `azure`, `aws`, or `google`.",
    examples: [{ type: 'header', name: 'api-key' }],
  }),
  azure: Azure.optional().meta({
    description: 'Set this if the upstream is Azure OpenAI or Foundry. It sets `baseUrl` and the header of the key.',
    examples: [{ resource: 'contoso' }],
  }),
  aws: Aws.optional().meta({
    description: 'Set this if the upstream is Amazon Bedrock. It sets `baseUrl` and signs requests.',
    examples: [{ region: 'eu-central-1' }],
  }),
  google: Google.optional().meta({
    description: 'Set this if the upstream is Google Vertex AI. It sets `baseUrl` and the access token.',
    examples: [{ project: 'my-project', location: 'global' }],
  }),
  maxConcurrentRequests: createIntegerSetting(
    1,
    100_000,
    1024,
    'Maximum number of concurrent requests. Each open stream counts as one. Further requests return 503 `overloaded`.',
  ),
  accountShare: createIntegerSetting(
    1,
    100,
    80,
    'Maximum percentage of `maxConcurrentRequests` that one account can use. The share shrinks while other accounts use more. Set `100` for no limit. Ignored if `maxConcurrentRequests` is less than 5.',
  ),
  maxPendingRequests: createIntegerSetting(
    0,
    100_000,
    0,
    "Maximum number of requests that wait for a connection, each for at most `timeouts.connectMs`. With `0`, requests don't wait.",
  ),
  onClientDisconnect: z
    .enum(['abort', 'drain'])
    .optional()
    .meta({
      description:
        "What happens when a caller disconnects. `drain` reads the response to its end within the two limits below, and charges the usage that the provider reports. `abort` cancels the request immediately, and charges the maximum for usage that can't be counted. Defaults to `drain`, or to `abort` if `billing` is `off`.",
      examples: ['abort'],
    }),
  drainMs: createIntegerSetting(
    100,
    6 * HOUR,
    5 * MINUTE,
    'How long the response is read after the caller disconnects. If it takes longer, the request is aborted and its usage is estimated.',
  ),
  drainBytes: createIntegerSetting(
    1024,
    1024 * MEBIBYTE,
    16 * MEBIBYTE,
    'Maximum number of bytes of the response to read after the caller disconnects.',
  ),
  headers: Headers.meta({ description: 'Headers to add to each request to the upstream.', examples: [{ 'openai-project': 'proj_1' }] }),
  timeouts: Timeouts.prefault({}).meta({ description: 'Timeouts of chat and responses.' }),
  imageTimeouts: ImageTimeouts.prefault({}).meta({
    description:
      'Timeouts of images. One image can take minutes and is billed even if the request is canceled, so keep these at ten minutes or more.',
  }),
};

export const OpenaiUpstream = z.strictObject({
  kind: z.literal('openai').meta({ description: 'An upstream that speaks the OpenAI protocol.' }),
  baseUrl: BaseUrl.overwrite((text) => (text === 'https://api.openai.com' ? `${text}/v1` : text))
    .default('https://api.openai.com/v1')
    .meta({
      description: 'URL before `/chat/completions`. For most providers it ends in `/v1`.',
      examples: ['https://api.openai.com/v1'],
    }),
  protocols: UpstreamProtocols,
  fields: Fields,
  ...commonSettings,
});

export const CompatibleUpstream = z.strictObject({
  kind: z
    .literal('openai-compatible')
    .meta({ description: 'An upstream that speaks chat completions with differences: a local server or another provider.' }),
  baseUrl: BaseUrl.optional().meta({
    description: 'URL before `/chat/completions`. For most upstreams it ends in `/v1`. Required, except with `azure`, `aws`, or `google`.',
    examples: ['http://127.0.0.1:11434/v1'],
  }),
  protocols: z.array(z.literal('chat')).length(1).default(['chat']).meta({ description: 'Only `chat`.' }),
  quirks: Quirks.prefault({}).meta({
    description: 'How this upstream differs from OpenAI.',
    examples: [{ structuredOutput: 'json' }],
  }),
  fields: Fields,
  ...commonSettings,
});

const PromptCaching = z
  .enum(['auto', 'off'])
  .default('auto')
  .meta({
    description:
      "Prompt caching for calls without cache marks. `auto` marks tools, instructions, and the last two user messages of calls that are likely to continue. A cache write costs more than plain input, and a cache read much less. `off` sends only the callers' own marks. Models of other providers aren't affected.",
    examples: ['off'],
  });

export const AnthropicUpstream = z.strictObject({
  kind: z.literal('anthropic').meta({ description: 'An upstream that speaks the Anthropic Messages protocol.' }),
  baseUrl: createVersionedBaseUrl('v1')
    .default('https://api.anthropic.com/v1')
    .meta({ description: 'URL before `/messages`, with or without `/v1`.', examples: ['https://api.anthropic.com'] }),
  protocols: z.array(z.literal('anthropic')).length(1).default(['anthropic']).meta({ description: 'Only `anthropic`.' }),
  promptCaching: PromptCaching,
  ...commonSettings,
});

export const GeminiUpstream = z.strictObject({
  kind: z.literal('gemini').meta({ description: 'An upstream that speaks the Gemini generateContent protocol.' }),
  baseUrl: createVersionedBaseUrl('v1beta')
    .default('https://generativelanguage.googleapis.com/v1beta')
    .meta({
      description: 'URL before `/models/…`, with or without `/v1beta`.',
      examples: ['https://generativelanguage.googleapis.com'],
    }),
  protocols: z.array(z.literal('gemini')).length(1).default(['gemini']).meta({ description: 'Only `gemini`.' }),
  ...commonSettings,
});

export const ConverseUpstream = z.strictObject({
  kind: z.literal('converse').meta({ description: 'Models of any provider in Amazon Bedrock, called through Converse.' }),
  baseUrl: BaseUrl.optional().meta({
    description: 'URL before `/model/…`. Required, except with `aws`.',
    examples: ['https://bedrock-runtime.eu-central-1.amazonaws.com'],
  }),
  protocols: z.array(z.literal('converse')).length(1).default(['converse']).meta({ description: 'Only `converse`.' }),
  promptCaching: PromptCaching,
  ...commonSettings,
});

export const Seed = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description:
      'Makes the IDs in responses reproducible, so that the same requests get the same responses, byte for byte. For tests only.',
    examples: ['ci'],
  });
export const Clock = z.iso
  .datetime({ offset: true })
  .meta({ description: 'A fixed time for all responses.', examples: ['2026-01-01T00:00:00Z'] });

export const SimulatorUpstream = z.strictObject({
  kind: z
    .literal('simulator')
    .meta({ description: 'The built-in simulator, which responds like a model. It needs no network and no key.' }),
  protocols: UpstreamProtocols,
  eventDelayMs: createIntegerSetting(0, 10 * SECOND, 15, 'Delay between two events of a stream, in milliseconds.'),
  slowMs: createIntegerSetting(
    0,
    30 * SECOND,
    3 * SECOND,
    'Delay of `simulate: slow`, in milliseconds. Between two events of a stream, the delay is a tenth of it.',
  ),
  stallMs: createIntegerSetting(0, 600 * SECOND, 60 * SECOND, 'Time after which `simulate: stall` ends, in milliseconds.'),
  seed: Seed.optional(),
  clock: Clock.optional(),
  answers: z
    .array(ScriptedAnswer)
    .optional()
    .meta({ description: 'What the simulator responds with, in this order. For tests only.', examples: [[{ text: 'Sunny.' }]] }),
  strict: z
    .boolean()
    .optional()
    .meta({
      description: 'Rejects requests with unknown fields, and those for which no answer is left. For tests only.',
      examples: [true],
    }),
});
