/** What the first page of an operator needs: how much is going on, what needs attention, which processes live, and whether the books agree. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Activity, OperatorActivity } from './activity.ts';
import { Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const attentions = ['alerts_open', 'upstream_unavailable', 'account_low', 'keys_expire', 'ledger_mismatch', 'charges_wait'] as const;

const Attention = z
  .object({
    kind: z
      .enum(attentions)
      .describe(
        '`alerts_open`: `GET /alerts` lists them. `upstream_unavailable`: its circuit breaker is open, or its vendor asked for a pause. `account_low`: less is left than was spent since yesterday, or less than a dollar and a call was rejected. `keys_expire`: within seven days. `ledger_mismatch`: request log and ledger disagree. `charges_wait`: the store did not take them yet.',
      ),
    subject: z.string().nullable().describe('Name or id of what it is about. Null: the gateway as a whole.'),
    since: Time.nullable().describe('When it began. Null: that is not known.'),
    message: z.string().describe('What is the case, in a sentence for people.'),
  })
  .meta({ id: 'Attention', description: 'Something that an operator should look at.' });
export type Attention = z.infer<typeof Attention>;

const NodeReport = z
  .object({
    id: z.string().describe('Id of the process, new at each start.'),
    is_this: z.boolean().describe('Whether it is the process that answers.'),
    seen_at: Time.describe('When it last sent its sign of life.'),
    version: z.string().nullable().describe('Version of the gateway. Null for a process that does not report it.'),
    started_at: Time.nullable().describe('When it started. Null for a process that does not report it.'),
    loop_delay_ms: z
      .number()
      .min(0)
      .nullable()
      .describe('Milliseconds that one turn of its event loop took just now. Null for another process.'),
    memory_mb: z.int().min(0).nullable().describe('Memory that it uses, in MiB. Null for a process that does not report it.'),
    open_streams: z
      .int()
      .min(0)
      .nullable()
      .describe('Streams that callers are reading from it now. Null for a process that does not report it.'),
    waiting_charges: z
      .int()
      .min(0)
      .nullable()
      .describe('Charges on its disk that the store did not take yet. Null for a process that does not report it, or when billing is off.'),
  })
  .meta({ id: 'NodeReport', description: 'A process of the gateway. Other processes report themselves every five seconds.' });
export type NodeReport = z.infer<typeof NodeReport>;

export const Overview = z
  .object({
    object: kind('overview'),
    activity: OperatorActivity.describe(
      'Sums of all calls of the range: its `total`, and one series with a point for each hour, day, week or month, as `getActivity` chooses.',
    ),
    before: Activity.shape.total.describe(
      'Sums of as long a time before as was asked for; the range itself may have a part of a bucket more.',
    ),
    attention: z.array(Attention).describe('What needs attention, the most urgent first. Empty: nothing does.'),
    nodes: z.array(NodeReport).describe('Processes of the gateway that live, the newest sign of life first.'),
    ledger: z
      .object({
        sound: z.boolean().describe('Whether request log and ledger agree in all compared hours of the range.'),
        checked_until: Time.describe('End of the last hour that was compared.'),
      })
      .nullable()
      .describe('The comparison with the ledger. Null: no hour of the range was compared yet, or billing is off.'),
  })
  .meta({ id: 'Overview', description: 'How the gateway is doing.' });
export type Overview = z.infer<typeof Overview>;

export const overviewRanges = ['1h', '24h', '7d'] as const;
const OverviewQuery = z.strictObject({
  range: z.enum(overviewRanges).optional().describe('How far back from `to` it looks; it is not read where `from` is given. Absent: 24h.'),
  from: TimeInput.optional().describe('Begin of the range; moved to the begin of its bucket. Absent: as `range` says.'),
  to: TimeInput.optional().describe('End of the range. Defaults to now.'),
});
export type OverviewQuery = z.infer<typeof OverviewQuery>;

export const overviewRoutes = {
  getOverview: {
    method: 'GET',
    path: '/overview',
    query: OverviewQuery,
    responses: { 200: Overview },
    summary: 'Get the overview',
    description: 'How much is going on and how it was before, what needs attention, which processes live, and whether the books agree.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
} as const;
