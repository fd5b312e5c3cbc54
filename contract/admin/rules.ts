/** Configured rules: groups, prices, and limits. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Multiplier } from '../shared/dollars.ts';
import { createListSchema, Limits, ModelName, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const Group = z
  .object({
    object: createTypeField('group'),
    name: z.string().describe('The name of the group in the configuration.'),
    multiplier: Multiplier.describe('The price multiplier for accounts in the group.'),
    limits: Limits.describe('The limits shared by all accounts in the group.'),
    models: z.array(z.string()).describe('The models that accounts in the group can call.'),
  })
  .meta({ id: 'Group', description: 'A configured account group.' });
export const GroupList = createListSchema('GroupList', 'A list of the configured groups.', Group);

const RATE_RULE = "must be US dollars per million tokens, such as '1.25', below 100000";
const Rate = z.string().regex(/^\d{1,5}(?:\.\d{1,6})?$/, RATE_RULE);
const imageKind = z
  .string()
  .regex(
    /^(?:default|partial|(?:\d{2,5}x\d{2,5}|auto|\*)\/(?:low|medium|high|xhigh|max|standard|hd|auto|\*))$/,
    'must be size/quality such as 1024x1024/high, partial, or default',
  );
const unitRate = z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be a US dollar amount such as '0.167'");

const toolCall = z
  .string()
  .max(64)
  .regex(/^(?!function_call$|custom_tool_call$)[a-z][a-z0-9_]*_call$/, 'must be the type of an output item such as web_search_call');

/** Tiers with their own prices. `auto`, `default`, and `standard` use the model's prices. */
const serviceTier = z
  .string()
  .max(64)
  .regex(/^(?!auto$|default$|standard)[a-z][a-z0-9_-]*$/, 'must be a service tier such as flex or priority');
