/** Alerts for operators: the problems, and the channels that are notified of them. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { createListSchema, Id, pageFields, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const alertKinds = ['balance_low', 'cap_used', 'upstream_unavailable', 'ledger_mismatch'] as const;
const Kind = z
  .enum(alertKinds)
  .describe(
    '`balance_low`: the balance of an account is below the `alert_below` of the account, or else below `alerts.balanceBelow`. `cap_used`: a key or an account has used more than the share `alerts.capUsedAbove` of a spending cap. `upstream_unavailable`: an upstream has been unavailable for `alerts.upstreamUnavailableForMs`. `ledger_mismatch`: the request log and the ledger disagree for an hour of the last day.',
  );

export const Alert = z
  .object({
    id: z.string().describe('The ID of the alert, `alert_…`. IDs sort by creation time.'),
    object: createTypeField('alert'),
    kind: Kind,
    subject: z
      .string()
      .nullable()
      .describe('The ID of the account or key, or the name of the upstream. Null if the alert is about the entire gateway.'),
    name: z.string().nullable().describe('The name of the account or key when the alert opened. Null if the subject is a name itself.'),
    message: z.string().describe('A human-readable description of the problem.'),
    value: z.string().nullable().describe('The amount left, used, or differing, in US dollars. Null for an upstream.'),
    threshold: z
      .string()
      .nullable()
      .describe('The threshold at which the alert opened, in US dollars. Null if the alert has no threshold.'),
    opened_at: Time.describe('When the alert opened.'),
    resolved_at: Time.nullable().describe("When the alert was resolved. Null while it's open."),
    acknowledged_at: Time.nullable().describe("When the alert was last acknowledged or snoozed. Null if it wasn't."),
    acknowledged_by: z.string().nullable().describe("The actor who acknowledged it, as in the audit log. Null if it wasn't acknowledged."),
    acknowledged_by_name: z.string().nullable().describe("The operator's name. Null if it's unknown, or if the alert wasn't acknowledged."),
    snoozed_until: Time.nullable().describe(
      'When the snooze ends or ended. Null without a snooze: an acknowledged alert then stays acknowledged until it resolves.',
    ),
  })
  .meta({ id: 'Alert', description: 'An open or resolved problem.' });
export type Alert = z.infer<typeof Alert>;
export const AlertList = createListSchema('AlertList', 'A list of alerts, newest first.', Alert);

export const alertStates = ['open', 'resolved'] as const;
export const AlertQuery = z.strictObject({
  ...pageFields,
  state: z.enum(alertStates).optional().describe('Only open or only resolved alerts. Omit to get both.'),
});

export const snoozeSeconds = { min: 60, max: 2_592_000 } as const;
export const Acknowledgement = z
  .strictObject({
    snooze_seconds: z
      .int()
      .min(snoozeSeconds.min)
      .max(snoozeSeconds.max)
      .optional()
      .describe('Seconds until the alert needs attention again, from 60 to 2,592,000 (30 days). Omit to acknowledge it until it resolves.'),
  })
  .meta({ id: 'Acknowledgement', description: 'How long an alert is acknowledged.', examples: [{ snooze_seconds: 28_800 }] });

const Delivery = z
  .object({
    id: z.string().describe('The ID of the message, as in its `webhook-id` or `Message-ID` header. The same for all attempts.'),
    alert: z.string().describe('The ID of the alert.'),
    event: z.enum(['opened', 'resolved']).describe('The event that the message is about.'),
    state: z
      .enum(['waiting', 'delivered', 'failed'])
      .describe(
        '`waiting`: the message will be sent, or sent again, at `next_at`. `delivered`: the receiver accepted it. `failed`: the gateway gave up.',
      ),
    attempts: z.int().min(0).describe('Number of delivery attempts.'),
    status: z.int().nullable().describe('The HTTP status or SMTP reply code of the last response. Null if no response arrived.'),
    failure: z
      .string()
      .nullable()
      .describe(
        'Why the last attempt failed, or which recipients a mail server rejected. Null if it succeeded, or if there was no attempt.',
      ),
    created_at: Time.describe('When the message was first due.'),
    attempted_at: Time.nullable().describe('When the last attempt was made. Null if there was no attempt.'),
    next_at: Time.nullable().describe("The earliest time of the next attempt. Null if there won't be one."),
  })
  .meta({ id: 'AlertDelivery', description: 'A message to a channel, with its delivery state.' });

export const AlertChannel = z
  .object({
    name: z.string().describe('The name of the channel in the configuration.'),
    object: createTypeField('alert_channel'),
    format: z
      .enum(['standard', 'slack', 'teams', 'mail'])
      .describe('The format of the messages. `standard`, `slack`, and `teams`: a webhook. `mail`: mail over SMTP.'),
    host: z.string().describe("The host and port that messages are sent to. The remainder of a URL may be secret and isn't returned."),
    events: z.array(Kind).describe('The types of alerts that the channel is notified of.'),
    last_delivery: Delivery.nullable().describe('The latest message to the channel. Null if there was none in the last 90 days.'),
    waiting: z.int().min(0).describe('Number of messages that are waiting to be sent.'),
  })
  .meta({ id: 'AlertChannel', description: 'A configured webhook or mail that is notified of alerts.' });
export type AlertChannel = z.infer<typeof AlertChannel>;
export const AlertChannelList = createListSchema('AlertChannelList', 'A list of the configured channels.', AlertChannel);

export const AlertChannelTest = z
  .object({
    object: createTypeField('alert_channel_test'),
    channel: z.string().describe('The name of the channel.'),
    id: z.string().describe('The ID of the message, as in its `webhook-id` or `Message-ID` header.'),
    ok: z
      .boolean()
      .describe('Whether the receiver accepted the message: with a 2xx status within 10 seconds, or by SMTP within 30 seconds.'),
    sent: z.string().describe('The body of the message. For mail: its subject and text as JSON.'),
    status: z.int().nullable().describe('The HTTP status or SMTP reply code of the response. Null if no response arrived.'),
    response: z.string().nullable().describe('The first 500 characters of the response body or SMTP reply. Null if it was empty.'),
    failure: z.string().nullable().describe('Why the delivery failed, or which recipients a mail server rejected. Null if it succeeded.'),
    total_ms: z.int().min(0).describe('Milliseconds until the response.'),
  })
  .meta({ id: 'AlertChannelTest', description: 'The result of a test message.' });
export type AlertChannelTest = z.infer<typeof AlertChannelTest>;

const AlertPathParams = z.object({ alert_id: Id.describe('The ID of the alert, `alert_…`, as in `GET /admin/v1/alerts`.') });
const ChannelPathParams = z.object({ channel: Id.describe('The name of the channel in the configuration.') });
const metadata = { tag: 'Alerts' } as const satisfies AdminMetadata;

export const alertRoutes = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    query: AlertQuery,
    responses: { 200: AlertList },
    summary: 'List alerts',
    description:
      'Lists open alerts and alerts resolved in the last 90 days, newest first. One gateway process checks for problems once a minute.',
    metadata,
  },
  acknowledgeAlert: {
    method: 'POST',
    path: '/alerts/:alert_id/acknowledge',
    pathParams: AlertPathParams,
    body: Acknowledgement,
    responses: { 200: Alert },
    summary: 'Acknowledge an alert',
    description:
      "Records who takes care of an open alert. It stays open and listed, but isn't part of the overview's `attention` until the snooze ends, or until it resolves if there's no snooze. Nothing is sent to channels, not even when the snooze ends. Acknowledging it again replaces the earlier snooze. A resolved alert returns 409 `conflict`.",
    metadata,
  },
  listAlertChannels: {
    method: 'GET',
    path: '/alert-channels',
    responses: { 200: AlertChannelList },
    summary: 'List alert channels',
    description: 'Lists the configured webhooks and mail, each with its latest message.',
    metadata,
  },
  testAlertChannel: {
    method: 'POST',
    path: '/alert-channels/:channel/test',
    pathParams: ChannelPathParams,
    body: null,
    responses: { 200: AlertChannelTest },
    summary: 'Test an alert channel',
    description:
      'Sends a test message once, and returns it with the response. Each channel can be tested once every 5 seconds; more often returns 409. The test is recorded in the audit log.',
    metadata,
  },
} as const;
