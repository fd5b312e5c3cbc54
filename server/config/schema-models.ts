/** Schemas of limits, groups, plans, prices, candidates, and routing in the configuration file. */
import { z } from 'zod';
import { efforts, reasoningForms, samplingFields } from './model-rules.ts';
import { createIntegerSetting, HOUR, MINUTE, Protocols, SECOND } from './schema-upstreams.ts';
import { ModelId, UpstreamName } from './values.ts';

/** Dollars with at most six decimal places, so that every amount is a whole number of micro-dollars. */
export const Dollars = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be an amount in dollars in quotes, such as '1.25', with at most six decimal places");
const Rate = z
  .string()
  .regex(
    /^\d{1,5}(?:\.\d{1,6})?$/,
    "must be dollars per million tokens in quotes, such as '1.25', below 100,000, with at most six decimal places",
  );

const Multiplier = z
  .string()
  .regex(/^(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/, "must be a number in quotes from '0' to '100', with at most six decimal places");

/** Excludes `auto`, `default`, and `standard`, which have the prices of the model. */
const ServiceTier = z
  .string()
  .max(64)
  .regex(/^(?!auto$|default$|standard)[a-z][a-z0-9_-]*$/, 'must be a service tier such as flex or priority');

/** Excludes calls of client-side tools, which cost only their tokens. */
const ToolCall = z
  .string()
  .max(64)
  .regex(/^(?!function_call$|custom_tool_call$)[a-z][a-z0-9_]*_call$/, 'must be the type of an output item, such as web_search_call');

const Rates = z.strictObject({
  input: Rate.meta({ description: 'Dollars per million input tokens.', examples: ['1.25'] }),
  cachedInput: Rate.optional().meta({
    description: 'Dollars per million input tokens read from a cache. Defaults to `input`.',
    examples: ['0.125'],
  }),
  cacheWrite: Rate.optional().meta({
    description: 'Dollars per million input tokens written to a cache. Defaults to `input`.',
    examples: ['1.25'],
  }),
  cacheWrite1h: Rate.optional().meta({
    description:
      'Dollars per million input tokens written to a cache that keeps them for an hour, if the provider reports them. Defaults to `cacheWrite`.',
    examples: ['6'],
  }),
  cacheWrite12h: Rate.optional().meta({
    description:
      'Dollars per million input tokens written to a cache that keeps them for 12 hours, if the provider reports them. Defaults to `cacheWrite`.',
    examples: ['2.5'],
  }),
  imageInput: Rate.optional().meta({
    description: 'Dollars per million image input tokens, if the provider reports them. Defaults to `input`.',
    examples: ['8'],
  }),
  audioInput: Rate.optional().meta({
    description: 'Dollars per million audio input tokens, if the provider reports them. Defaults to `input`.',
    examples: ['32'],
  }),
  output: Rate.meta({ description: 'Dollars per million output tokens, including reasoning.', examples: ['10'] }),
  imageOutput: Rate.optional().meta({
    description: 'Dollars per million image output tokens, if the provider reports them. Defaults to `output`.',
    examples: ['30'],
  }),
  audioOutput: Rate.optional().meta({
    description: 'Dollars per million audio output tokens, if the provider reports them. Defaults to `output`.',
    examples: ['64'],
  }),
});
export type Rates = z.infer<typeof Rates>;

const TokenPrices = Rates.extend({
  longContext: z
    .record(z.string().regex(/^[1-9]\d{3,8}$/, 'must be a number of input tokens such as 272000'), Rates)
    .refine((prices) => Object.keys(prices).length <= 8, 'must have at most 8 entries')
    .optional()
    .meta({
      description:
        'Prices of requests with more input tokens than the key, cached ones included. They apply to the whole request, and prices that an entry omits have the defaults above.',
      examples: [{ 272000: { input: '5', cachedInput: '0.5', output: '22.5' } }],
    }),
  serviceTiers: z
    .record(ServiceTier, Multiplier)
    .optional()
    .meta({
      description:
        'Multipliers of token prices, by the service tier that the provider reports. A request for a tier without a multiplier is rejected. Prices of tools stay the same.',
      examples: [{ flex: '0.5', priority: '2' }],
    }),
  tools: z
    .record(ToolCall, Dollars.meta({ description: 'Dollars per call.', examples: ['0.01'] }))
    .optional()
    .meta({
      description:
        'Dollars per call of a tool that the upstream runs, by the type of its output item. A tool without a price is omitted if the request only offers it, and rejected if the request requires it. `0` counts as a price.',
      examples: [{ web_search_call: '0.01', image_generation_call: '0.04' }],
    }),
});

/** A size and quality such as `1024x1024/high` or `auto/low`, or `partial`, or `default`, which applies if no other entry matches. */
const ImagePriceKind = z
  .string()
  .regex(
    /^(?:default|partial|(?:\d{2,5}x\d{2,5}|auto|\*)\/(?:low|medium|high|xhigh|max|standard|hd|auto|\*))$/,
    'must be size/quality such as 1024x1024/high, partial, or default',
  );
const ImagePrices = z.strictObject({
  images: z
    .record(ImagePriceKind, Dollars.meta({ description: 'Dollars per image.', examples: ['0.25'] }))
    .refine((prices) => 'default' in prices, 'must have an entry `default`, which applies to all other sizes and qualities')
    .meta({
      description: 'Dollars per image, by `size/quality`. `partial` is the price of each partial image that is streamed, 0 if absent.',
      examples: [{ '1024x1024/low': '0.011', default: '0.25' }],
    }),
});

/** `free` must be explicit, so that a forgotten price doesn't make a model free. */
export const Prices = z.union([z.literal('free'), ImagePrices, TokenPrices], {
  error: 'must be free, or have input and output, or images',
});
export type Prices = z.infer<typeof Prices>;

const limitModes = ['off', 'observe', 'enforce'] as const;
const Mode = z
  .enum(limitModes)
  .default('enforce')
  .meta({
    description: '`enforce` rejects calls above the limit. `observe` counts and logs them, but never rejects. `off` turns the limit off.',
    examples: ['observe'],
  });
const createLimitSetting = (max: number, description: string) => {
  const count = z.int().min(1).max(max);
  return z
    .union([count, z.strictObject({ limit: count.meta({ description, examples: [60] }), mode: Mode })])
    .optional()
    .meta({ description, examples: [60, { limit: 60, mode: 'observe' }] });
};

/** A plain number is enforced; `observe` counts and logs, but rejects nothing. */
export const Limits = z.strictObject({
  requestsPerMinute: createLimitSetting(10_000_000, 'Maximum number of requests per minute.'),
  tokensPerMinute: createLimitSetting(10_000_000_000, 'Maximum tokens per minute, input plus output.'),
  concurrency: createLimitSetting(1_000_000, 'Maximum number of concurrent requests.'),
});
export type Limits = z.infer<typeof Limits>;

export const GroupName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_-]*$/, 'must consist of lower-case letters, digits, hyphens, and underscores, and start with a letter');

