/** What was called and what it cost: usage, itemised receipts, and whether the books are sound. */
import { z } from 'zod';
import { Dollars } from '../dollars.ts';
import { Receipt as CallersReceipt } from '../usage.ts';
import { AccountPath } from './accounts.ts';
import { Id, listOf, page, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';

const tokens = z.int().min(0);
const TokenCounts = z
  .object({
    input: tokens.describe('Neither read from a cache nor written to one.'),
    cached_input: tokens,
    cache_write: tokens,
    output: tokens.describe('Reasoning included.'),
    reasoning: tokens,
  })
  .meta({ id: 'TokenCounts', description: 'Tokens by what they are charged as; the classes do not overlap.' });

const usageShape = {
  object: z.literal('usage'),
  request_id: z.string().describe('The `x-request-id` of the answer.'),
  account_id: z.string(),
  key_id: z.string(),
  model: z.string(),
  operation: z.string(),
  state: z.enum(['held', 'posted', 'voided', 'expired']).describe('`held`: it is still running. Only what is `posted` was charged.'),
  outcome: z.string().nullable().describe('How the request ended, such as `completed` or `client_gone`.'),
  source: z.enum(['balance', 'subscription']).describe('What it was paid from.'),
  subscription_id: z.string().nullable(),
  held: Dollars.describe('What was reserved: the most it could have cost.'),
  charged: Dollars,
  overrun: Dollars.describe('What it cost over the hold; the operator pays that.'),
  estimated: z.boolean().describe('Whether the tokens were counted here, since the upstream did not say.'),
  tokens: TokenCounts.nullable().describe('Null as long as nothing was charged.'),
  images: z.record(z.string(), tokens).nullable().describe('Pictures made, by `size/quality`.'),
  tools: z.record(z.string(), tokens).nullable().describe('Calls of tools that the upstream ran itself, by the type of their output item.'),
  created_at: Time,
  settled_at: Time.nullable(),
};
export const Usage = z.object(usageShape).meta({ id: 'PaidRequest', description: 'One paid request.' });
export type Usage = z.infer<typeof Usage>;
export const UsageList = listOf('PaidRequestList', 'Paid requests, newest first.', Usage);

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z.int(),
    price_list: z.string().nullable(),
    prices: Prices.nullable(),
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
    object: z.literal('reconciliation'),
    sound: z.boolean().describe('True where all three lists are empty.'),
    accounts: z.int(),
    entries: z.int(),
    differences: z
      .array(z.object({ book: z.string(), kept: SignedDollars, counted: SignedDollars }))
      .describe('Books whose entries do not add up to what is kept.'),
    unbalanced: z.array(z.string()).describe('Transfers whose two sides are not opposite.'),
    contradictions: z.array(z.string()).describe('Requests whose state, hold and entries contradict each other.'),
    overrun: Dollars.describe('What the operator paid for upstreams that reported more than was held.'),
  })
  .meta({ id: 'Reconciliation', description: 'Every balance worked out again from its entries.' });

const UsageQuery = z.strictObject({
  ...page,
  from: TimeInput.optional().describe('Requests from this time on.'),
  to: TimeInput.optional().describe('Requests before this time.'),
  key_id: Id.optional().describe('Only those of this key.'),
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
