/** Texts of the page of alerts. */
export const alerts = {
  title: 'Alerts',
  lead: 'The gateway checks once a minute. Each webhook is notified once when an alert opens and once when it resolves.',
  stateFilter: 'Which alerts',
  stateOptions: { open: 'Open', resolved: 'Resolved', all: 'All' },
  caption: 'Alerts, newest first',
  columns: { kind: 'Kind', message: 'What', opened: 'Opened', resolved: 'Resolved' },
  kinds: { balance_low: 'balance', cap_used: 'cap', upstream_unavailable: 'upstream', ledger_mismatch: 'ledger' },
  open: 'open',
  empty: {
    open: 'Nothing is wrong.',
    resolved: 'No alert was resolved in the last 90 days.',
    all: 'There was no alert in the last 90 days.',
  },
  showAll: 'Show all',
  webhooks: {
    title: 'Webhooks',
    caption: 'Webhooks of the configuration',
    empty: 'No webhooks configured.',
    addHint: 'Name one in the file, with a secret that signs what it is sent, and reload the configuration:',
    example: `alerts:
  balanceBelow: '5'
  webhooks:
    - name: ops
      url: https://ops.example/modelgate
      secret: \${ALERT_SECRET}`,
    name: 'Name',
    host: 'Sent to',
    events: 'Told of',
    all: 'all kinds',
    lastDelivery: 'Last message',
    none: 'none yet',
    waiting: (count: number) => `${count.toLocaleString()} waiting`,
    states: { waiting: 'tried', delivered: 'delivered', failed: 'given up' },
    attempts: (count: number) => (count === 1 ? 'one attempt' : `${count.toLocaleString()} attempts`),
    action: 'Action',
    test: 'Test',
    testNamed: (name: string) => `Test ${name}`,
    testDelivered: (name: string, status: number | null, ms: number) =>
      `${name} took the test message: ${status} after ${ms.toLocaleString()} ms.`,
    testFailed: (name: string, failure: string) => `${name} did not take the test message: ${failure}.`,
    testNotSent: 'The test message was not sent',
  },
} as const;