const Group = z.strictObject({
  multiplier: Multiplier.default('1').meta({
    description: 'Factor by which prices are multiplied for accounts in this group.',
    examples: ['0.8'],
  }),
  limits: Limits.prefault({}).meta({ description: 'Limits for all accounts in the group combined.' }),
});

/** Adds the groups `default` and `vip`, which always exist. */
export const addStandardGroups = (groups: z.infer<typeof Groups>): z.infer<typeof Groups> => ({
  default: Group.parse({}),
  vip: Group.parse({}),
  ...groups,
});

export const Groups = z
  .record(GroupName, Group)
  .refine((groups) => Object.keys(groups).length <= 1_000, 'must have at most 1,000 entries')
  .default({})
  .meta({ description: 'Groups of accounts, with a price multiplier and limits. `default` and `vip` always exist.' });

const Plan = z.strictObject({
  included: Dollars.meta({ description: 'Dollars included in each period.', examples: ['20'] }),
  period: z
    .enum(['day', 'week', 'month'])
    .default('month')
    .meta({ description: 'How often the amount resets, in UTC. Weeks start on Monday.' }),
  onExhaustion: z.enum(['stop', 'balance']).default('stop').meta({
    description: 'What happens when the amount is used up: `stop` rejects calls until the next period, `balance` charges the balance.',
  }),
  priceList: GroupName.default('standard').meta({ description: 'Price list that applies to calls under this plan.' }),
});
export const Plans = z
  .record(GroupName, Plan)
  .refine((plans) => Object.keys(plans).length <= 1_000, 'must have at most 1,000 entries')
  .default({})
  .meta({ description: 'Plans that accounts can subscribe to.', examples: [{ pro: { included: '20', onExhaustion: 'balance' } }] });

export const PriceLists = z
  .record(GroupName, z.record(ModelId, Prices))
  .default({})
  .meta({
    description: "Prices that override those of the models, by price list and model. The models' own prices are the list `standard`.",
    examples: [{ wholesale: { 'gpt-5.4': { input: '1', output: '8' } } }],
  });

export const DefaultLimits = z
  .strictObject({
    perKey: Limits.prefault({}).meta({ description: "Limits of each key that doesn't override them." }),
    perAccount: Limits.prefault({}).meta({ description: "Limits of each account that doesn't override them." }),
  })
  .prefault({})
  .meta({ description: 'Default limits. Limits of a key or an account override them.' });

