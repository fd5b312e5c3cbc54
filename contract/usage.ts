/** Requests and their costs: a list, and receipts with every step of the charge. */
import { z } from 'zod';
import { Id, Tokens, UnixSeconds } from './shared/bounds.ts';
import { kind } from './shared/descriptions.ts';
import { Dollars, Multiplier } from './shared/dollars.ts';

const UsageTokens = z
  .object({
    input: Tokens.describe('Input that was neither read from a cache nor written to one.'),
    cached_input: Tokens.describe('Input that was read from a cache.'),
    cache_write: Tokens.describe('Input that was written to a cache.'),
    output: Tokens.describe('All output, reasoning included.'),
    reasoning: Tokens.describe('The part of `output` that is reasoning.'),
  })
  .meta({ id: 'UsageTokens', description: 'Tokens by class of charge; the classes do not overlap.' });

const usageShape = {
  object: kind('usage'),
  request_id: z.string().describe('The `x-request-id` of the answer.'),
  key_id: z.string().describe('The key of the request.'),
  model: z.string().describe('Id of the model, as in the request.'),
  operation: z.string().describe('Name of the operation, such as `createResponse`.'),
  state: z
    .enum(['held', 'posted', 'voided', 'expired'])
    .describe(
      '`held`: it is still running. `posted`: it was charged. `voided`: it cost nothing and its hold was released. `expired`: its hold was released after its gateway process had died. If the process was alive after all and the request ends, the cost is still charged, as far as money is left.',
    ),
  outcome: z
    .string()
    .nullable()
    .describe('How it ended, such as `completed`, `failed` or `client_disconnected`. Null while it is running.'),
  source: z.enum(['balance', 'subscription']).describe('What pays for it.'),
  held: Dollars.describe('The amount reserved before the request was sent: the most that it could cost.'),
  charged: Dollars.describe('The amount charged. Never more than was held.'),
  estimated: z.boolean().describe('Whether the gateway estimated the tokens, because the upstream did not report them.'),
  tokens: UsageTokens.nullable().describe('What it used, in classes that do not overlap. Null until something is charged.'),
  output_limit: z
    .int()
    .nullable()
    .describe(
      'The output limit in tokens that the gateway set, because the request had none and the account could not pay for more. Null when it set none.',
    ),
  images: z.record(z.string(), Tokens).nullable().describe('Images made, by `size/quality`. Null until something is charged.'),
  tools: z
    .record(z.string(), Tokens)
    .nullable()
    .describe('Calls of tools that the upstream ran itself, by the type of their output item. Null until something is charged.'),
  created_at: UnixSeconds.describe('When the money was held, in seconds since 1970-01-01 UTC.'),
  settled_at: UnixSeconds.nullable().describe(
    'When it was charged or its hold released, in seconds since 1970-01-01 UTC. Null while it is running.',
  ),
};

export const UsageRecord = z.object(usageShape).meta({ id: 'UsageRecord', description: 'One request that was charged or has money held.' });
export type UsageRecord = z.infer<typeof UsageRecord>;

export const UsageList = z
  .object({
    object: kind('list'),
    data: z.array(UsageRecord).describe('The requests of this page, newest first.'),
    first_id: z.string().nullable().describe('`request_id` of the first request of this page. Null when the page is empty.'),
    last_id: z
      .string()
      .nullable()
      .describe('`request_id` of the last request of this page, for `after` of the next call. Null when the page is empty.'),
    has_more: z.boolean().describe('Whether more requests follow this page.'),
  })
  .meta({ id: 'UsageList', description: 'One page of the requests of an account, newest first.' });
export type UsageList = z.infer<typeof UsageList>;

const exact = (places: number) => z.string().regex(new RegExp(`^\\d+\\.\\d{${places}}$`));

export const ReceiptLine = z
  .object({
    class: z
      .string()
      .describe('`input`, `cached_input`, `cache_write`, `output`, `size/quality` of images, or a tool such as `web_search_call`.'),
    quantity: z.int().min(0).describe('The number of tokens, images or calls; an unused class has no line.'),
    price: Dollars.describe('Price before the multiplier, for the unit in `per`.'),
    per: z
      .enum(['million_tokens', 'picture', 'call'])
      .describe('The unit of the price: a million tokens, one image (`picture`) or one call.'),
    amount: exact(12).describe(
      '`quantity` × `price`, divided by a million when the price is per million. Exact: dollars with twelve decimal places.',
    ),
  })
  .meta({ id: 'ReceiptLine', description: 'One class of usage, and its amount.' });
export type ReceiptLine = z.infer<typeof ReceiptLine>;

export const UsageAttempt = z
  .object({
    upstream: z.string().describe('Its name in the configuration, as in `x-modelgate-attempts`.'),
    status: z.int().nullable().describe('HTTP status of its answer. Null when none came.'),
    code: z.string().nullable().describe('The error code of the failure. Null when the attempt succeeded.'),
    ms: z.int().min(0).describe('Milliseconds until it failed, or until its answer could be forwarded.'),
    protocol: z
      .string()
      .nullable()
      .describe('The protocol chosen for this attempt, as in `x-modelgate-protocol`. Null: no choice was needed.'),
  })
  .meta({ id: 'UsageAttempt', description: 'One attempt at an upstream.' });

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z
      .int()
      .describe('The version of the prices that it was charged by. Each change of prices makes a new version; old ones are kept.'),
    attempts: z
      .array(UsageAttempt)
      .describe(
        'The attempts in order, if there was more than one, the only one failed, or another protocol was chosen for it. Otherwise empty.',
      ),
    lines: z.array(ReceiptLine).describe('The usage, by class. Empty until something is charged.'),
    subtotal: exact(12).describe('The sum of the amounts of the lines.'),
    multiplier: Multiplier.describe('The multiplier of the group at the time.'),
    rounding: exact(18).describe('The amount added to round up to a whole millionth of a dollar; always less than a millionth.'),
    cost: Dollars.describe('`subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`.'),
  })
  .meta({ id: 'Receipt', description: 'A request with all numbers that its charge is computed from.' });
export type Receipt = z.infer<typeof Receipt>;

/** Requests on a page when the caller gives no `limit`. */
export const USAGE_PAGE_LENGTH = 20;

export const UsageQuery = z.strictObject({
  from: UnixSeconds.optional().describe('Only requests from this time on; in seconds since 1970. Omit to start with the first.'),
  to: UnixSeconds.optional().describe('Only requests before this time; in seconds since 1970. Defaults to now.'),
  limit: z.int().min(1).max(100).optional().describe(`Most requests to return. Absent: ${USAGE_PAGE_LENGTH}.`),
  after: Id.optional().describe('Id of the request after which to continue: `last_id` of the page before. Omit for the first page.'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsagePath = z.object({ request_id: Id.describe('The `x-request-id` of an answer to a key of this account.') });
