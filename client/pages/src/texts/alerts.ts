/** Texts of the alerts page. */
export const alerts = {
  title: 'Alerts',
  lead: 'The gateway checks once a minute. Each channel is notified once when an alert opens and once when it resolves. The overview also lists problems without an alert, such as keys that expire soon.',
  stateFilter: 'Filter by state',
  stateOptions: { open: 'Open', resolved: 'Resolved', all: 'All' },
  caption: 'Alerts, newest first',
  columns: { message: 'Alert', state: 'State', actions: 'Actions' },
  kinds: {
    balance_low: 'Low balance',
    cap_used: 'Spending cap',
    upstream_unavailable: 'Upstream unavailable',
    ledger_mismatch: 'Ledger mismatch',
  },
  states: { open: 'Open', acknowledged: 'Acknowledged', snoozed: 'Snoozed', resolved: 'Resolved' },
  by: (name: string) => `by ${name}`,
  until: 'until',
  acknowledge: 'Acknowledge',
  acknowledgeNamed: (subject: string) => `Acknowledge alert for ${subject}`,
  acknowledged: 'Alert acknowledged',
  snooze: 'Snooze',
  snoozeNamed: (subject: string) => `Snooze alert for ${subject}`,
  snoozed: 'Alert snoozed',
  notAcknowledged: "The alert wasn't acknowledged",
  hours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
  days: (count: number) => `${count} days`,
  guide: 'What to do',
  guideNamed: (kind: string) => `What to do: ${kind}`,
  empty: { open: 'No open alerts.', resolved: 'No alerts were resolved in the last 90 days.', all: 'No alerts in the last 90 days.' },
  channels: {
    title: 'Channels',
    caption: 'Configured channels',
    empty: 'No channels configured. A webhook or mail notifies you when an alert opens or resolves.',
    exampleName: 'example',
    addHint: 'In the configuration file, then reload:',
    example: `alerts:
  balanceBelow: '5'
  webhooks:
    - { name: chat, format: slack, url: "\${SLACK_WEBHOOK_URL}" }
  mail:
    - name: on-call
      host: smtp.example.com
      user: alerts
      password: \${SMTP_PASSWORD}
      from: alerts@example.com
      to: [ops@example.com]`,
    name: 'Name',
    target: 'Sends to',
    formats: { standard: 'Webhook', slack: 'Slack', teams: 'Microsoft Teams', mail: 'Mail' },
    events: 'Events',
    all: 'All events',
    lastDelivery: 'Last delivery',
    none: 'None yet',
    waiting: (count: number) => `${count.toLocaleString()} pending`,
    states: { waiting: 'Pending', delivered: 'Delivered', failed: 'Failed' },
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count.toLocaleString()} attempts`),
    action: 'Action',
    test: 'Send test message',
    testNamed: (name: string) => `Send test message to ${name}`,
    testResult: 'Test message',
    testDelivered: (name: string, status: number | null, ms: number) =>
      `Test message delivered to ${name}: status ${status} after ${ms.toLocaleString()} ms.`,
    testFailed: (name: string) => `Test delivery to ${name} failed.`,
    reason: (failure: string) => `${failure.charAt(0).toUpperCase()}${failure.slice(1)}.`,
    response: 'Response:',
    sent: 'Message sent',
    testNotSent: "The test message wasn't sent",
  },
} as const;
