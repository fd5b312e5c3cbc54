/** What was called and what it cost: a list, and a receipt that can be worked out again by hand. */
import { z } from 'zod';
import { Id, Tokens, UnixSeconds } from './bounds.ts';
import { Dollars, Multiplier } from './dollars.ts';
import { kind } from './wording.ts';

const UsageTokens = z
  .object({
    input: Tokens.describe('Input that was neither read from a cache nor written to one.'),
    cached_input: Tokens.describe('Input that was read from a cache.'),
    cache_write: Tokens.describe('Input that was written to a cache.'),
    output: Tokens.describe('All output, reasoning included.'),
    reasoning: Tokens.describe('The part of `output` that was spent on thoughts.'),
  })
  .meta({ id: 'UsageTokens', description: 'Tokens by what they are charged as; the classes do not overlap.' });

const usageShape = {
  object: kind('usage'),
  request_id: z.string().describe('The `x-request-id` of the answer.'),
  key_id: z.string().describe('The key that it was called with.'),
  model: z.string().describe('Id of the model, as the request had it.'),
  operation: z.string().describe('Name of the operation, such as `createResponse`.'),
  state: z
    .enum(['held', 'posted', 'voided', 'expired'])
    .describe(
      '`held`: it is still running. `posted`: it was charged. `voided`: it cost nothing, the hold went back. `expired`: the same, after the gateway had died with it; one that was only silent for long, and goes on, charges what is left to take.',
    ),
  outcome: z.string().nullable().describe('How it ended, such as `completed`, `failed` or `client_gone`. Null while it is running.'),
  source: z.enum(['balance', 'subscription']).describe('What it is paid from.'),
  held: Dollars.describe('What was reserved before it was sent: the most that it could cost.'),
  charged: Dollars.describe('What was taken. Never more than was held.'),
  estimated: z.boolean().describe('Whether tokens were counted by the gateway, since the upstream did not say how many there were.'),
  tokens: UsageTokens.nullable().describe('What it used, in classes that do not overlap. Null as long as nothing was charged.'),
  output_limit: z
    .int()
    .nullable()
    .describe(
      'The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none.',
    ),
  images: z.record(z.string(), Tokens).nullable().describe('Pictures made, by `size/quality`. Null as long as nothing was charged.'),
  tools: z
    .record(z.string(), Tokens)
    .nullable()
    .describe('Calls of tools that the upstream ran itself, by the type of their output item. Null as long as nothing was charged.'),
  created_at: UnixSeconds.describe('When the money was held, in seconds since 1970-01-01 UTC.'),
  settled_at: UnixSeconds.nullable().describe(
    'When it was charged or given back, in seconds since 1970-01-01 UTC. Null while it is running.',
  ),
};

export const UsageRecord = z
  .object(usageShape)
  .meta({ id: 'UsageRecord', description: 'One request that was paid for, or may have to be.' });
export type UsageRecord = z.infer<typeof UsageRecord>;

export const UsageList = z
  .object({
    object: kind('list'),
    data: z.array(UsageRecord).describe('The requests of this page, newest first.'),
    first_id: z.string().nullable().describe('`request_id` of the first request of this page. Null where the page is empty.'),
    last_id: z
      .string()
      .nullable()
      .describe('`request_id` of the last request of this page, which goes into `after` of the next call. Null where the page is empty.'),
    has_more: z.boolean().describe('Whether there are requests behind this page.'),
  })
  .meta({ id: 'UsageList', description: 'One page of the requests of an account, newest first.' });
export type UsageList = z.infer<typeof UsageList>;

const exact = (places: number) => z.string().regex(new RegExp(`^\\d+\\.\\d{${places}}$`));

export const ReceiptLine = z
  .object({
    class: z
      .string()
      .describe('`input`, `cached_input`, `cache_write`, `output`, `size/quality` of pictures, or a tool such as `web_search_call`.'),
    quantity: z.int().min(0).describe('How many tokens, pictures or calls; a class that was not used has no line.'),
    price: Dollars.describe('Price before the multiplier, for as much as `per` says.'),
    per: z.enum(['million_tokens', 'picture', 'call']).describe('What the price is for: a million tokens, one picture or one call.'),
    amount: exact(12).describe(
      '`quantity` × `price`, divided by a million where the price is for a million. Exact: dollars to twelve digits.',
    ),
  })
  .meta({ id: 'ReceiptLine', description: 'One class of what was used, and what it comes to.' });
export type ReceiptLine = z.infer<typeof ReceiptLine>;

export const UsageAttempt = z
  .object({
    upstream: z.string().describe('Its name in the configuration, as in `x-modelgate-attempts`.'),
    status: z.int().nullable().describe('HTTP status of its answer. Null where none came.'),
    code: z.string().nullable().describe('What went wrong, by the code of an error. Null where the answer was good.'),
    ms: z.int().min(0).describe('Milliseconds until it had failed, or until its answer could be handed on.'),
  })
  .meta({ id: 'UsageAttempt', description: 'One time that an upstream was asked.' });

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z.int().describe('The version of the prices that it was charged by. Each change makes a new one; old ones are kept.'),
    attempts: z
      .array(UsageAttempt)
      .describe('Who was asked, in order, where that was more than once or came to nothing. Empty where the first answer was a good one.'),
    lines: z.array(ReceiptLine).describe('What was used, by class. Empty as long as nothing was charged.'),
    subtotal: exact(12).describe('The sum of the amounts of the lines.'),
    multiplier: Multiplier.describe('The multiplier of the group at the time.'),
    rounding: exact(18).describe('What was added to come to a whole millionth of a dollar; always less than one.'),
    cost: Dollars.describe('`subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`.'),
  })
  .meta({ id: 'Receipt', description: 'A request with everything that is needed to work its charge out again by hand.' });
export type Receipt = z.infer<typeof Receipt>;

/** Requests on a page where the caller names no number. */
export const USAGE_PAGE_LENGTH = 20;

export const UsageQuery = z.strictObject({
  from: UnixSeconds.optional().describe('Only requests from this time on; in seconds since 1970. Absent: from the first.'),
  to: UnixSeconds.optional().describe('Only requests before this time; in seconds since 1970. Absent: up to now.'),
  limit: z.int().min(1).max(100).optional().describe(`Most requests to return. Absent: ${USAGE_PAGE_LENGTH}.`),
  after: Id.optional().describe('Id of the request to go on after: `last_id` of the page before. Absent: the first page.'),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsagePath = z.object({ request_id: Id.describe('The `x-request-id` of an answer to a key of this account.') });
