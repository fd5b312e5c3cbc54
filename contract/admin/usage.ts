/** Requests and their costs: usage, itemized receipts, and the ledger's reconciliation. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { Receipt as CallersReceipt } from '../usage.ts';
import { AccountPathParams } from './accounts.ts';
import { createListSchema, Id, pageFields, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';

const tokens = z.int().min(0);
const TokenCounts = z
  .object({
    input: tokens.describe('Input tokens neither read from a cache nor written to one.'),
    cached_input: tokens.describe('Input tokens read from a cache.'),
    cache_write: tokens.describe('Input tokens written to a cache.'),
    output: tokens.describe('Output tokens, including reasoning tokens.'),
    reasoning: tokens.describe('The part of `output` that is reasoning.'),
  })
  .meta({ id: 'TokenCounts', description: "Tokens by price class. The classes don't overlap." });

const usageShape = {
  object: createTypeField('usage'),
  request_id: z.string().describe('The `x-request-id` of the response.'),
  account_id: z.string().describe('The account that the request was charged to.'),
  key_id: z.string().describe('The ID of the key that made the request.'),
  model: z.string().describe('The ID of the model, as in the request.'),
  operation: z.string().describe('The name of the operation, such as `createResponse`.'),
  state: z
    .enum(['held', 'posted', 'voided', 'expired'])
    .describe(
      '`held`: in flight. `posted`: charged. `voided`: free of charge, with the reserved amount released. `expired`: the reserved amount was released because the gateway process stopped.',
    ),
  outcome: z
    .string()
    .nullable()
    .describe("How the request ended, such as `completed` or `client_disconnected`. Null while it's in flight."),
  source: z.enum(['balance', 'subscription']).describe('The source of payment.'),
  subscription_id: z.string().nullable().describe('The subscription that paid for the request. Null if the balance did.'),
  held: Dollars.describe('The amount reserved: the maximum the request could cost.'),
  charged: Dollars.describe('The amount charged. Never more than `held`.'),
  overrun: Dollars.describe('The cost beyond the reserved amount, which the operator pays.'),
  estimated: z.boolean().describe("Whether the gateway estimated the tokens because the upstream didn't report them."),
  tokens: TokenCounts.nullable().describe("The tokens used, in classes that don't overlap. Null until something is charged."),
  images: z.record(z.string(), tokens).nullable().describe('Images generated, by `size/quality`. Null until something is charged.'),
  tools: z
    .record(z.string(), tokens)
    .nullable()
    .describe('Calls to tools that the upstream ran, by the type of their output item. Null until something is charged.'),
  created_at: Time.describe('When the amount was reserved.'),
  settled_at: Time.nullable().describe("When the request was charged or the reserved amount released. Null while it's in flight."),
};
export const Usage = z.object(usageShape).meta({ id: 'PaidRequest', description: 'A paid request, with its usage and charge.' });
export type Usage = z.infer<typeof Usage>;
export const UsageList = createListSchema('PaidRequestList', 'A list of paid requests, newest first.', Usage);

export const Receipt = z
  .object({
    ...usageShape,
    price_version: z.int().describe('The version of the prices that the request was charged by.'),
    price_list: z.string().nullable().describe('The price list of that version. Null if the version no longer exists.'),
    prices: Prices.nullable().describe('The prices of that version. Null if the version no longer exists.'),
    attempts: CallersReceipt.shape.attempts,
    multiplier: CallersReceipt.shape.multiplier,
    lines: CallersReceipt.shape.lines,
    subtotal: CallersReceipt.shape.subtotal,
    rounding: CallersReceipt.shape.rounding,
    cost: CallersReceipt.shape.cost,
  })
  .meta({ id: 'OperatorReceipt', description: 'A paid request, with all the numbers that its charge is calculated from.' });
export type Receipt = z.infer<typeof Receipt>;

export const Reconciliation = z
  .object({
    object: createTypeField('reconciliation'),
    is_consistent: z.boolean().describe('Whether the ledger is consistent: all three lists are empty.'),
    accounts: z.int().describe('Number of accounts checked.'),
    entries: z.int().describe('Number of entries checked: the new ones, or all of them with `full`.'),
    differences: z
      .array(
        z.object({
          ledger_account: z.string().describe('The name of the ledger account.'),
          stored: SignedDollars.describe('The stored total.'),
          computed: SignedDollars.describe('The total of its entries.'),
        }),
      )
      .describe("Ledger accounts whose entries don't add up to the stored total."),
    unbalanced: z.array(z.string()).describe("Transfers whose two sides don't cancel out."),
    inconsistent_requests: z.array(z.string()).describe('Requests whose state, reserved amount, and entries contradict each other.'),
    overrun: Dollars.describe('The amount that the operator paid for upstreams that reported more usage than was reserved.'),
  })
  .meta({ id: 'Reconciliation', description: 'The result of recalculating every balance from its entries.' });

const UsageQuery = z.strictObject({
  ...pageFields,
  from: TimeInput.optional().describe('Only requests from this time on. Omit to start with the first request.'),
  to: TimeInput.optional().describe('Only requests before this time. Defaults to now.'),
  key_id: Id.optional().describe('Only requests with this key. Omit to get all keys of the account.'),
});
const UsagePathParams = z.object({ request_id: Id.describe('The `x-request-id` of the response.') });
const metadata = { tag: 'Usage' } as const satisfies AdminMetadata;

export const usageRoutes = {
  listUsage: {
    method: 'GET',
    path: '/accounts/:account_id/usage',
    pathParams: AccountPathParams,
    query: UsageQuery,
    responses: { 200: UsageList },
    summary: 'List usage',
    description: 'Lists the paid requests of an account, newest first.',
    metadata,
  },
  getUsage: {
    method: 'GET',
    path: '/usage/:request_id',
    pathParams: UsagePathParams,
    responses: { 200: Receipt },
    summary: 'Get a receipt',
    description: 'Retrieves a paid request and its itemized receipt: usage × prices × multiplier = charge.',
    metadata,
  },
  reconcileLedger: {
    method: 'GET',
    path: '/ledger/reconciliation',
    query: z.strictObject({
      full: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true` checks all entries again. Omit to check only the entries added since the last hourly check.'),
    }),
    responses: { 200: Reconciliation },
    summary: 'Reconcile the ledger',
    description:
      'Recalculates every balance from the double-entry ledger and reports differences. Changes nothing. The gateway checks new entries every hour, and counts entries that were already checked with their totals; with `full`, all entries are checked again.',
    metadata,
  },
} as const;
