/** Money of accounts: balance changes and subscriptions. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { AccountPathParams, Balance } from './accounts.ts';
import { Csv, createListSchema, Id, Note, pageFields, SignedAmount, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const adjustmentKind = z
  .enum(['top_up', 'refund', 'correction'])
  .describe('`top_up`: a payment. `refund`: returns a charge. `correction`: corrects an error, up or down.');

export const NewAdjustment = z
  .strictObject({
    kind: adjustmentKind,
    amount: SignedAmount.describe(
      "The amount, more than 0. Only a correction can be negative, and it can reduce the balance only by money that isn't reserved.",
    ),
    note: Note.optional().describe('Optional. The reason, recorded in the ledger; up to 500 characters.'),
    transfer_id: z
      .string()
      .max(100)
      .regex(/^[0-9A-Za-z][0-9A-Za-z._:-]*$/, 'must contain only letters, digits, and . _ : -')
      .optional()
      .describe(
        'Your ID for the transfer, up to 100 characters, which makes the request idempotent: repeating the same transfer has no effect, and a different transfer with the same ID returns `conflict`. If omitted, the gateway creates an ID, and a retry posts the transfer again.',
      ),
  })
  .meta({
    id: 'NewAdjustment',
    description: 'A balance change to post.',
    examples: [{ kind: 'top_up', amount: '25', note: 'invoice 2044', transfer_id: 'invoice-2044' }],
  });
export type NewAdjustment = z.infer<typeof NewAdjustment>;

export const Adjustment = z
  .object({
    object: createTypeField('adjustment'),
    account_id: z.string().describe('The ID of the account whose balance was changed.'),
    transfer_id: z.string().describe('The ID of the transfer: yours, or one created by the gateway.'),
    kind: adjustmentKind,
    amount: SignedDollars.describe('The change of the balance.'),
    note: z.string().nullable().describe('The reason, as recorded in the ledger. Null if none was given.'),
    repeated: z.boolean().describe('Whether this transfer was already posted, so that nothing changed.'),
    balance: Balance.describe('The balance after the change.'),
  })
  .meta({ id: 'Adjustment', description: 'A balance change by an operator.' });

export const Subscription = z
  .object({
    id: z.string().describe('The ID of the subscription, `sub_…`.'),
    object: createTypeField('subscription'),
    account_id: z.string().describe('The ID of the account that the subscription belongs to.'),
    plan: z.string().describe('The name of the plan in the configuration.'),
    state: z
      .enum(['scheduled', 'active', 'ended', 'cancelled'])
      .describe(
        "`scheduled`: it hasn't started. `active`: it pays for calls. `ended`: its term is over. `cancelled`: it was canceled before the end of its term.",
      ),
    included: Dollars.describe("The amount included in each period. Unused amounts aren't carried over."),
    period: z.enum(['day', 'week', 'month']).describe('When the included amount resets, in UTC. Weeks start on Monday.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe(
        'Behavior when the included amount is used up. `stop`: calls are rejected until the next period. `balance`: calls are charged to the balance.',
      ),
    price_list: z.string().describe('The price list that calls are charged by.'),
    starts_at: Time.describe('When the subscription starts paying for calls.'),
    ends_at: Time.nullable().describe("When the subscription ends. Null if it runs until it's canceled."),
    cancelled_at: Time.nullable().describe("When the subscription was canceled. Null if it wasn't."),
  })
  .meta({
    id: 'Subscription',
    description: "An account's subscription to a plan. It keeps the terms that the plan had when the subscription was created.",
  });
export type Subscription = z.infer<typeof Subscription>;
export const SubscriptionList = createListSchema('SubscriptionList', "A list of an account's subscriptions, oldest first.", Subscription);

export const NewSubscription = z
  .strictObject({
    plan: z.string().min(1).max(64).describe('The name of a configured plan.'),
    starts_at: TimeInput.optional().describe('When the subscription starts paying for calls. Defaults to now.'),
    ends_at: TimeInput.nullish().describe(
      "When the subscription ends; must be after `starts_at`. Null or omitted: it runs until it's canceled.",
    ),
  })
  .meta({
    id: 'NewSubscription',
    description: 'A subscription to create. It keeps the current terms of the plan.',
    examples: [{ plan: 'pro' }],
  });

export const CancelledSubscription = z
  .object({
    id: z.string().describe('The ID of the subscription.'),
    object: createTypeField('subscription'),
    cancelled: z.literal(true).describe('Always true. A subscription that is neither active nor scheduled returns 404.'),
    cancelled_at: Time.describe('When the subscription stopped paying for calls.'),
  })
  .meta({ id: 'CancelledSubscription', description: 'A canceled subscription.' });

export const statementKinds = ['charge', 'subscription', 'top_up', 'refund', 'correction'] as const;
const statementKind = z
  .enum(statementKinds)
  .describe(
    "`charge`: a request paid from the balance. `subscription`: a request paid by a subscription, which doesn't change the balance. `top_up`, `refund`, `correction`: a balance change by an operator.",
  );

export const StatementEntry = z
  .object({
    id: z.string().describe('The number of the entry in the ledger, as a string.'),
    object: createTypeField('entry'),
    at: Time.describe('When the entry was posted.'),
    kind: statementKind,
    amount: SignedDollars.describe('The amount: positive for money in, negative for money out.'),
    balance_after: SignedDollars.describe('The balance after this entry.'),
    note: z
      .string()
      .nullable()
      .describe(
        'The reason given by an operator, or `late` for a charge that was posted after its reservation had expired. Null if no reason was given.',
      ),
    transfer_id: z.string().nullable().describe('The transfer ID of a change by an operator. Null for a request.'),
    request_id: z
      .string()
      .nullable()
      .describe('The ID of the request that was charged; its receipt has the details. Null for a change by an operator.'),
  })
  .meta({ id: 'StatementEntry', description: "An entry of an account's statement." });
export type StatementEntry = z.infer<typeof StatementEntry>;
export const StatementEntryList = createListSchema('StatementEntryList', "A list of an account's entries, newest first.", StatementEntry);

const statementFilters = {
  from: TimeInput.optional().describe('Only entries from this time on. Omit to start with the first entry.'),
  to: TimeInput.optional().describe('Only entries before this time. Defaults to now.'),
  kind: statementKind.optional().describe('Only entries of this kind. Omit to get all kinds.'),
};
export const EntriesQuery = z.strictObject({
  limit: pageFields.limit,
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the ID of an entry')
    .optional()
    .describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
  ...statementFilters,
});
export const EntriesCsvQuery = z.strictObject(statementFilters);

const SubscriptionPathParams = z.object({
  subscription_id: Id.describe("The ID of the subscription, `sub_…`, from the list of the account's subscriptions."),
});
const metadata = { tag: 'Money' } as const satisfies AdminMetadata;

export const moneyRoutes = {
  getBalance: {
    method: 'GET',
    path: '/accounts/:account_id/balance',
    pathParams: AccountPathParams,
    responses: { 200: Balance },
    summary: 'Get a balance',
    description: 'Retrieves the balance of an account: total, reserved, and available.',
    metadata,
  },
  adjustBalance: {
    method: 'POST',
    path: '/accounts/:account_id/adjustments',
    pathParams: AccountPathParams,
    body: NewAdjustment,
    responses: { 200: Adjustment },
    summary: 'Top up or correct a balance',
    description: 'Tops up, refunds, or corrects a balance. With a `transfer_id`, you can safely retry the request.',
    metadata,
  },
  listEntries: {
    method: 'GET',
    path: '/accounts/:account_id/entries',
    pathParams: AccountPathParams,
    query: EntriesQuery,
    responses: { 200: StatementEntryList },
    summary: 'List entries',
    description:
      "Lists an account's statement, newest first: every change of its balance and every charge to its subscriptions, each with the balance after it.",
    metadata,
  },
  exportEntries: {
    method: 'GET',
    path: '/accounts/:account_id/entries.csv',
    pathParams: AccountPathParams,
    query: EntriesCsvQuery,
    responses: { 200: Csv },
    summary: 'Export entries',
    description:
      'Exports the same list as CSV, streamed, with a header row and one row per entry. If the last row is incomplete, the export was interrupted.',
    metadata: { tag: 'Money', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  listSubscriptions: {
    method: 'GET',
    path: '/accounts/:account_id/subscriptions',
    pathParams: AccountPathParams,
    responses: { 200: SubscriptionList },
    summary: 'List subscriptions',
    description: 'Lists the subscriptions of an account, oldest first.',
    metadata,
  },
  createSubscription: {
    method: 'POST',
    path: '/accounts/:account_id/subscriptions',
    pathParams: AccountPathParams,
    body: NewSubscription,
    responses: { 200: Subscription },
    summary: 'Create a subscription',
    description: "Creates a subscription. Subscriptions of an account can't overlap; one that would returns `conflict`.",
    metadata,
  },
  cancelSubscription: {
    method: 'POST',
    path: '/subscriptions/:subscription_id/cancel',
    pathParams: SubscriptionPathParams,
    body: null,
    responses: { 200: CancelledSubscription },
    summary: 'Cancel a subscription',
    description:
      'Cancels a subscription, which stops paying for calls immediately. Calls that have reserved money from it are still charged to it.',
    metadata,
  },
} as const;
