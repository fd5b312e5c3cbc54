/** Data for the console's first page: traffic, problems, running processes, and whether the ledger is consistent. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { Activity, OperatorActivity } from './activity.ts';
import { Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { OutageImpact } from './upstreams.ts';

export const attentionKinds = [
  'alerts_open',
  'upstream_unavailable',
  'balance_low',
  'keys_expiring',
  'ledger_mismatch',
  'charges_pending',
  'calls_failing',
  'limits_unshared',
] as const;
/** What a problem is about. */
export const attentionTargets = ['upstream', 'account', 'key', 'gateway'] as const;

const Attention = z
  .object({
    kind: z
      .enum(attentionKinds)
      .describe(
        "`alerts_open`: an alert is open and not acknowledged. After the 10 newest, one entry counts the others; `GET /alerts` lists all. `upstream_unavailable`: the circuit breaker of an upstream is open, or its provider asked for a pause. `balance_low`: an account has less left than it spent since yesterday, or less than $1 and a call was rejected. `keys_expiring`: a key expires within 7 days; after the 5 soonest, one entry counts the others. `ledger_mismatch`: the request log and the ledger disagree. `charges_pending`: charges haven't been written to the store yet. `calls_failing`: at least 2% of the calls of the last 5 minutes failed, and at least 20 were made. `limits_unshared`: Redis can't be reached, so each process enforces its share of the limits. A problem with an open alert is only listed as that alert, and not at all once it's acknowledged.",
      ),
    target: z.enum(attentionTargets).describe('The type of the affected object.'),
    subject: z.string().nullable().describe("The name or ID of the affected object. Null if it's the entire gateway."),
    name: z
      .string()
      .nullable()
      .describe("The object's display name, such as `research / build server` for a key. Null if it's the entire gateway."),
    available: Dollars.nullable().describe("The account's remaining balance. Null unless the balance is low."),
    expires_at: Time.nullable().describe('When the key expires. Null unless it expires within 7 days.'),
    is_urgent: z.boolean().describe('Whether calls are failing because of it now.'),
    impact: OutageImpact.nullable().describe('The effect of an outage on calls since `since`. Null if no upstream is affected.'),
    since: Time.nullable().describe("When the problem started. Null if that's unknown."),
    message: z.string().describe('A human-readable description of the problem.'),
  })
  .meta({ id: 'Attention', description: "A problem that needs an operator's attention." });
export type Attention = z.infer<typeof Attention>;

const NodeReport = z
  .object({
    id: z.string().describe('The ID of the process, new at each start.'),
    is_current: z.boolean().describe('Whether this process serves this request.'),
    seen_at: Time.describe('When the process last reported.'),
    version: z.string().nullable().describe("The version of the gateway. Null if the process doesn't report it."),
    started_at: Time.nullable().describe("When the process started. Null if the process doesn't report it."),
    loop_delay_ms: z.number().min(0).nullable().describe('The current event loop delay, in milliseconds. Null for other processes.'),
    memory_mb: z.int().min(0).nullable().describe("Memory usage in MiB. Null if the process doesn't report it."),
    open_streams: z
      .int()
      .min(0)
      .nullable()
      .describe("Number of streams that clients are reading now. Null if the process doesn't report it."),
    waiting_charges: z
      .int()
      .min(0)
      .nullable()
      .describe(
        "Number of charges on its disk that haven't been written to the store yet. Null if the process doesn't report it, or when billing is off.",
      ),
  })
  .meta({ id: 'NodeReport', description: 'A process of the gateway. Other processes report every 5 seconds.' });
export type NodeReport = z.infer<typeof NodeReport>;

export const Overview = z
  .object({
    object: createTypeField('overview'),
    activity: OperatorActivity.describe(
      'Totals of all calls in the range: `total`, and one series with a point per hour, day, week, or month, as chosen by `getActivity`.',
    ),
    before: Activity.shape.total.describe(
      'Totals of the previous period, which is as long as the requested range. The range itself can be longer by a part of a bucket.',
    ),
    attention: z
      .array(Attention)
      .describe('Problems that need attention, most urgent first. An object can have several. Empty if all is well.'),
    acknowledged_alerts: z
      .int()
      .min(0)
      .describe("Number of open alerts that are acknowledged or snoozed, and so aren't part of `attention`."),
    nodes: z.array(NodeReport).describe('The running processes of the gateway, most recent report first.'),
    ledger: z
      .object({
        is_consistent: z.boolean().describe('Whether the request log and the ledger agree for all compared hours of the range.'),
        checked_until: Time.describe('The end of the last hour that was compared.'),
      })
      .nullable()
      .describe(
        'The comparison of the request log with the ledger. Null if no hour of the range was compared yet, or when billing is off.',
      ),
  })
  .meta({ id: 'Overview', description: 'The state of the gateway.' });
export type Overview = z.infer<typeof Overview>;

export const overviewRanges = ['1h', '24h', '7d'] as const;
const OverviewQuery = z.strictObject({
  range: z
    .enum(overviewRanges)
    .optional()
    .describe('How far back from `to` the range goes. Ignored if you send `from`. Defaults to `24h`.'),
  from: TimeInput.optional().describe('The start of the range, rounded down to the start of its bucket. Omit to use `range`.'),
  to: TimeInput.optional().describe('The end of the range. Defaults to now.'),
});
export type OverviewQuery = z.infer<typeof OverviewQuery>;

export const overviewRoutes = {
  getOverview: {
    method: 'GET',
    path: '/overview',
    query: OverviewQuery,
    responses: { 200: Overview },
    summary: 'Get the overview',
    description:
      'Returns the traffic of the range and of the previous period, the problems that need attention, the running processes, and whether the request log and the ledger agree.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
} as const;
