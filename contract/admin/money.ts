/** Money of accounts: what changes a balance, and subscriptions. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { AccountPath, Balance } from './accounts.ts';
import { Csv, Id, listOf, Note, page, SignedAmount, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const adjustmentKind = z
  .enum(['top_up', 'refund', 'correction'])
  .describe('`top_up`: a payment. `refund`: returns a charge. `correction`: corrects an error, up or down.');

export const NewAdjustment = z
  .strictObject({
    kind: adjustmentKind,
    amount: SignedAmount.describe('The amount: more than 0. A correction may be negative, but can take away only money that is not held.'),
    note: Note.optional().describe('The reason, for the books; up to 500 characters. Optional.'),
    transfer_id: z
      .string()
      .max(100)
      .regex(/^[0-9A-Za-z][0-9A-Za-z._:-]*$/, 'must have letters, digits and . _ : - only')
      .optional()
      .describe(
        'Your id for the transfer, up to 100 characters. The same transfer again changes nothing; a different one with this id is rejected with `conflict`. Absent: a new id is made, so a retry books again.',
      ),
  })
  .meta({
    id: 'NewAdjustment',
    description: 'A change of a balance to book.',
    examples: [{ kind: 'top_up', amount: '25', note: 'invoice 2044', transfer_id: 'invoice-2044' }],
  });
export type NewAdjustment = z.infer<typeof NewAdjustment>;

export const Adjustment = z
  .object({
    object: kind('adjustment'),
    account_id: z.string().describe('Id of the account whose balance was changed.'),
    transfer_id: z.string().describe('Id of the transfer: yours, or a new one.'),
    kind: adjustmentKind,
    amount: SignedDollars.describe('The change of the balance.'),
    note: z.string().nullable().describe('The reason, for the books. Null: none was given.'),
    repeated: z.boolean().describe('True: this transfer was booked before, so nothing changed.'),
    balance: Balance.describe('The balance after the change.'),
  })
  .meta({ id: 'Adjustment', description: 'A change of a balance by an operator.' });

export const Subscription = z
  .object({
    id: z.string().describe('Id of the subscription, `sub_…`.'),
    object: kind('subscription'),
    account_id: z.string().describe('Id of the account whose subscription it is.'),
    plan: z.string().describe('Name of the plan in the configuration.'),
    state: z
      .enum(['scheduled', 'active', 'ended', 'cancelled'])
      .describe('`scheduled`: it has not begun. `active`: it pays. `ended`: its time is over. `cancelled`: an operator ended it early.'),
    included: Dollars.describe('The amount for each period; an unused rest is not carried over.'),
    period: z.enum(['day', 'week', 'month']).describe('When the included amount resets, in UTC; weeks begin on Monday.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe('When the amount is used up: `stop` refuses until the next period, `balance` charges the balance.'),
    price_list: z.string().describe('Price list that its calls are charged by.'),
    starts_at: Time.describe('When it begins to pay.'),
    ends_at: Time.nullable().describe('When it ends. Null: when it is cancelled.'),
    cancelled_at: Time.nullable().describe('When it was cancelled. Null: it was not.'),
  })
  .meta({
    id: 'Subscription',
    description: 'A subscription of an account to a plan. It keeps the terms that the plan had when it was created.',
  });
export type Subscription = z.infer<typeof Subscription>;
export const SubscriptionList = listOf('SubscriptionList', 'Subscriptions of an account, oldest first.', Subscription);

export const NewSubscription = z
  .strictObject({
    plan: z.string().min(1).max(64).describe('Name of a plan of the configuration.'),
    starts_at: TimeInput.optional().describe('When it begins to pay. Defaults to now.'),
    ends_at: TimeInput.nullish().describe('When it ends; after `starts_at`. Null or absent: when it is cancelled.'),
  })
  .meta({
    id: 'NewSubscription',
    description: 'A subscription to create. It keeps the terms that the plan has today.',
    examples: [{ plan: 'pro' }],
  });

export const CancelledSubscription = z
  .object({
    id: z.string().describe('Id of the subscription.'),
    object: kind('subscription'),
    cancelled: z.literal(true).describe('Always true: a subscription that is neither active nor scheduled is 404.'),
    cancelled_at: Time.describe('When it stopped paying.'),
  })
  .meta({ id: 'CancelledSubscription', description: 'A subscription that has just been cancelled.' });

export const statementKinds = ['charge', 'subscription', 'top_up', 'refund', 'correction'] as const;
const statementKind = z
  .enum(statementKinds)
  .describe(
    '`charge`: a request that the balance paid. `subscription`: a request that a subscription paid, which leaves the balance as it is. `top_up`, `refund`, `correction`: a change by an operator.',
  );

export const StatementEntry = z
  .object({
    id: z.string().describe('Number of the entry in the ledger, as a string.'),
    object: kind('entry'),
    at: Time.describe('When it was booked.'),
    kind: statementKind,
    amount: SignedDollars.describe('What came in; negative for what went out.'),
    balance_after: SignedDollars.describe('The balance after this entry and all before it.'),
    note: z
      .string()
      .nullable()
      .describe('The reason that an operator gave; `late` for a charge that came after its hold had expired. Null: none.'),
    transfer_id: z.string().nullable().describe('Id of the transfer of an operator. Null for a request.'),
    request_id: z
      .string()
      .nullable()
      .describe('Id of the request that was charged: its receipt has the details. Null for a change by an operator.'),
  })
  .meta({ id: 'StatementEntry', description: 'One line of the statement of an account.' });
export type StatementEntry = z.infer<typeof StatementEntry>;
export const StatementEntryList = listOf('StatementEntryList', 'Entries of an account, newest first.', StatementEntry);

const statementFilters = {
  from: TimeInput.optional().describe('Only entries from this time on. Omit to start with the first.'),
  to: TimeInput.optional().describe('Only entries before this time. Defaults to now.'),
  kind: statementKind.optional().describe('Only entries of this kind. Omit to get all.'),
};
export const EntriesQuery = z.strictObject({
  limit: page.limit,
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an entry')
    .optional()
    .describe('The `last_id` of the page before. Omit for the first page.'),
  ...statementFilters,
});
export const EntriesCsvQuery = z.strictObject(statementFilters);

const SubscriptionPath = z.object({ subscription_id: Id.describe('Id of the subscription, `sub_…`, as the list of its account has it.') });
const metadata = { tag: 'Money' } as const satisfies AdminMetadata;

export const moneyRoutes = {
  getBalance: {
    method: 'GET',
    path: '/accounts/:account_id/balance',
    pathParams: AccountPath,
    responses: { 200: Balance },
    summary: 'Get a balance',
    description: 'The balance of an account: total, held and available.',
    metadata,
  },
  adjustBalance: {
    method: 'POST',
    path: '/accounts/:account_id/adjustments',
    pathParams: AccountPath,
    body: NewAdjustment,
    responses: { 200: Adjustment },
    summary: 'Change a balance',
    description: 'Tops up, refunds or corrects. Give a `transfer_id`, and a retry after a lost answer changes nothing.',
    metadata,
  },
  listEntries: {
    method: 'GET',
    path: '/accounts/:account_id/entries',
    pathParams: AccountPath,
    query: EntriesQuery,
    responses: { 200: StatementEntryList },
    summary: 'List entries',
    description:
      'The statement of an account: every change of its balance, and what its subscriptions paid, newest first, each with the balance after it.',
    metadata,
  },
  exportEntries: {
    method: 'GET',
    path: '/accounts/:account_id/entries.csv',
    pathParams: AccountPath,
    query: EntriesCsvQuery,
    responses: { 200: Csv },
    summary: 'Export entries',
    description: 'The same as CSV, all pages, streamed: a line of headings, then a line for each entry. A row that ends early was cut off.',
    metadata: { tag: 'Money', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  listSubscriptions: {
    method: 'GET',
    path: '/accounts/:account_id/subscriptions',
    pathParams: AccountPath,
    responses: { 200: SubscriptionList },
    summary: 'List subscriptions',
    description: 'Of one account, oldest first.',
    metadata,
  },
  createSubscription: {
    method: 'POST',
    path: '/accounts/:account_id/subscriptions',
    pathParams: AccountPath,
    body: NewSubscription,
    responses: { 200: Subscription },
    summary: 'Add a subscription',
    description: 'Subscriptions must not overlap: one that would is rejected with `conflict`.',
    metadata,
  },
  cancelSubscription: {
    method: 'POST',
    path: '/subscriptions/:subscription_id/cancel',
    pathParams: SubscriptionPath,
    body: null,
    responses: { 200: CancelledSubscription },
    summary: 'Cancel a subscription',
    description: 'It stops paying at once. Calls that hold money from it are still charged to it.',
    metadata,
  },
} as const;