export const Candidate = z.strictObject({
  upstream: UpstreamName.meta({ description: 'Name of an upstream that serves the model.', examples: ['openai'] }),
  upstreamModel: ModelId.optional().meta({
    description: "Model name at this upstream. Defaults to the model's `id`.",
    examples: ['gpt-5.4-2026-03-05'],
  }),
  protocols: Protocols.optional().meta({
    description:
      "Protocols to use at this upstream. The caller's protocol is preferred. Defaults to all protocols that the kind and the upstream support.",
    examples: [['responses']],
  }),
  priority: createIntegerSetting(
    1,
    100,
    1,
    'Candidates with priority 1 are used before those with priority 2, as long as one of them is healthy.',
  ),
  weight: createIntegerSetting(1, 1_000, 1, 'Relative share of calls among candidates with the same priority.'),
  cost: Prices.optional().meta({
    description:
      "Prices that the provider bills you, in the form of `prices`, or `free`. Operators see the cost next to the charges. Callers never see or pay it. Omit if it's unknown.",
    examples: [{ input: '0.9', cachedInput: '0.09', output: '7.2' }],
  }),
});

export const TokenCount = z.int().min(1).max(10_000_000);

/** What a model accepts. Overrides the known rules of the model. */
export const ModelAccepts = z.strictObject({
  reasoning: z
    .array(z.enum(reasoningForms))
    .optional()
    .meta({
      description:
        "How the provider is asked for reasoning: `effort` (Claude's effort), `adaptive` (Claude's adaptive thinking), `budget` (tokens), or `level` (Gemini's levels). `[]` if the model can't reason.",
      examples: [['effort', 'adaptive']],
    }),
  efforts: z
    .array(z.enum(efforts))
    .optional()
    .meta({
      description: 'Values of the reasoning effort. The nearest one is sent for others. `none` if reasoning can be turned off.',
      examples: [['low', 'medium', 'high']],
    }),
  budget: z
    .strictObject({
      min: TokenCount.meta({ description: 'Minimum number of tokens.', examples: [1024] }),
      max: TokenCount.meta({ description: 'Maximum number of tokens.', examples: [24_576] }),
    })
    .optional()
    .meta({ description: 'Bounds of a reasoning budget, for `reasoning: [budget]`.', examples: [{ min: 1024, max: 24_576 }] }),
  off: z
    .enum(['disabled', 'between_tools'])
    .optional()
    .meta({
      description: "Type of Claude's `thinking` that turns reasoning off. Defaults to `disabled`.",
      examples: ['between_tools'],
    }),
  unsupported: z
    .array(z.enum(samplingFields))
    .optional()
    .meta({ description: 'Fields that the model rejects. They are omitted.', examples: [['temperature', 'top_p']] }),
  bothSampling: z
    .boolean()
    .optional()
    .meta({ description: 'Whether `temperature` and `top_p` can be set together. If not, `top_p` is omitted.', examples: [false] }),
  prefill: z
    .boolean()
    .optional()
    .meta({
      description: 'Whether a conversation can end with an assistant message. If not, the user message `Continue.` follows it.',
      examples: [false],
    }),
  forcedTools: z
    .boolean()
    .optional()
    .meta({
      description: 'Whether `tool_choice` can require a call. If not, the instructions ask for it.',
      examples: [false],
    }),
  maxOutputTokens: TokenCount.optional().meta({
    description: 'Maximum number of output tokens. A higher limit of a caller is lowered to it.',
    examples: [64_000],
  }),
});

/** What a model can do, for callers who choose one. */
export const Capabilities = z.strictObject({
  imageInput: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the model accepts images.', examples: [false] }),
  reasoningEffort: z
    .boolean()
    .optional()
    .meta({ description: 'Whether requests can set the reasoning effort.', examples: [false] }),
});

export const Routing = z.strictObject({
  maxAttempts: createIntegerSetting(
    1,
    10,
    3,
    'Maximum number of attempts per request, across all candidates. A candidate that failed is retried once.',
  ),
  deadlineMs: createIntegerSetting(100, HOUR, 2 * MINUTE, 'Time from the start of a request after which no further attempt starts.'),
  affinity: z
    .enum(['key', 'session', 'none'])
    .default('key')
    .meta({
      description:
        "Which calls stay on one candidate, so that they hit its provider's cache. `session`: calls with the same `prompt_cache_key`, the same previous response, or else the same start of the conversation. `key`: like `session`, but with the API key instead of the start of the conversation. `none`: no calls.",
      examples: ['session'],
    }),
  breaker: z
    .strictObject({
      failures: createIntegerSetting(1, 1_000, 5, 'Consecutive failures after which the circuit of a model at an upstream opens.'),
      cooldownMs: createIntegerSetting(
        10,
        HOUR,
        10 * SECOND,
        'How long the circuit stays open. The time doubles after each failed probe, up to ten minutes. A longer `retry-after` takes precedence.',
      ),
    })
    .prefault({})
    .meta({ description: 'Circuit breaker: after failures, a model at an upstream cools down and gets no calls.' }),
});
