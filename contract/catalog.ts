/** The public catalog: every model with its prices, bounds and abilities, readable without a key. */
import { z } from 'zod';
import { kind } from './shared/descriptions.ts';
import { Dollars, Multiplier } from './shared/dollars.ts';

export const CatalogPrices = z
  .union([
    z
      .object({
        input: Dollars.describe('Price of a million input tokens.'),
        cached_input: Dollars.describe('Price of a million input tokens read from a cache.'),
        cache_write: Dollars.describe('Price of a million input tokens written to a cache.'),
        cache_write_1h: Dollars.describe('Price of a million input tokens written to a cache that keeps them for an hour.'),
        cache_write_12h: Dollars.describe('Price of a million input tokens written to a cache that keeps them for 12 hours.'),
        output: Dollars.describe('Price of a million output tokens, reasoning included.'),
        tools: z
          .record(z.string(), Dollars)
          .describe(
            'Price of a call of a tool that the upstream runs, by the type of its output item. A tool without a price is omitted where a request only offers it, and rejected with 400 where the request requires it. Tools that the caller runs cost only their tokens.',
          ),
      })
      .meta({ id: 'TokenPrices', description: 'Prices of a text model. The classes do not overlap: a token is charged in one of them.' }),
    z
      .object({
        images: z.record(z.string(), Dollars).describe('Price of an image, by `size/quality`; `default` when no entry matches.'),
      })
      .meta({ id: 'ImagePrices', description: 'Prices of an image model.' }),
    // The last: clients of openapi-python-client try the parts in order, and can't step over a constant.
    z.literal('free'),
  ])
  .meta({
    id: 'CatalogPrices',
    description: 'Prices per million tokens, prices per image, or `free`; all before the multiplier of a group.',
  });
export type CatalogPrices = z.infer<typeof CatalogPrices>;

export const Abilities = z
  .object({
    tools: z.boolean().describe('Function tools, and free-form tools such as `apply_patch`.'),
    hosted_tools: z.boolean().describe('Tools that the upstream runs, such as a web search.'),
    parallel_tool_calls: z.boolean().describe('Whether a caller can allow or forbid several calls at once.'),
    image_input: z.boolean().describe('Whether it accepts images: in messages, or to edit them.'),
    structured_output: z
      .enum(['schema', 'json', 'none'])
      .describe('The structured output that it supports: a JSON schema, any JSON object, or none.'),
    reasoning_effort: z.boolean().describe('Whether a caller can set the reasoning effort.'),
  })
  .meta({
    id: 'Abilities',
    description: 'The features that the gateway supports for the model. How well the model uses them depends on the model.',
  });
export type Abilities = z.infer<typeof Abilities>;

export const CatalogModel = z
  .object({
    id: z.string().meta({ description: 'Model id for requests.', examples: ['gpt-5.4'] }),
    object: kind('model'),
    owned_by: z.string().describe('Owner of the model: as configured, else the name of its upstream.'),
    kind: z.enum(['text', 'image']).describe('`text` answers chat and responses, `image` generates images.'),
    groups: z
      .array(
        z.object({
          name: z.string().describe('Name of the group.'),
          multiplier: Multiplier.describe('The factor by which prices are multiplied for accounts of this group.'),
        }),
      )
      .describe('Groups of accounts that may call it, each with its multiplier of prices.'),
    prices: CatalogPrices.nullable().describe('What a call costs. Null when calls are not charged.'),
    context_window: z.int().nullable().describe('Size of the context window in tokens, answer included. Null when unknown.'),
    max_output_tokens: z
      .int()
      .nullable()
      .describe('The most tokens of one answer. A call without a limit holds the price of that many. Null for image models.'),
    protocols: z.array(z.enum(['chat', 'responses', 'images'])).describe('The operations that can call it.'),
    abilities: Abilities.describe('The features that a call of it can use.'),
  })
  .meta({ id: 'CatalogModel', description: 'One model of the catalog.' });
export type CatalogModel = z.infer<typeof CatalogModel>;

export const CatalogList = z
  .object({ object: kind('list'), data: z.array(CatalogModel).describe('The models, in a stable order.') })
  .meta({ id: 'CatalogList', description: 'Models of the catalog. `GET /v1/models` lists those that a key can call.' });
export type CatalogList = z.infer<typeof CatalogList>;

export const CatalogQuery = z.strictObject({
  group: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      description: 'Only models that accounts of this group may call. `default` and `vip` always exist. Absent: all models.',
      examples: ['default'],
    }),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;
