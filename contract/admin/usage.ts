/** What was called and what it cost: usage, itemised receipts, and whether the books are sound. */
import { z } from 'zod';
import { Dollars } from '../dollars.ts';
import { Receipt as CallersReceipt } from '../usage.ts';
import { kind } from '../wording.ts';
import { AccountPath } from './accounts.ts';
import { Id, listOf, page, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';

const tokens = z.int().min(0);
const TokenCounts = z
  .object({
    input: tokens.describe('Input that was neither read from a cache nor written to one.'),
    cached_input: tokens.describe('Input that was read from a cache.'),
    cache_write: tokens.describe('Input that was written to a cache.'),
    output: tokens.describe('All output, reasoning included.'),
    reasoning: tokens.describe('The part of `output` that was spent on thoughts.'),
  })
  .meta({ id: 'TokenCounts', description: 'Tokens by what they are charged as; the classes do not overlap.' });

const usageShape = {
  object: kind('usage'),
  request_id: z.string().describe('The `x-request-id` of the answer.'),
  account_id: z.string().describe('The account that it was charged to.'),
  key_id: z.string().describe('The key that it was called with.'),
  model: z.string().describe('Id of the model, as the request had it.'),
  operation: z.string().describe('Name of the operation, such as `createResponse`.'),
  state: z
    .enum(['held', 'posted', 'voided', 'expired'])
    .describe(
      '`held`: it is still running. `posted`: it was charged. `voided`: it cost nothing, the hold went back. `expired`: the same, after the gateway had died with it.',
    ),
  outcome: z.string().nullable().describe('How the request ended, such as `completed` or `client_gone`. Null while it is running.'),
  source: z.enum(['balance', 'subscription']).describe('What it was paid from.'),
  subscription_id: z.string().nullable().describe('The subscription that paid for it. Null: the balance did.'),
  held: Dollars.describe('What was reserved: the most it could have cost.'),
  charged: Dollars.describe('What was taken. Never more than was held.'),
  overrun: Dollars.describe('What it cost over the hold; the operator pays that.'),
  estimated: z.boolean().describe('Whether the tokens were counted here, since the upstream did not say.'),
  tokens: TokenCounts.nullable().describe('What it used, in classes that do not overlap. Null as long as nothing was charged.'),
  images: z.record(z.string(), tokens).nullable().describe('Pictures made, by `size/quality`. Null as long as nothing was charged.'),
  tools: z
    .record(z.string(), tokens)
    .nullable()
    .describe('Calls of tools that the upstream ran itself, by the type of their output item. Null as long as nothing was charged.'),
  created_at: Time.describe('When the money was held.'),
  settled_at: Time.nullable().describe('When it was charged or given back. Null while it is running.'),
};
export const Usage = z.object(usageShape).meta({ id: 'PaidRequest', description: 'One paid request.' });
export type Usage = z.infer<typeof Usage>;
export const UsageList = listOf('PaidRequestList', 'Paid requests, newest first.', Usage);

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z.int().describe('The version of the prices that it was charged by.'),
    price_list: z.string().nullable().describe('The price list of that version. Null where the version is gone.'),
    prices: Prices.nullable().describe('The prices of that version. Null where the version is gone.'),
    attempts: CallersReceipt.shape.attempts,
    multiplier: CallersReceipt.shape.multiplier,
    lines: CallersReceipt.shape.lines,
    subtotal: CallersReceipt.shape.subtotal,
    rounding: CallersReceipt.shape.rounding,
    cost: CallersReceipt.shape.cost,
  })
  .meta({ id: 'OperatorReceipt', description: 'A paid request with everything that is needed to work its charge out again by hand.' });
export type Receipt = z.infer<typeof Receipt>;

export const Reconciliation = z
  .object({
    object: kind('reconciliation'),
    sound: z.boolean().describe('True where all three lists are empty.'),
    accounts: z.int().describe('How many accounts were looked at.'),
    entries: z.int().describe('How many entries were added up.'),
    differences: z
      .array(
        z.object({
          book: z.string().describe('Name of the book.'),
          kept: SignedDollars.describe('What is kept as its sum.'),
          counted: SignedDollars.describe('What its entries add up to.'),
        }),
      )
      .describe('Books whose entries do not add up to what is kept.'),
    unbalanced: z.array(z.string()).describe('Transfers whose two sides are not opposite.'),
    contradictions: z.array(z.string()).describe('Requests whose state, hold and entries contradict each other.'),
    overrun: Dollars.describe('What the operator paid for upstreams that reported more than was held.'),
  })
  .meta({ id: 'Reconciliation', description: 'Every balance worked out again from its entries.' });

const UsageQuery = z.strictObject({
  ...page,
  from: TimeInput.optional().describe('Only requests from this time on. Absent: from the first.'),
  to: TimeInput.optional().describe('Only requests before this time. Absent: up to now.'),
  key_id: Id.optional().describe('Only requests of this key. Absent: of all keys of the account.'),
});
const UsagePath = z.object({ request_id: Id.describe('The `x-request-id` of the answer.') });
const metadata = { tag: 'Usage' } as const satisfies AdminMetadata;

export const usageRoutes = {
  listUsage: {
    method: 'GET',
    path: '/accounts/:account_id/usage',
    pathParams: AccountPath,
    query: UsageQuery,
    responses: { 200: UsageList },
    summary: 'List usage',
    description: 'Paid requests of an account, newest first.',
    metadata,
  },
  getUsage: {
    method: 'GET',
    path: '/usage/:request_id',
    pathParams: UsagePath,
    responses: { 200: Receipt },
    summary: 'Get a receipt',
    description: 'One paid request with its itemised receipt: classes × prices × multiplier = charge.',
    metadata,
  },
  reconcileLedger: {
    method: 'GET',
    path: '/ledger/reconciliation',
    responses: { 200: Reconciliation },
    summary: 'Reconcile the ledger',
    description: 'Works every balance out again from the two-sided book and says where anything differs. Changes nothing.',
    metadata,
  },
} as const;
