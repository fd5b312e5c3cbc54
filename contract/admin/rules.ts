/** Rules of the configuration: groups, prices and limits. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Multiplier } from '../shared/dollars.ts';
import { Limits, listOf, ModelName, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const Group = z
  .object({
    object: kind('group'),
    name: z.string().describe('Name of the group in the configuration.'),
    multiplier: Multiplier.describe('The factor by which prices are multiplied for its accounts.'),
    limits: Limits.describe('Limits of all accounts of the group together.'),
    models: z.array(z.string()).describe('Models that its accounts may call.'),
  })
  .meta({ id: 'Group', description: 'A group of accounts, as the configuration says.' });
export const GroupList = listOf('GroupList', 'Groups of the configuration.', Group);

const RATE_RULE = "must be dollars per million tokens as a text, such as '1.25', below 100000";
const Rate = z.string().regex(/^\d{1,5}(?:\.\d{1,6})?$/, RATE_RULE);
const pictureKind = z
  .string()
  .regex(
    /^(?:default|(?:\d{2,5}x\d{2,5}|auto|\*)\/(?:low|medium|high|xhigh|max|standard|hd|auto|\*))$/,
    'must be size/quality such as 1024x1024/high, or default',
  );
const unitRate = z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be dollars as a text, such as '0.167'");

const toolCall = z
  .string()
  .max(64)
  .regex(/^(?!function_call$|custom_tool_call$)[a-z][a-z0-9_]*_call$/, 'must be the type of an output item such as web_search_call');

export const TokenPrices = z
  .strictObject({
    input: Rate.describe('Dollars per million input tokens.'),
    cached_input: Rate.optional().describe('Dollars per million input tokens read from a cache. Absent: the price of input.'),
    cache_write: Rate.optional().describe('Dollars per million input tokens written to a cache. Absent: the price of input.'),
    cache_write_1h: Rate.optional().describe('The same for tokens that the cache keeps for an hour. Absent: `cache_write`.'),
    cache_write_12h: Rate.optional().describe('The same for tokens that the cache keeps for 12 hours. Absent: `cache_write`.'),
    output: Rate.describe('Dollars per million output tokens, reasoning included.'),
    tools: z
      .record(toolCall, unitRate)
      .optional()
      .describe(
        'Dollars per call of a tool that the upstream runs, by the type of its output item, such as `web_search_call`. A tool of the upstream without a price is rejected with 400. Absent: no tool has a price.',
      ),
  })
  .meta({ id: 'TokenPriceSetting', description: 'Prices of a text model, before the multiplier of a group.' });
export const ImagePrices = z
  .strictObject({
    images: z
      .record(pictureKind, unitRate)
      .refine((prices) => 'default' in prices, 'has no entry default, for sizes and qualities that no other entry fits')
      .describe('Dollars per image, by `size/quality`; `*` matches any size or quality, `default` applies when no other entry matches.'),
  })
  .meta({ id: 'ImagePriceSetting', description: 'Prices of an image model, before the multiplier of a group.' });
export const Prices = z.union([TokenPrices, ImagePrices, z.literal('free')]).meta({
  id: 'Prices',
  description: '`free`, prices per million tokens, or prices per image.',
  examples: [{ input: '1.25', cached_input: '0.125', output: '10' }],
});
export type Prices = z.infer<typeof Prices>;

export const PriceVersion = z
  .object({
    object: kind('price'),
    version: z
      .int()
      .nullable()
      .describe('Number of the version; a receipt names it. Null: it comes from the configuration and is not in force yet.'),
    price_list: z.string().describe('Price list that it belongs to: `standard`, or one that a plan names.'),
    model: z.string().describe('Id of the model.'),
    source: z.enum(['config', 'admin']).describe('Who set it: the configuration, or an operator.'),
    prices: Prices.describe('What a call costs, before the multiplier.'),
    created_at: Time.nullable().describe('When the version was created. Null: it is not in force yet.'),
  })
  .meta({ id: 'PriceVersion', description: 'The prices of a model in a price list. Receipts still show old versions.' });
export type PriceVersion = z.infer<typeof PriceVersion>;
export const PriceList = listOf('PriceList', 'The latest version for each price list and model.', PriceVersion);

export const NewPrice = z
  .strictObject({
    price_list: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Price list that it is for: `standard`, or one that a plan names. Absent: `standard`.'),
    model: ModelName.describe('Id of a model of the configuration.'),
    prices: Prices.describe(
      'All prices of the model; absent prices are not copied from the version before. Their kind must match the kind of the model.',
    ),
  })
  .meta({
    id: 'NewPrice',
    description: 'A new version of the prices of a model.',
    examples: [{ model: 'gpt-5.4', prices: { input: '1.25', cached_input: '0.125', output: '10' } }],
  });

export const LimitOverview = z
  .object({
    object: kind('limits'),
    per_key: Limits.describe('Limits of each key without its own.'),
    per_account: Limits.describe('Limits of each account without its own.'),
    groups: z
      .array(
        z.object({
          name: z.string().describe('Name of the group.'),
          limits: Limits.describe('Limits of all accounts of the group together.'),
        }),
      )
      .describe('Every group of the configuration.'),
    models: z
      .array(
        z.object({ id: z.string().describe('Id of the model.'), limits: Limits.describe('Limits of all calls of the model together.') }),
      )
      .describe('Every model of the configuration.'),
  })
  .meta({ id: 'LimitOverview', description: 'Limits that the configuration sets.' });

const metadata = { tag: 'Rules' } as const satisfies AdminMetadata;

export const ruleRoutes = {
  listGroups: {
    method: 'GET',
    path: '/groups',
    responses: { 200: GroupList },
    summary: 'List groups',
    description: 'Groups of the configuration, with their multiplier, limits and models.',
    metadata,
  },
  listPrices: {
    method: 'GET',
    path: '/prices',
    responses: { 200: PriceList },
    summary: 'List prices',
    description: 'What each model costs now, by price list.',
    metadata,
  },
  createPrice: {
    method: 'POST',
    path: '/prices',
    body: NewPrice,
    responses: { 200: PriceVersion },
    summary: 'Set a price',
    description:
      'Creates a new version; running requests are charged by the version that they began with. `prices` is complete: absent prices are not copied from the version before.',
    metadata,
  },
  getLimits: {
    method: 'GET',
    path: '/limits',
    responses: { 200: LimitOverview },
    summary: 'Get the limits',
    description: 'The limits of the configuration: for keys, accounts, groups and models. Each key and account shows its own limits.',
    metadata,
  },
} as const;
