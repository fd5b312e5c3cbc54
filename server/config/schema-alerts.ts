/** Schemas of alerts and their channels in the configuration file: webhooks and mail. */
import { z } from 'zod';
import { Dollars } from './schema-models.ts';
import { createIntegerSetting, HOUR, MINUTE } from './schema-upstreams.ts';
import { createUrl, isLoopback, secretMeta } from './values.ts';

export const alertKinds = ['balance_low', 'cap_used', 'upstream_unavailable', 'ledger_mismatch'] as const;
export type AlertKind = (typeof alertKinds)[number];

function findUrlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'must be a URL that starts with https:// or http://';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://';
  if (url.username !== '' || url.password !== '')
    return "can't contain a user name or password; the receiver verifies the signature instead";
  if (url.hash !== '') return "can't contain a fragment (#)";
  return null;
}

/**
 * Unlike the URL of an upstream, a webhook URL can have a query, because many receivers put a token there. The URL is
 * never shown or logged.
 */
const WebhookUrl = createUrl(findUrlFault);

export const SECRET_PREFIX = 'whsec_';
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** Accepts only canonical Base64. Otherwise the gateway might sign with other bytes than the receiver verifies. */
function isSigningSecret(text: string): boolean {
  if (!text.startsWith(SECRET_PREFIX)) return false;
  const encodedSecret = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(encodedSecret, 'base64');
  return bytes.toString('base64') === encodedSecret && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES;
}

const channelFields = {
  name: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, 'must consist of lower-case letters, digits, and hyphens, and start with a letter')
    .meta({ description: 'Name of the channel in the console, the log, and the command line.', examples: ['ops'] }),
  events: z
    .array(z.enum(alertKinds))
    .min(1)
    .optional()
    .meta({ description: 'Kinds of alerts to send. Defaults to all.', examples: [['upstream_unavailable', 'ledger_mismatch']] }),
};

const webhookFormats = ['standard', 'slack', 'teams'] as const;

const Webhook = z
  .strictObject({
    ...channelFields,
    url: WebhookUrl.meta({
      writeOnly: true,
      description: "URL that alerts are sent to. Private addresses are allowed, because you choose it. Redirects aren't followed.",
      examples: ['https://ops.example/modelgate'],
    }),
    format: z
      .enum(webhookFormats)
      .default('standard')
      .meta({
        description:
          '`standard`: signed JSON, as in Standard Webhooks. `slack`: the message of an incoming webhook of Slack. `teams`: an Adaptive Card for a Workflows webhook of Microsoft Teams.',
        examples: ['slack'],
      }),
    secret: z
      .string()
      .refine(isSigningSecret, `must be ${SECRET_PREFIX} followed by ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes in Base64`)
      .optional()
      .meta({
        ...secretMeta,
        description:
          'Signing secret of the format `standard`, as in Standard Webhooks: `whsec_` followed by 24 to 64 random bytes in Base64. The other formats have none.',
        examples: [`\${ALERT_SECRET}`],
      }),
  })
  .superRefine(({ format, secret }, context) => {
    const message =
      format === 'standard'
        ? secret === undefined && 'is missing; messages in the format standard are signed. Add it, or choose the format slack or teams'
        : secret !== undefined && `isn't used by the format ${format}, whose messages aren't signed; remove it`;
    if (message) context.addIssue({ code: 'custom', path: ['secret'], message });
  });

const ADDRESS = /^[^\s<>@,;]+@[^\s<>@,;]+$/;
const NAMED_ADDRESS = /^[^\r\n<>@]*<[^\s<>@,;]+@[^\s<>@,;]+>$/;

const IMPLICIT_TLS_PORT = 465;

