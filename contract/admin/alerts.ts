/** Alerts as an operator sees them: what is or was wrong, and which webhooks are told. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Id, listOf, page, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const alertKinds = ['balance_low', 'cap_used', 'upstream_unavailable', 'ledger_mismatch'] as const;
const Kind = z
  .enum(alertKinds)
  .describe(
    '`balance_low`: less is left on an account than `alerts.balanceBelow`. `cap_used`: a key has used the share `alerts.capUsedAbove` of its cap. `upstream_unavailable`: it has rested for `alerts.upstreamUnavailableForMs`. `ledger_mismatch`: request log and ledger disagree in an hour of the last day.',
  );

export const Alert = z
  .object({
    id: z.string().describe('Id of the alert, `alert_…`. Later ones sort behind earlier ones.'),
    object: kind('alert'),
    kind: Kind,
    subject: z.string().nullable().describe('Id of the account or key, or name of the upstream. Null: the gateway as a whole.'),
    name: z.string().nullable().describe('Name of the account or key, as it was. Null where the subject is a name itself.'),
    message: z.string().describe('What is the case, in a sentence for people.'),
    value: z.string().nullable().describe('Dollars that are left, were used, or differ. Null for an upstream.'),
    threshold: z.string().nullable().describe('Dollars at which the alert opened. Null where there are none.'),
    opened_at: Time.describe('When it was first seen.'),
    resolved_at: Time.nullable().describe('When it was seen to be over. Null: it is open.'),
  })
  .meta({ id: 'Alert', description: 'Something that is or was wrong.' });
export type Alert = z.infer<typeof Alert>;
export const AlertList = listOf('AlertList', 'Alerts, newest first.', Alert);

export const alertStates = ['open', 'resolved'] as const;
export const AlertQuery = z.strictObject({
  ...page,
  state: z.enum(alertStates).optional().describe('Those that are open, or those that are over. Absent: both.'),
});

const Delivery = z
  .object({
    id: z.string().describe('Id of the message, as its header `webhook-id` has it; the same with each attempt.'),
    alert: z.string().describe('Id of the alert.'),
    event: z.enum(['opened', 'resolved']).describe('Which of its two events was sent.'),
    state: z
      .enum(['waiting', 'delivered', 'failed'])
      .describe('`waiting`: it is sent, or sent again, at `next_at`. `failed`: it was given up.'),
    attempts: z.int().min(0).describe('How often it was sent.'),
    status: z.int().nullable().describe('Status of the last answer. Null: none came.'),
    failure: z.string().nullable().describe('Why the last attempt failed. Null: it did not, or there was none.'),
    created_at: Time.describe('When it was first due.'),
    attempted_at: Time.nullable().describe('When it was last sent. Null: not yet.'),
    next_at: Time.nullable().describe('When it is sent again at the earliest. Null: it is not.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A message to a webhook, and how far it came.' });

export const Webhook = z
  .object({
    name: z.string().describe('Its name in the configuration.'),
    object: kind('webhook'),
    host: z.string().describe('Host and port of its address; the rest of it may be secret and is not shown.'),
    events: z.array(Kind).describe('Kinds of alerts that it is told of.'),
    last_delivery: Delivery.nullable().describe('The newest message for it. Null: there was none in 90 days.'),
    waiting: z.int().min(0).describe('Messages that are still to be sent.'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of alerts, by the configuration.' });
export type Webhook = z.infer<typeof Webhook>;
export const WebhookList = listOf('WebhookList', 'Webhooks of the configuration.', Webhook);

export const WebhookTest = z
  .object({
    object: kind('webhook_test'),
    webhook: z.string().describe('Name of the webhook.'),
    id: z.string().describe('Id of the message, as its header `webhook-id` had it.'),
    ok: z.boolean().describe('Whether a status from 200 to 299 came within ten seconds.'),
    status: z.int().nullable().describe('Status of the answer. Null: none came.'),
    failure: z.string().nullable().describe('Why it failed. Null when it worked.'),
    total_ms: z.int().min(0).describe('Milliseconds to the answer.'),
  })
  .meta({ id: 'WebhookTest', description: 'What a test message showed.' });
export type WebhookTest = z.infer<typeof WebhookTest>;

const WebhookPath = z.object({ webhook: Id.describe('Name of the webhook in the configuration.') });
const metadata = { tag: 'Alerts' } as const satisfies AdminMetadata;

export const alertRoutes = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    query: AlertQuery,
    responses: { 200: AlertList },
    summary: 'List alerts',
    description: 'What is or was wrong in the last 90 days, newest first. One process of the gateway looks once a minute.',
    metadata,
  },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    responses: { 200: WebhookList },
    summary: 'List webhooks',
    description: 'Who is told of alerts, and how far the newest message came.',
    metadata,
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:webhook/test',
    pathParams: WebhookPath,
    body: null,
    responses: { 200: WebhookTest },
    summary: 'Test a webhook',
    description:
      'Sends it a signed message of the type `webhook.test` now, once. At most one in five seconds for each webhook, else 409; it is in the audit log.',
    metadata,
  },
} as const;
