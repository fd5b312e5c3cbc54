/** The public catalog: every model with its prices, bounds and abilities, before anyone has a key. */
import { z } from 'zod';
import { Dollars, Multiplier } from './dollars.ts';
import { kind } from './wording.ts';

export const CatalogPrices = z
  .union([
    z.literal('free'),
    z
      .object({
        input: Dollars.describe('Price of a million input tokens.'),
        cached_input: Dollars.describe('Price of a million input tokens that were read from a cache.'),
        cache_write: Dollars.describe('Price of a million input tokens that were written to a cache.'),
        output: Dollars.describe('Price of a million output tokens, reasoning included.'),
        tools: z
          .record(z.string(), Dollars)
          .describe(
            'Price of a call of a tool that the upstream runs itself, by the type of its output item. Such a tool without a price is refused with 400; tools that the caller runs cost their tokens alone.',
          ),
      })
      .meta({ id: 'TokenPrices', description: 'Prices of a text model. The classes do not overlap: a token is charged in one of them.' }),
    z
      .object({
        images: z.record(z.string(), Dollars).describe('Price of a picture, by `size/quality`; `default` for what no entry fits.'),
      })
      .meta({ id: 'ImagePrices', description: 'Prices of an image model.' }),
  ])
  .meta({
    id: 'CatalogPrices',
    description: '`free`, prices by the million tokens, or prices by the picture; all before the multiplier of a group.',
  });
export type CatalogPrices = z.infer<typeof CatalogPrices>;

export const Abilities = z
  .object({
    tools: z.boolean().describe('Function tools, and free-form tools such as `apply_patch`.'),
    hosted_tools: z.boolean().describe('Tools that the upstream runs itself, such as a web search.'),
    parallel_tool_calls: z.boolean().describe('Whether a caller can say if there may be several calls at once.'),
    image_input: z.boolean().describe('Whether it takes pictures: in messages, or to change them.'),
    structured_output: z
      .enum(['schema', 'json', 'none'])
      .describe('What an answer can be held to: a JSON schema, any JSON object, or neither.'),
    reasoning_effort: z.boolean().describe('Whether a caller can say how much it should think.'),
  })
  .meta({
    id: 'Abilities',
    description: 'What the gateway carries to and from the model. How well the model makes use of it is its own affair.',
  });
export type Abilities = z.infer<typeof Abilities>;

export const CatalogModel = z
  .object({
    id: z.string().meta({ description: 'Model id to put into requests.', examples: ['gpt-5.4'] }),
    object: kind('model'),
    owned_by: z.string().describe('Where the model comes from: what its operator says, else the name of its upstream.'),
    kind: z.enum(['text', 'image']).describe('`text` answers chat and responses, `image` draws.'),
    groups: z
      .array(
        z.object({
          name: z.string().describe('Name of the group.'),
          multiplier: Multiplier.describe('What the prices are multiplied with for accounts of this group.'),
        }),
      )
      .describe('Groups of accounts that may call it, and what its prices are multiplied with for each.'),
    prices: CatalogPrices.nullable().describe('What a call costs. Null where calls are not charged.'),
    context_window: z.int().nullable().describe('Tokens that it takes, answer included. Null where that is not known.'),
    max_output_tokens: z
      .int()
      .nullable()
      .describe('Most tokens of one answer, by which its price is reckoned where a call sets no limit. Null for pictures.'),
    protocols: z.array(z.enum(['chat', 'responses', 'images'])).describe('What it can be called by.'),
    abilities: Abilities.describe('What a call of it can ask for.'),
  })
  .meta({ id: 'CatalogModel', description: 'One model, for whoever chooses.' });
export type CatalogModel = z.infer<typeof CatalogModel>;

export const CatalogList = z
  .object({ object: kind('list'), data: z.array(CatalogModel).describe('The models, in a stable order.') })
  .meta({ id: 'CatalogList', description: 'Models of the catalog. Which of them a key can call, `GET /v1/models` says.' });
export type CatalogList = z.infer<typeof CatalogList>;

export const CatalogQuery = z.strictObject({
  group: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      description: 'Only models that accounts of this group may call. `default` and `vip` are always there. Absent: all models.',
      examples: ['default'],
    }),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;
