/** Mistakes around alerts and their webhooks; more of the table of `rejected.test.ts`. */
import { receiverSecret } from '../../fakes/webhook-receiver.ts';
import type { Mistake } from './mistakes.ts';

const withWebhook = (fields: string): readonly string[] => ['alerts:', '  webhooks:', `    - { name: ops, ${fields} }`];
const secret = `secret: ${receiverSecret}`;

export const alertMistakes: readonly Mistake[] = [
  {
    what: 'a webhook without a secret',
    lines: withWebhook('url: https://ops.example/x'),
    at: '3:7',
    key: 'alerts.webhooks[0].secret',
    message: /is missing/,
    remedy: /For example secret: \$\{ALERT_SECRET\}/,
  },
  {
    what: 'a secret of a webhook that is a word',
    lines: withWebhook('url: https://ops.example/x, secret: hunter2'),
    at: '3:48',
    key: 'alerts.webhooks[0].secret',
    message: /^must be whsec_ followed by 24 to 64 random bytes in Base64$/,
  },
  {
    what: 'a secret of a webhook that is cut',
    lines: withWebhook(`url: https://ops.example/x, ${secret.slice(0, -5)}`),
    at: '3:48',
    key: 'alerts.webhooks[0].secret',
    message: /must be whsec_/,
  },
  {
    what: 'a webhook of another protocol',
    lines: withWebhook(`url: ftp://ops.example/x, ${secret}`),
    at: '3:20',
    key: 'alerts.webhooks[0].url',
    message: /must start with https:\/\/ or http:\/\//,
  },
  {
    what: 'a password in the address of a webhook',
    lines: withWebhook(`url: https://me:pass@ops.example/x, ${secret}`),
    at: '3:20',
    key: 'alerts.webhooks[0].url',
    message: /can't contain a user name or password/,
  },
  {
    what: 'a kind of alert that there is not',
    lines: withWebhook(`url: https://ops.example/x, ${secret}, events: [balance]`),
    at: '3:117',
    key: 'alerts.webhooks[0].events[0]',
    message: /must be one of balance_low, cap_used, upstream_unavailable, ledger_mismatch/,
  },
  {
    what: 'two webhooks of one name',
    lines: [...withWebhook(`url: https://ops.example/x, ${secret}`), `    - { name: ops, url: https://ops.example/y, ${secret} }`],
    at: '4:9',
    key: 'alerts.webhooks[1].name',
    message: /is also the name of another webhook/,
  },
  {
    what: 'a threshold without quotes',
    lines: ['alerts: { balanceBelow: 5 }'],
    at: '1:11',
    key: 'alerts.balanceBelow',
    message: /must be text in quotes, not a number/,
    remedy: /For example balanceBelow: '5'/,
  },
  {
    what: 'a share in percent',
    lines: ['alerts: { capUsedAbove: 90 }'],
    at: '1:11',
    key: 'alerts.capUsedAbove',
    message: /must be at most 1/,
    remedy: /For example capUsedAbove: 0\.9/,
  },
];
