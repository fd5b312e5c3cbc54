/** What the holder of a key reads of his own account: money, the key, sums of usage, and a statement. */
import { z } from 'zod';
import { Id, Tokens, UnixSeconds } from './shared/bounds.ts';
import { kind } from './shared/descriptions.ts';
import { Dollars, SignedDollars } from './shared/dollars.ts';

const OwnLimit = z
  .object({
    scope: z.enum(['key', 'account', 'group']).describe('Whose limit it is; all its calls count towards it.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('What is counted; `concurrency`: requests that are running.'),
    limit: z.int().describe('The limit: per minute; for `concurrency`, at once.'),
    mode: z
      .enum(['off', 'observe', 'enforce'])
      .describe('`enforce` refuses with 429. `observe` counts and logs, but refuses nothing. `off` does nothing.'),
    remaining: z.int().nullable().describe('What remains now. Null for `concurrency`.'),
    reset_ms: z.int().nullable().describe('Milliseconds until the limit is fully restored. Null when `remaining` is null.'),
  })
  .meta({ id: 'OwnLimit', description: 'A limit that applies to calls with the key.' });

const OwnBalance = z
  .object({
    balance: Dollars.describe('All payments in, less all charges.'),
    held: Dollars.describe('What is reserved for requests that are running.'),
    available: Dollars.describe('`balance` less `held`: the amount that the next request can use.'),
  })
  .meta({ id: 'OwnBalance', description: 'Money of the account.' });

const OwnSubscription = z
  .object({
    id: z.string().describe('Id of the subscription.'),
    plan: z.string().describe('Name of its plan.'),
    included: Dollars.describe('The amount for each period.'),
    left: Dollars.describe('The part that is neither used nor held.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe('When the amount is used up: `stop` refuses until the next period, `balance` charges the balance.'),
    resets_at: UnixSeconds.describe('When the included amount resets, in seconds since 1970-01-01 UTC.'),
    ends_at: UnixSeconds.nullable().describe('When it ends, in seconds since 1970-01-01 UTC. Null: when it is cancelled.'),
  })
  .meta({ id: 'OwnSubscription', description: 'What the running subscription still includes in this period.' });

export const OwnAccount = z
  .object({
    object: kind('account'),
    id: z.string().describe('Id of the account.'),
    name: z.string().describe('Its name, unique among accounts.'),
    group: z.string().describe('Its group, which determines the models that it may call and their prices.'),
    state: z
      .enum(['active', 'no_money'])
      .describe('`no_money`: neither the balance nor a subscription pays for a call. `active`: one does, or calls are not charged.'),
    balance: OwnBalance.nullable().describe('Money of the account. Null when calls are not charged.'),
    subscription: OwnSubscription.nullable().describe('The subscription that pays now. Null: none does.'),
    limits: z.array(OwnLimit).describe('Limits of all its keys together, those of its group included. Empty: none.'),
    created_at: UnixSeconds.describe('When it was made, in seconds since 1970-01-01 UTC.'),
  })
  .meta({ id: 'OwnAccount', description: 'The account that owns the key, with what is left.' });
export type OwnAccount = z.infer<typeof OwnAccount>;

const OwnCap = z
  .object({
    amount: Dollars.describe('The most that may be spent in a period.'),
    period: z.enum(['day', 'week', 'month', 'never']).describe('When it resets, in UTC; weeks begin on Monday.'),
    left: Dollars.nullable().describe('The part that is neither spent nor held. Null when calls are not charged.'),
    resets_at: UnixSeconds.nullable().describe('When it resets, in seconds since 1970-01-01 UTC. Null: never.'),
  })
  .meta({ id: 'OwnCap', description: 'The most that the key may spend, and what is left of it.' });

const OwnPermissions = z
  .object({
    operations: z.array(z.string()).nullable().describe('Operations that the key may use. Null: all of them.'),
    models: z
      .array(z.string())
      .nullable()
      .describe('Models that the key may call, by ids or patterns with `*`. Null: all that the group may call.'),
    may_store: z.boolean().describe('Whether responses may be stored.'),
    manage_keys: z.boolean().describe('Whether the key may list the keys of its account, and make others that may do no more than itself.'),
  })
  .meta({ id: 'OwnPermissions', description: 'The permissions of the key, within those of its group.' });

export const OwnKey = z
  .object({
    object: kind('key'),
    id: z.string().describe('Id of the key, `key_…`. It is no secret.'),
    name: z.string().describe('Its name, for people.'),
    last_four: z.string().describe('The last four characters of the key, to recognise it.'),
    account_id: z.string().describe('Id of the account that owns it.'),
    state: z.enum(['active', 'replaced']).describe('`replaced`: another key takes its place, and it works until it expires.'),
    permissions: OwnPermissions.describe('What the key may do.'),
    ip_ranges: z.array(z.string()).nullable().describe('Addresses that it may be used from. Null: any.'),
    spending_cap: OwnCap.nullable().describe('The most that it may spend, with the keys that share the cap. Null: no cap.'),
    limits: z.array(OwnLimit).describe('Its own limits. Those of the account apply too. Empty: none.'),
    created_at: UnixSeconds.describe('When it was made, in seconds since 1970-01-01 UTC.'),
    expires_at: UnixSeconds.nullable().describe('When it expires, in seconds since 1970-01-01 UTC. Null: never.'),
    replaced_by: z.string().nullable().describe('Id of the key that replaces it. Null: none.'),
  })
  .meta({ id: 'OwnKey', description: 'The key of the call, with what is left of its cap and limits; never the key itself.' });
export type OwnKey = z.infer<typeof OwnKey>;

const dimension = z.enum(['model', 'key']);
const buckets = ['hour', 'day', 'week', 'month'] as const;
export const UsageSummaryQuery = z.strictObject({
  from: UnixSeconds.optional().describe(
    'Begin of the range in seconds since 1970, moved to the full hour before it. Absent: 30 days before `to`.',
  ),
  to: UnixSeconds.optional().describe('End of the range in seconds since 1970. Defaults to now.'),
  bucket: z.enum(buckets).optional().describe('Length of a bucket, at most 750 in a range; `hour` for at most 7 days. Absent: `day`.'),
  group_by: dimension.optional().describe('What a row is apart from its bucket. Absent: all calls together.'),
  then_by: dimension.optional().describe('A second dimension. Optional.'),
  model: Id.optional().describe('Only calls of this model. Omit for all.'),
  key_id: Id.optional().describe('Only calls with this key. Absent: with all keys of the account.'),
});
export type UsageSummaryQuery = z.infer<typeof UsageSummaryQuery>;

const count = z.int().min(0);
const summed = {
  requests: count.describe('Calls that ended. Reading the own account is no call.'),
  errors: count.describe('Those that failed: an error from 500 on, or in the middle of a stream.'),
  rejected: count.describe('Those that were rejected: an error below 500.'),
  tokens: z
    .object({
      input: Tokens.describe('Input that was neither read from a cache nor written to one.'),
      cached_input: Tokens.describe('Input that was read from a cache.'),
      cache_write: Tokens.describe('Input that was written to a cache.'),
      output: Tokens.describe('All output, reasoning included.'),
    })
    .meta({ id: 'SummedTokens', description: 'Tokens by class of charge; the classes do not overlap.' })
    .describe('Tokens that they used.'),
  images: count.describe('Images that they made.'),
  charged: Dollars.describe('What was charged for them, to the balance or a subscription.'),
};
const UsageSums = z.object(summed).meta({ id: 'UsageSums', description: 'Sums of calls.' });

const UsageSummaryRow = z
  .object({
    at: UnixSeconds.describe('Begin of the bucket, by UTC, in seconds since 1970. The first bucket can begin before `from`.'),
    model: z.string().nullable().describe('The model; an empty text for calls without one. Null: not asked for, or the rest.'),
    key_id: z.string().nullable().describe('The key. Null: not asked for, or the rest.'),
    is_rest: z.boolean().describe('Whether it is all that is not among the twelve that cost most.'),
    ...summed,
  })
  .meta({ id: 'UsageSummaryRow', description: 'Sums of the calls that ended in one bucket, of one model or key.' });

export const UsageSummary = z
  .object({
    object: kind('usage_summary'),
    from: UnixSeconds.describe('Begin of the range in seconds since 1970: the full hour that `from` of the request lies in.'),
    to: UnixSeconds.describe('End of the range in seconds since 1970; not part of it.'),
    bucket: z.enum(buckets).describe('Length of a bucket, by UTC; weeks begin on Monday.'),
    complete_until: UnixSeconds.describe('All calls that ended before this time are counted; in seconds since 1970.'),
    data: z.array(UsageSummaryRow).describe('By model or key, the dearest first, then by time. A bucket without calls is absent.'),
    total: UsageSums.describe('Sums over the whole range.'),
  })
  .meta({ id: 'UsageSummary', description: 'Sums of the calls of the account over time.' });
export type UsageSummary = z.infer<typeof UsageSummary>;

/** Lines on a page when the caller gives no `limit`. */
export const STATEMENT_LENGTH = 50;
export const StatementQuery = z.strictObject({
  from: UnixSeconds.optional().describe('Only lines from this time on; in seconds since 1970. Omit to start with the first.'),
  to: UnixSeconds.optional().describe('Only lines before this time; in seconds since 1970. Defaults to now.'),
  limit: z.int().min(1).max(100).optional().describe(`Most lines to return. Absent: ${STATEMENT_LENGTH}.`),
  after: Id.optional().describe('Id of the line after which to continue: `last_id` of the page before. Omit for the first page.'),
});
export type StatementQuery = z.infer<typeof StatementQuery>;

const StatementLine = z
  .object({
    id: z.string().describe('The `x-request-id` of a charge; for a payment the id that its transfer was given, such as an invoice.'),
    kind: z
      .enum(['charge', 'top_up', 'refund', 'correction'])
      .describe('`charge`: a call. `top_up`: money in. `refund`: money that was paid back. `correction`: either.'),
    amount: SignedDollars.describe('What came in, or with a minus sign what went out.'),
    source: z.enum(['balance', 'subscription']).describe('Where a charge was taken from; a payment goes to the `balance`.'),
    model: z.string().nullable().describe('The model of a charge. Null for a payment.'),
    key_id: z.string().nullable().describe('The key of a charge. Null for a payment.'),
    at: UnixSeconds.describe('When the money of a call was held, or a payment booked; in seconds since 1970-01-01 UTC.'),
  })
  .meta({ id: 'StatementLine', description: 'One charge or payment of the account.' });

export const Statement = z
  .object({
    object: kind('list'),
    data: z.array(StatementLine).describe('The lines of this page, newest first.'),
    first_id: z.string().nullable().describe('Id of the first line of this page. Null when the page is empty.'),
    last_id: z.string().nullable().describe('Id of the last line of this page, for `after` of the next call. Null when the page is empty.'),
    has_more: z.boolean().describe('Whether more lines follow this page.'),
  })
  .meta({ id: 'Statement', description: 'One page of the money in and out of an account, newest first.' });
export type Statement = z.infer<typeof Statement>;
export type StatementLine = z.infer<typeof StatementLine>;
