/** Requests and their costs: a list, and receipts with every step of the charge. */
import { z } from 'zod';
import { Id, Tokens, UnixSeconds } from './shared/bounds.ts';
import { createTypeField } from './shared/descriptions.ts';
import { Dollars, Multiplier } from './shared/dollars.ts';

const UsageTokens = z
  .object({
    input: Tokens.describe('Input tokens neither read from a cache nor written to one.'),
    cached_input: Tokens.describe('Input tokens read from a cache.'),
    cache_write: Tokens.describe('Input tokens written to a cache.'),
    output: Tokens.describe('Output tokens, including reasoning tokens.'),
    reasoning: Tokens.describe('The part of `output` that is reasoning.'),
  })
  .meta({ id: 'UsageTokens', description: "Tokens by price class. The classes don't overlap." });

const usageShape = {
  object: createTypeField('usage'),
  request_id: z.string().describe('The `x-request-id` of the response.'),
  key_id: z.string().describe('The ID of the key that made the request.'),
  model: z.string().describe('The ID of the model, as in the request.'),
  operation: z.string().describe('The name of the operation, such as `createResponse`.'),
  state: z
    .enum(['held', 'posted', 'voided', 'expired'])
    .describe(
      '`held`: in flight. `posted`: charged. `voided`: free of charge, with the reserved amount released. `expired`: the reserved amount was released because the gateway process stopped. If that process turns out to be alive and the request ends, its cost is still charged, as far as funds remain.',
    ),
  outcome: z
    .string()
    .nullable()
    .describe("How the request ended, such as `completed`, `failed`, or `client_disconnected`. Null while it's in flight."),
  source: z.enum(['balance', 'subscription']).describe('The source of payment.'),
  held: Dollars.describe('The amount reserved before the request was sent: the maximum it could cost.'),
  charged: Dollars.describe('The amount charged. Never more than `held`.'),
  estimated: z.boolean().describe("Whether the gateway estimated the tokens because the upstream didn't report them."),
  tokens: UsageTokens.nullable().describe("The tokens used, in classes that don't overlap. Null until something is charged."),
  output_limit: z
    .int()
    .nullable()
    .describe(
      "The output limit in tokens that the gateway set, because the request had none and the account couldn't pay for more. Null if it set none.",
    ),
  images: z.record(z.string(), Tokens).nullable().describe('Images generated, by `size/quality`. Null until something is charged.'),
  tools: z
    .record(z.string(), Tokens)
    .nullable()
    .describe('Calls to tools that the upstream ran, by the type of their output item. Null until something is charged.'),
  created_at: UnixSeconds.describe('When the amount was reserved, as a Unix timestamp in seconds.'),
  settled_at: UnixSeconds.nullable().describe(
    "When the request was charged or the reserved amount released, as a Unix timestamp in seconds. Null while it's in flight.",
  ),
};

export const UsageRecord = z
  .object(usageShape)
  .meta({ id: 'UsageRecord', description: 'A request that was charged, or that has an amount reserved.' });
export type UsageRecord = z.infer<typeof UsageRecord>;

export const UsageList = z
  .object({
    object: createTypeField('list'),
    data: z.array(UsageRecord).describe('The requests of this page, newest first.'),
    first_id: z.string().nullable().describe('The `request_id` of the first request of this page. Null if the page is empty.'),
    last_id: z
      .string()
      .nullable()
      .describe('The `request_id` of the last request of this page. Send it as `after` to get the next page. Null if the page is empty.'),
    has_more: z.boolean().describe('Whether there are more requests after this page.'),
  })
  .meta({ id: 'UsageList', description: 'A page of the requests of an account, newest first.' });
export type UsageList = z.infer<typeof UsageList>;

const createExactDecimal = (places: number) => z.string().regex(new RegExp(`^\\d+\\.\\d{${places}}$`));

export const ReceiptLine = z
  .object({
    class: z
      .string()
      .describe(
        '`input`, `cached_input`, `cache_write`, `output`, `image_output` and the like, the `size/quality` of images, `partial`, or a tool such as `web_search_call`.',
      ),
    quantity: z.int().min(0).describe('The number of tokens, images, or calls. Unused classes have no line.'),
    price: Dollars.describe('The price before the multiplier, for the unit in `per`.'),
    per: z.enum(['million_tokens', 'image', 'call']).describe('The unit of the price: one million tokens, one image, or one call.'),
    amount: createExactDecimal(12).describe(
      '`quantity` × `price`, divided by one million if the price is per million tokens. Exact US dollars with 12 decimal places.',
    ),
  })
  .meta({ id: 'ReceiptLine', description: 'A class of usage, with its amount.' });
export type ReceiptLine = z.infer<typeof ReceiptLine>;

export const UsageAttempt = z
  .object({
    upstream: z.string().describe('The name of the upstream in the configuration, as in `x-modelgate-attempts`.'),
    status: z.int().nullable().describe("The HTTP status of the upstream's response. Null if no response arrived."),
    code: z.string().nullable().describe('The error code of the failure. Null if the attempt succeeded.'),
    ms: z.int().min(0).describe('Milliseconds until the attempt failed, or until its response could be forwarded.'),
    protocol: z
      .string()
      .nullable()
      .describe('The API chosen for this attempt, as in `x-modelgate-protocol`. Null if there was no choice to make.'),
  })
  .meta({ id: 'UsageAttempt', description: 'An attempt at an upstream.' });

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z
      .int()
      .describe(
        'The version of the prices that the request was charged by. Each price change creates a new version; old versions are kept.',
      ),
    attempts: z
      .array(UsageAttempt)
      .describe(
        'The attempts in order, if there was more than one, if the only one failed, or if another API was chosen for it. Otherwise empty.',
      ),
    service_tier: z
      .string()
      .nullable()
      .describe('The service tier that processed the request, whose factor is in the prices of the lines. Null for the standard tier.'),
    lines: z.array(ReceiptLine).describe('The usage, by class. Empty until something is charged.'),
    subtotal: createExactDecimal(12).describe("The total of the lines' amounts."),
    multiplier: Multiplier.describe("The multiplier of the account's group at the time of the request."),
    rounding: createExactDecimal(18).describe('The amount added to round up to a millionth of a dollar. Always less than a millionth.'),
    cost: Dollars.describe('`subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`.'),
  })
  .meta({ id: 'Receipt', description: 'A request, with all the numbers that its charge is calculated from.' });
export type Receipt = z.infer<typeof Receipt>;

/** Default of `limit`: requests per page. */
export const USAGE_PAGE_LENGTH = 20;

export const UsageQuery = z.strictObject({
  from: UnixSeconds.optional().describe(
    'Only requests from this time on, as a Unix timestamp in seconds. Omit to start with the first request.',
  ),
  to: UnixSeconds.optional().describe('Only requests before this time, as a Unix timestamp in seconds. Defaults to now.'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(`Maximum number of requests to return, from 1 to 100. Defaults to ${USAGE_PAGE_LENGTH}.`),
  after: Id.optional().describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsagePathParams = z.object({ request_id: Id.describe('The `x-request-id` of a response to any key of your account.') });
