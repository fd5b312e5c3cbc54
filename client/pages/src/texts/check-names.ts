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
