/** Texts of the page of alerts. */
export const alerts = {
  title: 'Alerts',
  lead: 'The gateway checks once a minute. Each webhook is notified once when an alert opens and once when it resolves.',
  stateFilter: 'Filter by state',
  stateOptions: { open: 'Open', resolved: 'Resolved', all: 'All' },
  caption: 'Alerts, newest first',
  columns: { kind: 'Type', message: 'Message', opened: 'Opened', state: 'State', actions: 'Actions' },
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
  showAll: 'Show all alerts',
  webhooks: {
    title: 'Webhooks',
    caption: 'Configured webhooks',
    empty: 'No webhooks configured. A webhook notifies you when an alert opens or resolves.',
    addHint: 'Add a webhook with a signing secret to the configuration file, then reload:',
    example: `alerts:
  balanceBelow: '5'
  webhooks:
    - name: ops
      url: https://ops.example/modelgate
      secret: \${ALERT_SECRET}`,
    name: 'Name',
    host: 'Host',
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
    testDelivered: (name: string, status: number | null, ms: number) =>
      `Test message delivered to ${name}: status ${status} after ${ms.toLocaleString()} ms.`,
    testFailed: (name: string, failure: string) => `Test delivery to ${name} failed: ${failure}.`,
    testNotSent: "The test message wasn't sent",
  },
} as const;
