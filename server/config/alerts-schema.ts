/** `alerts`: what operators are told about, and the webhooks that it is sent to. */
import { z } from 'zod';
import { HOUR, MINUTE, whole } from './bounds.ts';
import { Dollars } from './prices.ts';

export const alertKinds = ['balance_low', 'cap_used', 'upstream_rests', 'books_differ'] as const;
export type AlertKind = (typeof alertKinds)[number];

function urlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'is not a URL; it must start with https:// or http://';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'contains a user name or password; the receiver checks the signature instead';
  if (url.hash !== '') return 'must end without #';
  return null;
}

/** Unlike the address of an upstream it may have a query: many receivers put a token there. It is never shown or logged. */
const WebhookUrl = z
  .string()
  .max(2048)
  .superRefine((text, context) => {
    const fault = urlFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });

export const SECRET_PREFIX = 'whsec_';
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;

/** Strict, because a lenient reader would sign with other bytes than the receiver checks. */
function isSigningSecret(text: string): boolean {
  if (!text.startsWith(SECRET_PREFIX)) return false;
  const written = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(written, 'base64');
  return bytes.toString('base64') === written && bytes.length >= FEWEST_BYTES && bytes.length <= MOST_BYTES;
}

const Webhook = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, 'must have lower-case letters, digits and hyphens, and start with a letter')
    .meta({ description: 'Its name in the console, in the log and on the command line.', examples: ['ops'] }),
  url: WebhookUrl.meta({
    writeOnly: true,
    description: 'Address that alerts are sent to. Private addresses are allowed: the operator chooses it. No redirect is followed.',
    examples: ['https://ops.example/modelgate'],
  }),
  secret: z
    .string()
    .refine(isSigningSecret, `must be ${SECRET_PREFIX} and ${FEWEST_BYTES} to ${MOST_BYTES} random bytes in Base64`)
    .meta({
      writeOnly: true,
      description: 'Signs what is sent, as Standard Webhooks says: `whsec_` and 24 to 64 random bytes in Base64.',
      examples: [`\${ALERT_SECRET}`],
    }),
  events: z
    .array(z.enum(alertKinds))
    .min(1)
    .optional()
    .meta({ description: 'Kinds of alerts that are sent to it. Default: all.', examples: [['upstream_rests', 'books_differ']] }),
});

const MOST_WEBHOOKS = 20;

export const Alerts = z
  .strictObject({
    balanceBelow: Dollars.optional().meta({
      description:
        'An alert opens when less is left on the balance of an account, and is resolved when it is a tenth more. Without accounts that never made a paid call, are suspended or have a subscription. Left out: balances are not watched.',
      examples: ['5'],
    }),
    capUsedAbove: z
      .number()
      .min(0.01)
      .max(1)
      .default(0.9)
      .meta({
        description: 'An alert opens when a key has used this share of its cap, to the hundredth, and is resolved 0.05 below it.',
        examples: [0.9],
      }),
    upstreamRestsForMs: whole(
      { from: 0, to: HOUR, standard: MINUTE },
      'An alert opens when an upstream has rested for so long, in any process, and is resolved when it has not rested for as long.',
    ),
    webhooks: z
      .array(Webhook)
      .max(MOST_WEBHOOKS)
      .superRefine((webhooks, context) => {
        for (const [index, { name }] of webhooks.entries())
          if (webhooks.findIndex((other) => other.name === name) < index)
            context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of another webhook' });
      })
      .default([])
      .meta({
        description: 'Who is told when an alert opens and when it is resolved.',
        examples: [[{ name: 'ops', url: 'https://ops.example/modelgate', secret: `\${ALERT_SECRET}` }]],
      }),
  })
  .prefault({})
  .meta({ description: 'Alerts: what is checked once a minute, and the webhooks that are told.' });

export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** Undefined: all. */
  readonly events?: readonly AlertKind[] | undefined;
}
