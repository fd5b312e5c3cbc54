/** Requests and their costs: usage, itemised receipts, and the check of the books. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { Receipt as CallersReceipt } from '../usage.ts';
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
    reasoning: tokens.describe('The part of `output` that is reasoning.'),
  })
  .meta({ id: 'TokenCounts', description: 'Tokens by class of charge; the classes do not overlap.' });

const usageShape = {
  object: kind('usage'),
  request_id: z.string().describe('The `x-request-id` of the answer.'),
  account_id: z.string().describe('The account that it was charged to.'),
  key_id: z.string().describe('The key of the request.'),
  model: z.string().describe('Id of the model, as in the request.'),
  operation: z.string().describe('Name of the operation, such as `createResponse`.'),
  state: z
    .enum(['held', 'posted', 'voided', 'expired'])
    .describe(
      '`held`: it is still running. `posted`: it was charged. `voided`: it cost nothing and its hold was released. `expired`: its hold was released after its gateway process had died.',
    ),
  outcome: z.string().nullable().describe('How the request ended, such as `completed` or `client_disconnected`. Null while it is running.'),
  source: z.enum(['balance', 'subscription']).describe('What paid for it.'),
  subscription_id: z.string().nullable().describe('The subscription that paid for it. Null: the balance did.'),
  held: Dollars.describe('The amount reserved: the most that it could cost.'),
  charged: Dollars.describe('The amount charged. Never more than was held.'),
  overrun: Dollars.describe('The cost beyond the hold; the operator pays that.'),
  estimated: z.boolean().describe('Whether the gateway estimated the tokens, because the upstream did not report them.'),
  tokens: TokenCounts.nullable().describe('What it used, in classes that do not overlap. Null until something is charged.'),
  images: z.record(z.string(), tokens).nullable().describe('Images made, by `size/quality`. Null until something is charged.'),
  tools: z
    .record(z.string(), tokens)
    .nullable()
    .describe('Calls of tools that the upstream ran itself, by the type of their output item. Null until something is charged.'),
  created_at: Time.describe('When the money was held.'),
  settled_at: Time.nullable().describe('When it was charged or its hold released. Null while it is running.'),
};
export const Usage = z.object(usageShape).meta({ id: 'PaidRequest', description: 'One paid request.' });
export type Usage = z.infer<typeof Usage>;
export const UsageList = listOf('PaidRequestList', 'Paid requests, newest first.', Usage);

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z.int().describe('The version of the prices that it was charged by.'),
    price_list: z.string().nullable().describe('The price list of that version. Null when the version no longer exists.'),
    prices: Prices.nullable().describe('The prices of that version. Null when the version no longer exists.'),
    attempts: CallersReceipt.shape.attempts,
    multiplier: CallersReceipt.shape.multiplier,
    lines: CallersReceipt.shape.lines,
    subtotal: CallersReceipt.shape.subtotal,
    rounding: CallersReceipt.shape.rounding,
    cost: CallersReceipt.shape.cost,
  })
  .meta({ id: 'OperatorReceipt', description: 'A paid request with all numbers that its charge is computed from.' });
export type Receipt = z.infer<typeof Receipt>;

export const Reconciliation = z
  .object({
    object: kind('reconciliation'),
    sound: z.boolean().describe('True when all three lists are empty.'),
    accounts: z.int().describe('How many accounts were checked.'),
    entries: z.int().describe('Number of entries checked: the new ones, or all of them with `full`.'),
    differences: z
      .array(
        z.object({
          book: z.string().describe('Name of the book.'),
          kept: SignedDollars.describe('The stored total.'),
          counted: SignedDollars.describe('The sum of its entries.'),
        }),
      )
      .describe('Books whose entries do not add up to the stored total.'),
    unbalanced: z.array(z.string()).describe('Transfers whose two sides are not opposite.'),
    contradictions: z.array(z.string()).describe('Requests whose state, hold and entries contradict each other.'),
    overrun: Dollars.describe('What the operator paid for upstreams that reported more than was held.'),
  })
  .meta({ id: 'Reconciliation', description: 'The result of recomputing every balance from its entries.' });

const UsageQuery = z.strictObject({
  ...page,
  from: TimeInput.optional().describe('Only requests from this time on. Omit to start with the first.'),
  to: TimeInput.optional().describe('Only requests before this time. Defaults to now.'),
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
    query: z.strictObject({
      full: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true`: check all entries again. Absent: check only the entries added since the last hourly check.'),
    }),
    responses: { 200: Reconciliation },
    summary: 'Reconcile the ledger',
    description:
      'Recomputes every balance from the double-entry ledger and reports differences. The gateway checks new entries every hour, and checked entries count with their totals; with `full`, all entries are checked again. Changes nothing.',
    metadata,
  },
} as const;
