/** Sums of calls over time, by up to two dimensions, and how they agree with the ledger. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { Csv, Id, ModelName, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { TokenSums } from './requests.ts';

const count = z.int().min(0);

export const dimensions = ['model', 'upstream', 'operation', 'code', 'account', 'key', 'session'] as const;
export type Dimension = (typeof dimensions)[number];
export const buckets = ['hour', 'day', 'week', 'month'] as const;

const Percentiles = z
  .object({
    p50: count.describe('Half of the calls were as fast or faster.'),
    p95: count.describe('19 of 20 calls were as fast or faster.'),
  })
  .meta({ id: 'Percentiles', description: 'Milliseconds, estimated from a histogram: mostly within a few percent of the true value.' });

const sums = {
  requests: count.describe('Calls that ended.'),
  errors: count.describe('Those that failed: an error from 500 on, or in the middle of a stream.'),
  rejected: count.describe('Those that were rejected: an error below 500.'),
  tokens: TokenSums.describe('Tokens that they used.'),
  images: count.describe('Images that they made.'),
  charged: Dollars.describe('What was charged for them.'),
  missed: Dollars.describe(
    'Of that, what input that was not read from a cache cost beyond the price of reading it: of calls that belong to a session, for models whose cached input costs less.',
  ),
  first_ms: Percentiles.nullable().describe(
    'Time to the first event. Null where it is not counted, as for accounts and keys, or no stream began.',
  ),
  total_ms: Percentiles.nullable().describe(
    'Time to the end of the answer, of calls that were answered. Null where it is not counted, as for accounts and keys, or none was answered.',
  ),
};
const ActivitySums = z.object(sums).meta({ id: 'ActivitySums', description: 'Sums of calls.' });
const ActivityPoint = z
  .object({
    at: Time.describe('Begin of the bucket, by UTC. The first bucket can begin before `from`, and the last one can end after `to`.'),
    ...sums,
  })
  .meta({ id: 'ActivityPoint', description: 'Sums of the calls of the range that ended in one bucket.' });
const ActivitySeries = z
  .object({
    key: z.string().nullable().describe('Value of `group_by`; an empty text for calls without one. Null: all calls, or the rest.'),
    then_key: z
      .string()
      .nullable()
      .describe('Value of `then_by`; an empty text for calls without one. Null: none was asked for, or the rest.'),
    label: z.string().describe('For people: the values, `all`, or `other` for what is not among the top ones.'),
    is_other: z.boolean().describe('Whether it is the rest, that is all that is not among the top ones.'),
    total: ActivitySums.describe('Sums of the series over the whole range.'),
    points: z.array(ActivityPoint).describe('The buckets in which calls ended, oldest first. A bucket without calls is absent.'),
  })
  .meta({ id: 'ActivitySeries', description: 'Sums over time of one value, or of one pair of values.' });

export const Activity = z
  .object({
    object: kind('activity'),
    from: Time.describe('Begin of the range: the full hour that `from` lies in. All sums are of calls that ended from here on.'),
    to: Time.describe('End of the range, as requested; not part of it.'),
    bucket: z.enum(buckets).describe('Length of a bucket, by UTC; weeks begin on Monday.'),
    complete_until: Time.describe('All calls that ended before this time are counted.'),
    series: z.array(ActivitySeries).describe('The top series by charge, then by calls; the rest is the last one.'),
    total: ActivitySums.describe('Sums over all series.'),
    reconciled: z
      .object({
        until: Time.describe('End of the last hour that was compared.'),
        difference: SignedDollars.describe(
          'What the ledger has more than these sums, over the compared hours of the range: `0.000000` is right.',
        ),
      })
      .nullable()
      .describe(
        'The comparison of all calls of the compared hours with the ledger. Null when none of them was compared, or billing is off.',
      ),
  })
  .meta({ id: 'Activity', description: 'Sums of calls over time.' });
export type Activity = z.infer<typeof Activity>;

export const ProviderSums = z
  .object({
    requests: count.describe('Calls of which it is known what the vendor bills: their candidate has a `cost` in the configuration.'),
    cost: Dollars.nullable().describe('What the vendors bill for these calls. Null: of no call it is known.'),
    margin: SignedDollars.nullable().describe(
      'What was charged for these calls, less what the vendors bill. Null: of no call it is known.',
    ),
  })
  .meta({ id: 'ProviderSums', description: 'What vendors bill, of the calls of which it is known.' });
export type ProviderSums = z.infer<typeof ProviderSums>;

export const OperatorActivity = Activity.extend({
  vendor: z
    .object({
      total: ProviderSums.describe('Over all series.'),
      series: z.array(ProviderSums).describe('One for each of `series`, in their order.'),
    })
    .nullable()
    .describe('What the vendors bill, over the whole range. Null where it is not counted: for accounts and keys.'),
}).meta({ id: 'OperatorActivity', description: 'Sums of calls over time, with what vendors bill for them.' });
export type OperatorActivity = z.infer<typeof OperatorActivity>;
export type ActivitySums = z.infer<typeof ActivitySums>;

const by = z.enum(dimensions);
export const TOP = 8;
export const ActivityQuery = z.strictObject({
  from: TimeInput.optional().describe('Begin of the range; moved to the full hour before it. Absent: a day before `to`.'),
  to: TimeInput.optional().describe('End of the range. Defaults to now.'),
  bucket: z
    .enum(['auto', ...buckets])
    .optional()
    .describe(
      'Length of a bucket; at most 750 in a range. `auto` or absent: hours up to two days, days up to three months, else weeks or months.',
    ),
  group_by: by.optional().describe('What a series is. Absent: one series of all calls.'),
  then_by: by.optional().describe('A second dimension; each series is one pair. Optional.'),
  model: ModelName.optional().describe('Only calls of this model. Omit for all.'),
  upstream: Id.optional().describe('Only calls whose last attempt was at this upstream. Omit for all.'),
  operation: Id.optional().describe('Only calls of this operation. Omit for all.'),
  code: Id.optional().describe('Only answers with this error code. Omit to get all.'),
  session: Id.optional().describe('Only calls of this session, as a call names it in the request log. Omit for all.'),
  account_id: Id.optional().describe('Only calls of this account. Omit for all.'),
  key_id: Id.optional().describe('Only calls of this key. Omit for all.'),
  top: z.int().min(1).max(12).optional().describe(`The most series apart from the rest. Absent: ${TOP}.`),
});
export type ActivityQuery = z.infer<typeof ActivityQuery>;

export const activityRoutes = {
  getActivity: {
    method: 'GET',
    path: '/activity',
    query: ActivityQuery,
    responses: { 200: OperatorActivity },
    summary: 'Get activity',
    description:
      'Sums of calls by hour, day, week or month, by up to two dimensions. Every grouping has the same total: the calls that ended from `from` until `to` of the answer. Accounts and keys are counted by hour for at most 7 days; together with upstream, operation or code, they need a filter by one account or key and at most 7 days. So do sessions, but for a range of up to a day. More than 93 days ago, their ranges must begin and end with a UTC day. What cannot be answered is rejected with `invalid_value`, which names the dimension or the range.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
  exportActivity: {
    method: 'GET',
    path: '/activity.csv',
    query: ActivityQuery,
    responses: { 200: Csv },
    summary: 'Export activity',
    description: 'The same as CSV: a line of headings, then a line for each series and bucket.',
    metadata: { tag: 'Usage', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
} as const;
