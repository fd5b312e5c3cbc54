/** Names of the rules that a call is checked by, in console and portal. */
export const checkNames = {
  key: 'Key',
  requests: 'Request rate',
  body: 'Body',
  model: 'Model',
  permission: 'Permission',
  spending_cap: 'Spending cap',
  subscription: 'Subscription',
  balance: 'Balance',
  tokens: 'Token rate',
  concurrency: 'Concurrency',
} as const;

export const checks = {
  title: 'Checks',
  results: { passed: 'passed', rejected: 'rejected', not_reached: 'not reached' },
  summary: (passed: number, notReached: number) =>
    [
      ...(passed === 0 ? [] : [`${passed} ${passed === 1 ? 'check' : 'checks'} passed`]),
      ...(notReached === 0 ? [] : [`${notReached} not reached`]),
    ].join(', '),
  limit: (remaining: number | null, limit: number) =>
    remaining === null ? `limit ${limit.toLocaleString()}` : `${remaining.toLocaleString()} of ${limit.toLocaleString()} left`,
} as const;
