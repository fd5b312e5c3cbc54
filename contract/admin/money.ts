/** Money of accounts: what changes a balance, and subscriptions. */
import { z } from 'zod';
import { Dollars } from '../dollars.ts';
import { kind } from '../wording.ts';
import { AccountPath, Balance } from './accounts.ts';
import { Id, listOf, Note, SignedAmount, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const adjustmentKind = z
  .enum(['top_up', 'refund', 'correction'])
  .describe('`top_up`: was paid in. `refund`: given back for what was charged. `correction`: sets an error right, up or down.');

export const NewAdjustment = z
  .strictObject({
    kind: adjustmentKind,
    amount: SignedAmount.describe('How much: more than 0; a correction may also be less, and takes away no more than is free of holds.'),
    note: Note.optional().describe('Why, for the books; up to 500 characters. Absent: nothing is said.'),
    transfer_id: z
      .string()
      .max(100)
      .regex(/^[0-9A-Za-z][0-9A-Za-z._:-]*$/, 'must have letters, digits and . _ : - only')
      .optional()
      .describe(
        'Your name for it, up to 100 characters: the same transfer again changes nothing, another one under its name is refused with `conflict`. Absent: one is made, and trying again pays again.',
      ),
  })
  .meta({
    id: 'NewAdjustment',
    description: 'A change of a balance to be booked.',
    examples: [{ kind: 'top_up', amount: '25', note: 'invoice 2044', transfer_id: 'invoice-2044' }],
  });
export type NewAdjustment = z.infer<typeof NewAdjustment>;

export const Adjustment = z
  .object({
    object: kind('adjustment'),
    account_id: z.string().describe('Id of the account whose balance was changed.'),
    transfer_id: z.string().describe('Name of the transfer, as it was given or as one was made.'),
    kind: adjustmentKind,
    amount: SignedDollars.describe('What the balance was changed by.'),
    note: z.string().nullable().describe('Why, for the books. Null: nothing was said.'),
    repeated: z.boolean().describe('Whether this transfer had been booked before, so that nothing was changed.'),
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
      .describe('`scheduled`: it has not begun. `active`: it pays. `ended`: its time is over. `cancelled`: it was ended early.'),
    included: Dollars.describe('What may be used in each period; what is left of it is not carried over.'),
    period: z.enum(['day', 'week', 'month']).describe('When the included amount starts anew, by UTC; weeks on Monday.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe('`stop` refuses until the next period, `balance` goes on at the cost of the balance.'),
    price_list: z.string().describe('Price list that its calls are charged by.'),
    starts_at: Time.describe('From when on it pays.'),
    ends_at: Time.nullable().describe('Until when it pays. Null: until it is cancelled.'),
    cancelled_at: Time.nullable().describe('When it was cancelled. Null: it was not.'),
  })
  .meta({ id: 'Subscription', description: 'A plan that an account has. What the plan says is kept from the day it was sold.' });
export type Subscription = z.infer<typeof Subscription>;
export const SubscriptionList = listOf('SubscriptionList', 'Subscriptions of an account, oldest first.', Subscription);

export const NewSubscription = z
  .strictObject({
    plan: z.string().min(1).max(64).describe('Name of a plan of the configuration.'),
    starts_at: TimeInput.optional().describe('From when on it pays. Absent: now.'),
    ends_at: TimeInput.nullish().describe('Until when it pays; after `starts_at`. Null or absent: until it is cancelled.'),
  })
  .meta({
    id: 'NewSubscription',
    description: 'A plan for an account. What the plan says today is kept for it.',
    examples: [{ plan: 'pro' }],
  });

export const CancelledSubscription = z
  .object({
    id: z.string().describe('Id of the subscription.'),
    object: kind('subscription'),
    cancelled: z.literal(true).describe('Always true: what does not run, nor is to come, is 404.'),
    cancelled_at: Time.describe('From when on it pays for nothing.'),
  })
  .meta({ id: 'CancelledSubscription', description: 'A subscription that has just been cancelled.' });

const SubscriptionPath = z.object({ subscription_id: Id.describe('Id of the subscription, `sub_…`, as the list of its account has it.') });
const metadata = { tag: 'Money' } as const satisfies AdminMetadata;

export const moneyRoutes = {
  getBalance: {
    method: 'GET',
    path: '/accounts/:account_id/balance',
    pathParams: AccountPath,
    responses: { 200: Balance },
    summary: 'Get a balance',
    description: 'What an account has, what of it is held, and what is left.',
    metadata,
  },
  adjustBalance: {
    method: 'POST',
    path: '/accounts/:account_id/adjustments',
    pathParams: AccountPath,
    body: NewAdjustment,
    responses: { 200: Adjustment },
    summary: 'Change a balance',
    description: 'Tops up, refunds or corrects. Name the transfer, and trying again after a lost answer changes nothing.',
    metadata,
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
    description: 'One runs at a time: what would run beside another is refused with `conflict`.',
    metadata,
  },
  cancelSubscription: {
    method: 'POST',
    path: '/subscriptions/:subscription_id/cancel',
    pathParams: SubscriptionPath,
    body: null,
    responses: { 200: CancelledSubscription },
    summary: 'Cancel a subscription',
    description: 'From now on it pays for nothing. What was held under it is settled by it.',
    metadata,
  },
} as const;
