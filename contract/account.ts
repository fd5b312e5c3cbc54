/** The reads of key owners about their account: money, the key, usage totals, and the statement. */
import { z } from 'zod';
import { Id, Tokens, UnixSeconds } from './shared/bounds.ts';
import { createTypeField } from './shared/descriptions.ts';
import { Dollars, SignedDollars } from './shared/dollars.ts';
import { keyCapFields } from './shared/spending-cap.ts';

const OwnLimit = z
  .object({
    scope: z
      .enum(['key', 'account', 'group'])
      .describe('Where the limit is set. All calls of that key, account, or group count toward it.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('The unit that is counted. `concurrency` counts requests in flight.'),
    limit: z.int().describe('The limit: per minute, or for `concurrency`, the maximum number of concurrent requests.'),
    mode: z
      .enum(['off', 'observe', 'enforce'])
      .describe(
        "`enforce`: calls over the limit are rejected with 429. `observe`: they're counted and logged, but never rejected. `off`: the limit has no effect.",
      ),
    remaining: z.int().nullable().describe('How much of the limit remains. Null for `concurrency`.'),
    reset_ms: z.int().nullable().describe('Milliseconds until the limit is fully restored. Null if `remaining` is null.'),
  })
  .meta({ id: 'OwnLimit', description: 'A limit that applies to calls with the key.' });

const OwnCap = z
  .object({
    ...keyCapFields,
    resets_at: UnixSeconds.nullable().describe('When the cap resets, as a Unix timestamp in seconds. Null if it never resets.'),
  })
  .meta({ id: 'OwnCap', description: 'A spending cap that calls with the key count toward, with the amount left.' });

const OwnBalance = z
  .object({
    balance: Dollars.describe('Total payments minus total charges.'),
    held: Dollars.describe('The amount reserved for requests in flight.'),
    available: Dollars.describe('`balance` minus `held`: the amount available for the next request.'),
  })
  .meta({ id: 'OwnBalance', description: 'The balance of the account.' });

const OwnSubscription = z
  .object({
    id: z.string().describe('The ID of the subscription.'),
    plan: z.string().describe('The name of the plan.'),
    included: Dollars.describe('The amount included in each period.'),
    left: Dollars.describe('The part of the included amount that is neither used nor reserved.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe(
        'Behavior when the included amount is used up. `stop`: calls are rejected until the next period. `balance`: calls are charged to the balance.',
      ),
    resets_at: UnixSeconds.describe('When the included amount resets, as a Unix timestamp in seconds.'),
    ends_at: UnixSeconds.nullable().describe(
      "When the subscription ends, as a Unix timestamp in seconds. Null if it runs until it's canceled.",
    ),
  })
  .meta({ id: 'OwnSubscription', description: 'The active subscription, with the amount left in this period.' });

export const OwnAccount = z
  .object({
    object: createTypeField('account'),
    id: z.string().describe('The ID of the account.'),
    name: z.string().describe('The name of the account, unique among accounts.'),
    group: z.string().describe('The group of the account, which determines the models it can call and their prices.'),
    state: z
      .enum(['active', 'no_balance'])
      .describe(
        '`active`: the account can pay for calls, or calls are free. `no_balance`: neither the balance nor a subscription can pay for a call.',
      ),
    balance: OwnBalance.nullable().describe('The balance of the account. Null when billing is off.'),
    subscription: OwnSubscription.nullable().describe('The subscription that pays for calls. Null if none does.'),
    spending_caps: z.array(OwnCap).describe('The spending caps that all keys of the account share. Empty if none, or when billing is off.'),
    limits: z.array(OwnLimit).describe('The limits shared by all keys of the account, including those of its group. Empty if none.'),
    created_at: UnixSeconds.describe('When the account was created, as a Unix timestamp in seconds.'),
  })
  .meta({ id: 'OwnAccount', description: 'The account that owns the key, with the amount left to spend.' });
export type OwnAccount = z.infer<typeof OwnAccount>;

const OwnPermissions = z
  .object({
    operations: z.array(z.string()).nullable().describe('The operations that the key can use. Null if it can use all of them.'),
    models: z
      .array(z.string())
      .nullable()
      .describe('The models that the key can call, as IDs or patterns with `*`. Null if it can call every model of its group.'),
    may_store: z.boolean().describe('Whether the key can store responses.'),
    manage_keys: z
      .boolean()
      .describe('Whether the key can list the keys of its account, and create keys with at most its own permissions.'),
  })
  .meta({ id: 'OwnPermissions', description: 'The permissions of the key, within those of its group.' });

export const OwnKey = z
  .object({
    object: createTypeField('key'),
    id: z.string().describe("The ID of the key, `key_…`. It isn't a secret."),
    name: z.string().describe('The name of the key.'),
    last_four: z.string().describe('The last four characters of the key, to recognize it.'),
    account_id: z.string().describe('The ID of the account that owns the key.'),
    state: z
      .enum(['active', 'replaced'])
      .describe('`active`: the key works. `replaced`: another key replaces it, but it works until it expires.'),
    permissions: OwnPermissions.describe('The permissions of the key.'),
    ip_ranges: z
      .array(z.string())
      .nullable()
      .describe('The IP addresses and ranges that the key can be used from. Null if it can be used from anywhere.'),
    spending_caps: z
      .array(OwnCap)
      .describe(
        'The spending caps that calls with the key count toward: its own, which the keys that replace it share, those of the keys it was created with, and those of its account. Empty if none, or when billing is off.',
      ),
    limits: z.array(OwnLimit).describe('The limits of the key itself. The limits of its account apply as well. Empty if none.'),
    created_at: UnixSeconds.describe('When the key was created, as a Unix timestamp in seconds.'),
    expires_at: UnixSeconds.nullable().describe('When the key expires, as a Unix timestamp in seconds. Null if it never expires.'),
    replaced_by: z.string().nullable().describe('The ID of the key that replaces this one. Null if none does.'),
  })
  .meta({ id: 'OwnKey', description: "Your key, with the remainder of its spending caps and limits. The secret isn't included." });
export type OwnKey = z.infer<typeof OwnKey>;

const dimension = z.enum(['model', 'key']);
const buckets = ['hour', 'day', 'week', 'month'] as const;
export const UsageSummaryQuery = z.strictObject({
  from: UnixSeconds.optional().describe(
    'The start of the range as a Unix timestamp in seconds, rounded down to the full hour. Defaults to 30 days before `to`.',
  ),
  to: UnixSeconds.optional().describe('The end of the range as a Unix timestamp in seconds. Defaults to now.'),
  bucket: z
    .enum(buckets)
    .optional()
    .describe('The length of a bucket. A range can have at most 750 buckets, and at most 7 days with `hour`. Defaults to `day`.'),
  group_by: dimension.optional().describe('How to group the rows of a bucket. Omit to get one row for all calls.'),
  then_by: dimension.optional().describe('Optional. A second dimension to group by.'),
  model: Id.optional().describe('Only calls to this model. Omit to get all models.'),
  key_id: Id.optional().describe('Only calls with this key. Omit to get all keys of the account.'),
});
export type UsageSummaryQuery = z.infer<typeof UsageSummaryQuery>;

const count = z.int().min(0);
const totalFields = {
  requests: count.describe("Number of finished calls. Reading your account isn't a call."),
  errors: count.describe('Number of failed calls: those that ended with a 5xx error, or with an error during a stream.'),
  rejected: count.describe('Number of rejected calls: those that ended with a 4xx error.'),
  tokens: z
    .object({
      input: Tokens.describe('Input tokens neither read from a cache nor written to one.'),
      cached_input: Tokens.describe('Input tokens read from a cache.'),
      cache_write: Tokens.describe('Input tokens written to a cache.'),
      output: Tokens.describe('Output tokens, including reasoning tokens.'),
    })
    .meta({ id: 'SummedTokens', description: "Tokens by price class. The classes don't overlap." })
    .describe('Tokens used by the calls.'),
  images: count.describe('Images generated by the calls.'),
  charged: Dollars.describe('The amount charged for the calls, to the balance or a subscription.'),
};
const UsageSums = z.object(totalFields).meta({ id: 'UsageSums', description: 'Totals of calls.' });

const UsageSummaryRow = z
  .object({
    at: UnixSeconds.describe('The start of the bucket in UTC, as a Unix timestamp in seconds. The first bucket can start before `from`.'),
    model: z
      .string()
      .nullable()
      .describe("The model; an empty string for calls without one. Null if the rows aren't grouped by model, or if `is_other` is true."),
    key_id: z.string().nullable().describe("The key. Null if the rows aren't grouped by key, or if `is_other` is true."),
    is_other: z.boolean().describe('Whether this row combines everything except the twelve most expensive groups.'),
    ...totalFields,
  })
  .meta({ id: 'UsageSummaryRow', description: 'Totals of the calls that ended in a bucket, for one model or key.' });

export const UsageSummary = z
  .object({
    object: createTypeField('usage_summary'),
    from: UnixSeconds.describe(
      'The start of the range as a Unix timestamp in seconds: the requested `from`, rounded down to the full hour.',
    ),
    to: UnixSeconds.describe('The end of the range as a Unix timestamp in seconds, exclusive.'),
    bucket: z.enum(buckets).describe('The length of a bucket, in UTC. Weeks start on Monday.'),
    complete_until: UnixSeconds.describe('All calls that ended before this time are included. A Unix timestamp in seconds.'),
    data: z
      .array(UsageSummaryRow)
      .describe('The rows by model or key, the most expensive first, then by time. Buckets without calls are omitted.'),
    total: UsageSums.describe('Totals over the entire range.'),
  })
  .meta({ id: 'UsageSummary', description: "Totals of the account's calls over time." });
export type UsageSummary = z.infer<typeof UsageSummary>;

/** Default of `limit`: lines per page. */
export const STATEMENT_LENGTH = 50;
export const StatementQuery = z.strictObject({
  from: UnixSeconds.optional().describe('Only lines from this time on, as a Unix timestamp in seconds. Omit to start with the first line.'),
  to: UnixSeconds.optional().describe('Only lines before this time, as a Unix timestamp in seconds. Defaults to now.'),
  limit: z.int().min(1).max(100).optional().describe(`Maximum number of lines to return, from 1 to 100. Defaults to ${STATEMENT_LENGTH}.`),
  after: Id.optional().describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
});
export type StatementQuery = z.infer<typeof StatementQuery>;

const StatementLine = z
  .object({
    id: z.string().describe('For a charge, the `x-request-id` of the call. For a payment, its transfer ID, such as an invoice number.'),
    kind: z
      .enum(['charge', 'top_up', 'refund', 'correction'])
      .describe(
        '`charge`: a call. `top_up`: a payment. `refund`: a charge returned to the balance. `correction`: a correction of an error, positive or negative.',
      ),
    amount: SignedDollars.describe('The amount: positive for money in, negative for money out.'),
    source: z.enum(['balance', 'subscription']).describe('The source of a charge. Payments always go to the `balance`.'),
    model: z.string().nullable().describe('The model of a charge. Null for a payment.'),
    key_id: z.string().nullable().describe('The key of a charge. Null for a payment.'),
    at: UnixSeconds.describe('When the amount for a call was reserved, or a payment was posted. A Unix timestamp in seconds.'),
  })
  .meta({ id: 'StatementLine', description: 'A charge or payment of the account.' });

export const Statement = z
  .object({
    object: createTypeField('list'),
    data: z.array(StatementLine).describe('The lines of this page, newest first.'),
    first_id: z.string().nullable().describe('The ID of the first line of this page. Null if the page is empty.'),
    last_id: z
      .string()
      .nullable()
      .describe('The ID of the last line of this page. Send it as `after` to get the next page. Null if the page is empty.'),
    has_more: z.boolean().describe('Whether there are more lines after this page.'),
  })
  .meta({ id: 'Statement', description: "A page of the account's payments and charges, newest first." });
export type Statement = z.infer<typeof Statement>;
export type StatementLine = z.infer<typeof StatementLine>;
