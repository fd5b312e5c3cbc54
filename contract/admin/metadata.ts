/** What a route of the operator's API says beyond ts-rest. */
export const adminTags = [
  { name: 'Accounts', description: 'Who owns keys and money, and in which group.' },
  { name: 'Keys', description: 'Keys of callers: what each may do, from where, how much and until when.' },
  { name: 'Money', description: 'Balances, what changes them, and subscriptions.' },
  { name: 'Rules', description: 'Groups, prices and limits that hold for many, and what they come to for one key.' },
  { name: 'Usage', description: 'What was called and what it cost, and whether the books are sound.' },
  { name: 'Configuration', description: 'The file that the gateway runs with.' },
  { name: 'Operators', description: 'Keys of this API, and who changed what.' },
] as const;

export interface AdminMetadata {
  readonly tag: (typeof adminTags)[number]['name'];
}
