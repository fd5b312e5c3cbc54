/** The public catalog: every model with its prices, limits, and capabilities, readable without a key. */
import { z } from 'zod';
import { createTypeField } from './shared/descriptions.ts';
import { Dollars, Multiplier } from './shared/dollars.ts';

const TokenRates = z
  .object({
    input: Dollars.describe('Price per million input tokens.'),
    cached_input: Dollars.describe('Price per million input tokens read from a cache.'),
    cache_write: Dollars.describe('Price per million input tokens written to a cache.'),
    cache_write_1h: Dollars.describe('Price per million input tokens written to a cache that keeps them for 1 hour.'),
    cache_write_12h: Dollars.describe('Price per million input tokens written to a cache that keeps them for 12 hours.'),
    image_input: Dollars.describe('Price per million input tokens of images.'),
    audio_input: Dollars.describe('Price per million input tokens of audio.'),
    output: Dollars.describe('Price per million output tokens, including reasoning tokens.'),
    image_output: Dollars.describe('Price per million output tokens of images.'),
    audio_output: Dollars.describe('Price per million output tokens of audio.'),
  })
  .meta({ id: 'TokenRates', description: 'Prices per million tokens. Each token is charged in exactly one of these classes.' });

const TokenPrices = TokenRates.extend({
  long_context: z
    .record(z.string(), TokenRates)
    // Optional, because generated clients try each member of the price union, and fail on a missing required record of objects.
    .optional()
    .describe(
      'Prices of requests with more input tokens than the key, cached ones included, for the whole request. Absent if the length of a request makes no difference.',
    ),
  service_tiers: z
    .record(z.string(), Multiplier)
    .describe(
      'Factors of the prices per million tokens, by the service tier that processed the request. Requests for a tier without a factor return 400.',
    ),
  tools: z
    .record(z.string(), Dollars)
    .describe(
      'Price per call to a tool that the upstream runs, by the type of its output item. A tool without a price is dropped if the request only offers it, and returns 400 if the request requires it. Tools that you run cost only their tokens.',
    ),
}).meta({ id: 'TokenPrices', description: 'Prices by tokens.' });

const ImagePrices = z
  .object({
    images: z
      .record(z.string(), Dollars)
      .describe(
        'Price per image, by `size/quality`. `default` applies if no other entry matches, and `partial` to each partial image of a stream.',
      ),
  })
  .meta({ id: 'ImagePrices', description: 'Prices of an image model.' });

export const CatalogPrices = z
  .union([
    TokenPrices,
    ImagePrices,
    // Must be last: clients from openapi-python-client try the members in order, and can't skip a constant.
    z.literal('free'),
  ])
  .meta({
    id: 'CatalogPrices',
    description: "Prices per million tokens, prices per image, or `free`. All prices are before the group's multiplier.",
  });
export type CatalogPrices = z.infer<typeof CatalogPrices>;

export const ModelPricing = z
  .union([TokenPrices, ImagePrices])
  .meta({ id: 'ModelPricing', description: 'Prices per million tokens, or prices per image. All are 0 for a free model.' });
export type ModelPricing = z.infer<typeof ModelPricing>;

export const Abilities = z
  .object({
    tools: z.boolean().describe('Whether the model supports function tools, and free-form tools such as `apply_patch`.'),
    hosted_tools: z.boolean().describe('Whether the model supports tools that the upstream runs, such as web search.'),
    parallel_tool_calls: z.boolean().describe('Whether requests can allow or forbid parallel tool calls.'),
    image_input: z.boolean().describe('Whether the model accepts images, in messages or to edit them.'),
    structured_output: z
      .enum(['schema', 'json', 'none'])
      .describe('The structured output that the model supports: a JSON schema, any JSON object, or none.'),
    reasoning_effort: z.boolean().describe('Whether requests can set the reasoning effort.'),
  })
  .meta({
    id: 'Abilities',
    description: 'The features that the gateway supports for the model. How well the model uses them depends on the model.',
  });
export type Abilities = z.infer<typeof Abilities>;

export const CatalogModel = z
  .object({
    id: z.string().meta({ description: 'The model ID to use in requests.', examples: ['gpt-5.4'] }),
    object: createTypeField('model'),
    owned_by: z.string().describe('The owner of the model, as configured, or else the name of its upstream.'),
    kind: z.enum(['text', 'image']).describe('`text`: chat completions and responses. `image`: image generations and edits.'),
    groups: z
      .array(
        z.object({
          name: z.string().describe('The name of the group.'),
          multiplier: Multiplier.describe('The price multiplier for accounts in this group.'),
        }),
      )
      .describe('The account groups that can call the model, each with its price multiplier.'),
    prices: CatalogPrices.nullable().describe('The prices of the model. Null when billing is off.'),
    context_window: z.int().nullable().describe('The size of the context window in tokens, including the output. Null if unknown.'),
    max_output_tokens: z
      .int()
      .nullable()
      .describe(
        'Maximum number of output tokens per response. A call without an output limit reserves the price of that many. Null for image models.',
      ),
    protocols: z.array(z.enum(['chat', 'responses', 'images'])).describe('The APIs that can call the model.'),
    abilities: Abilities.describe('The features that calls to the model can use.'),
  })
  .meta({ id: 'CatalogModel', description: 'A model in the catalog.' });
export type CatalogModel = z.infer<typeof CatalogModel>;

export const CatalogList = z
  .object({ object: createTypeField('list'), data: z.array(CatalogModel).describe('The models, in a stable order.') })
  .meta({ id: 'CatalogList', description: 'The models in the catalog. `GET /v1/models` lists those that your key can call.' });
export type CatalogList = z.infer<typeof CatalogList>;

export const CatalogQuery = z.strictObject({
  group: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      description: 'Only models that accounts in this group can call. `default` and `vip` always exist. Omit to get all models.',
      examples: ['default'],
    }),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;
