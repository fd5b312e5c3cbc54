/** What a route of the operators' API declares beyond ts-rest. */
export const adminTags = [
  { name: 'Accounts', description: 'Who owns keys and money, and in which group.' },
  { name: 'Keys', description: 'Keys of callers: their permissions, addresses, limits and expiry.' },
  { name: 'Money', description: 'Balances, what changes them, and subscriptions.' },
  { name: 'Rules', description: 'Groups, prices and limits of the configuration, and what applies to one key.' },
  { name: 'Usage', description: 'Requests, their costs, and the check of the books.' },
  { name: 'Upstreams', description: 'Who serves the models: what rests there, and whether it works now.' },
  { name: 'Alerts', description: 'What is wrong, and who is told.' },
  { name: 'Configuration', description: 'The file that the gateway runs with.' },
  { name: 'Operators', description: 'Keys of this API, and who changed what.' },
] as const;

export interface AdminMetadata {
  /** Whether it needs no key: the sign-in. */
  readonly isPublic?: true;
  /** Whether it also answers who sends no key and has no session. */
  readonly keyIsOptional?: true;
  readonly tag: (typeof adminTags)[number]['name'];
  /** The type of the answer of status 200, where it is not JSON. */
  readonly answers?: 'text/csv';
}