const Mail = z
  .strictObject({
    ...channelFields,
    host: z
      .string()
      .max(255)
      .regex(/^[0-9A-Za-z.:-]+$/, 'must be the name or address of a mail server, without a port')
      .meta({ description: 'Name or address of the SMTP server.', examples: ['smtp.example.com'] }),
    port: createIntegerSetting(1, 65_535, 587, 'Port of the SMTP server.'),
    tls: z
      .enum(['starttls', 'implicit', 'none'])
      .optional()
      .meta({
        description:
          '`starttls`: TLS starts on a plain connection, and nothing is sent without it. `implicit`: the connection starts with TLS. `none`: no TLS. Defaults to `implicit` on port 465, and otherwise to `starttls`.',
        examples: ['starttls'],
      }),
    user: z
      .string()
      .min(1)
      .max(320)
      .optional()
      .meta({ description: 'User name at the SMTP server. Omit both it and the password to send without authentication.' }),
    password: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .meta({ ...secretMeta, description: 'Password of the user.', examples: [`\${SMTP_PASSWORD}`] }),
    from: z
      .string()
      .max(320)
      .refine(
        (text) => ADDRESS.test(text) || NAMED_ADDRESS.test(text),
        'must be a mail address, such as alerts@example.com or Modelgate <alerts@example.com>',
      )
      .meta({ description: 'Sender of the messages.', examples: ['Modelgate <alerts@example.com>'] }),
    to: z
      .array(z.string().max(320).regex(ADDRESS, 'must be a mail address, such as ops@example.com'))
      .min(1)
      .max(20)
      .meta({ description: 'Recipients of each message.', examples: [['ops@example.com']] }),
  })
  .superRefine(({ host, tls, user, password }, context) => {
    if ((user === undefined) !== (password === undefined))
      context.addIssue({
        code: 'custom',
        path: [user === undefined ? 'user' : 'password'],
        message: 'is missing; set both user and password, or neither',
      });
    if (tls === 'none' && password !== undefined && !isLoopback(host))
      context.addIssue({ code: 'custom', path: ['tls'], message: "can't be none with a password, which would be sent in plain text" });
  });

const MAX_CHANNELS = 20;
export const MAX_THRESHOLDS = 5;

const CapShare = z.number().min(0.01).max(1);

/** Accepts one value or a list. */
const createThresholds = <T extends z.ZodType>(threshold: T) => z.union([threshold, z.array(threshold).min(1).max(MAX_THRESHOLDS)]);

export const Alerts = z
  .strictObject({
    balanceBelow: createThresholds(Dollars)
      .optional()
      .meta({
        description:
          "An alert opens when an account's balance falls below this amount in US dollars, and resolves when the balance is 10% above it. Each amount of a list opens its own alert. Accounts that never made a paid call, are suspended, or have a subscription aren't checked. An account's own `alert_below` replaces all amounts. Omit to check only accounts that have one.",
        examples: ['5', ['20', '5']],
      }),
    capUsedAbove: createThresholds(CapShare)
      .default(0.9)
      .meta({
        description:
          'An alert opens when a key or an account has used this share of a spending cap, and resolves when the share is 0.05 lower. Each share of a list opens its own alert. At most two decimal places.',
        examples: [0.9, [0.5, 0.8, 1]],
      }),
    upstreamUnavailableForMs: createIntegerSetting(
      0,
      HOUR,
      MINUTE,
      'An alert opens when an upstream has been unavailable for this long in any process, and resolves when it has been available for as long.',
    ),
    webhooks: z
      .array(Webhook)
      .max(MAX_CHANNELS)
      .default([])
      .meta({
        description: 'Webhooks that are notified when an alert opens and when it resolves.',
        examples: [[{ name: 'ops', url: 'https://ops.example/modelgate', secret: `\${ALERT_SECRET}` }]],
      }),
    mail: z
      .array(Mail)
      .max(MAX_CHANNELS)
      .default([])
      .meta({
        description: 'Mail over SMTP when an alert opens and when it resolves.',
        examples: [
          [
            {
              name: 'on-call',
              host: 'smtp.example.com',
              user: 'alerts',
              password: `\${SMTP_PASSWORD}`,
              from: 'alerts@example.com',
              to: ['ops@example.com'],
            },
          ],
        ],
      }),
  })
  .superRefine(({ webhooks, mail }, context) => {
    const names = [...webhooks, ...mail].map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      const path = index < webhooks.length ? ['webhooks', index, 'name'] : ['mail', index - webhooks.length, 'name'];
      if (names.indexOf(name) < index) context.addIssue({ code: 'custom', path, message: 'is also the name of another webhook or mail' });
    }
  })
  .prefault({})
  .meta({ description: 'Alerts, which are checked once a minute, and the webhooks and mail addresses to notify.' });

/** Whether the connection starts with TLS. */
export const hasImplicitTls = ({ port, tls }: Pick<z.infer<typeof Mail>, 'port' | 'tls'>): boolean =>
  tls === 'implicit' || (tls === undefined && port === IMPLICIT_TLS_PORT);