const factor = z
  .string()
  .regex(/^(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/, "must be a number from '0' to '100', with at most six decimal places");

const Rates = z
  .strictObject({
    input: Rate.describe('US dollars per million input tokens.'),
    cached_input: Rate.optional().describe('US dollars per million input tokens read from a cache. Defaults to the price of `input`.'),
    cache_write: Rate.optional().describe('US dollars per million input tokens written to a cache. Defaults to the price of `input`.'),
    cache_write_1h: Rate.optional().describe(
      'US dollars per million input tokens written to a cache that keeps them for 1 hour. Defaults to `cache_write`.',
    ),
    cache_write_12h: Rate.optional().describe(
      'US dollars per million input tokens written to a cache that keeps them for 12 hours. Defaults to `cache_write`.',
    ),
    image_input: Rate.optional().describe(
      'US dollars per million image input tokens, if the provider reports them. Defaults to the price of `input`.',
    ),
    audio_input: Rate.optional().describe(
      'US dollars per million audio input tokens, if the provider reports them. Defaults to the price of `input`.',
    ),
    output: Rate.describe('US dollars per million output tokens, including reasoning tokens.'),
    image_output: Rate.optional().describe(
      'US dollars per million image output tokens, if the provider reports them. Defaults to the price of `output`.',
    ),
    audio_output: Rate.optional().describe(
      'US dollars per million audio output tokens, if the provider reports them. Defaults to the price of `output`.',
    ),
  })
  .meta({ id: 'TokenRateSetting', description: "Prices per million tokens, before the group's multiplier." });

export const TokenPrices = Rates.extend({
  long_context: z
    .record(z.string().regex(/^[1-9]\d{3,8}$/, 'must be a number of input tokens such as 272000'), Rates)
    .refine((prices) => Object.keys(prices).length <= 8, 'must have at most 8 entries')
    .optional()
    .describe(
      'Prices of requests with more input tokens than the key, cached ones included, for the whole request. Prices that an entry omits default as above. Omit if the length of a request makes no difference.',
    ),
  service_tiers: z
    .record(serviceTier, factor)
    .optional()
    .describe(
      'Multipliers of token prices, by the service tier that processed the request. Requests for a tier without a multiplier return 400. Omit if no tier has one.',
    ),
  tools: z
    .record(toolCall, unitRate)
    .optional()
    .describe(
      'US dollars per call to a tool that the upstream runs, by the type of its output item, such as `web_search_call`. Requests that require a tool of the upstream without a price return 400. Omit if no tool has a price.',
    ),
}).meta({ id: 'TokenPriceSetting', description: "Prices per million tokens, before the group's multiplier." });
export const ImagePrices = z
  .strictObject({
    images: z
      .record(imageKind, unitRate)
      .refine((prices) => 'default' in prices, 'must have a default entry, for sizes and qualities that no other entry matches')
      .describe(
        'US dollars per image, by `size/quality`. `*` matches any size or quality. `default` applies if no other entry matches. `partial` is the price of each partial image that is streamed, 0 if absent.',
      ),
  })
  .meta({ id: 'ImagePriceSetting', description: "Prices of an image model, before the group's multiplier." });
export const Prices = z.union([TokenPrices, ImagePrices, z.literal('free')]).meta({
  id: 'Prices',
  description: '`free`, prices per million tokens, or prices per image.',
  examples: [{ input: '2.5', cached_input: '0.25', output: '15' }],
});
export type Prices = z.infer<typeof Prices>;

export const PriceVersion = z
  .object({
    object: createTypeField('price'),
    version: z
      .int()
      .nullable()
      .describe("The number of the version, which receipts refer to. Null if it comes from the configuration and isn't in effect yet."),
    price_list: z.string().describe('The price list that the version belongs to: `standard`, or one that a plan uses.'),
    model: z.string().describe('The ID of the model.'),
    source: z.enum(['config', 'admin']).describe('The source of the price: `config` for the configuration, `admin` for an operator.'),
    prices: Prices.describe('The prices of a call, before the multiplier.'),
    created_at: Time.nullable().describe("When the version was created. Null if it isn't in effect yet."),
  })
  .meta({ id: 'PriceVersion', description: "A version of a model's prices in a price list. Receipts keep referring to old versions." });
export type PriceVersion = z.infer<typeof PriceVersion>;
export const PriceList = createListSchema('PriceList', 'A list of the latest versions, one per price list and model.', PriceVersion);

export const NewPrice = z
  .strictObject({
    price_list: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The price list: `standard`, or one that a plan uses. Defaults to `standard`.'),
    model: ModelName.describe('The ID of a configured model.'),
    prices: Prices.describe(
      "All prices of the model. Omitted prices aren't copied from the previous version. The prices must match the kind of the model.",
    ),
  })
  .meta({
    id: 'NewPrice',
    description: "A new version of a model's prices.",
    examples: [{ model: 'gpt-5.4', prices: { input: '2.5', cached_input: '0.25', output: '15' } }],
  });

export const LimitOverview = z
  .object({
    object: createTypeField('limits'),
    per_key: Limits.describe('The limits of each key without its own.'),
    per_account: Limits.describe('The limits of each account without its own.'),
    groups: z
      .array(
        z.object({
          name: z.string().describe('The name of the group.'),
          limits: Limits.describe('The limits shared by all accounts in the group.'),
        }),
      )
      .describe('Every configured group.'),
    models: z
      .array(
        z.object({
          id: z.string().describe('The ID of the model.'),
          limits: Limits.describe('The limits shared by all calls to the model.'),
        }),
      )
      .describe('Every configured model.'),
  })
  .meta({ id: 'LimitOverview', description: 'The configured limits.' });

const metadata = { tag: 'Rules' } as const satisfies AdminMetadata;

export const ruleRoutes = {
  listGroups: {
    method: 'GET',
    path: '/groups',
    responses: { 200: GroupList },
    summary: 'List groups',
    description: 'Lists the configured groups, with their multiplier, limits, and models.',
    metadata,
  },
  listPrices: {
    method: 'GET',
    path: '/prices',
    responses: { 200: PriceList },
    summary: 'List prices',
    description: 'Lists the current prices of each model, by price list.',
    metadata,
  },
  createPrice: {
    method: 'POST',
    path: '/prices',
    body: NewPrice,
    responses: { 200: PriceVersion },
    summary: 'Set a price',
    description:
      "Creates a new version of a model's prices. Requests in flight are charged by the version that they started with. Send all prices: omitted prices aren't copied from the previous version.",
    metadata,
  },
  getLimits: {
    method: 'GET',
    path: '/limits',
    responses: { 200: LimitOverview },
    summary: 'Get the limits',
    description:
      'Returns the configured limits of keys, accounts, groups, and models. To get the limits set on a single key or account, retrieve that key or account.',
    metadata,
  },
} as const;
