/** The metadata of admin routes, beyond what ts-rest defines. */
export const adminTags = [
  { name: 'Accounts', description: 'Owners of keys and money, and their groups.' },
  { name: 'Keys', description: 'API keys with their permissions, addresses, limits, and expiry.' },
  { name: 'Money', description: 'Balances and their changes, and subscriptions.' },
  { name: 'Rules', description: 'Configured groups, prices, and limits, and the effective permissions of a key.' },
  { name: 'Usage', description: 'Requests with their costs, and the reconciliation of the ledger.' },
  { name: 'Upstreams', description: "Providers' endpoints that serve the models, with their health." },
  { name: 'Alerts', description: 'Problems, and the webhooks and mail that are notified of them.' },
  { name: 'Configuration', description: 'The configuration file and the active configuration.' },
  { name: 'Operators', description: 'Admin keys and the audit log.' },
] as const;

export interface AdminMetadata {
  /** Whether the route needs no key. Only the sign-in is public. */
  readonly isPublic?: true;
  /** Whether the route also accepts requests without a key and without a session. */
  readonly keyIsOptional?: true;
  readonly tag: (typeof adminTags)[number]['name'];
  /** Content type of the response with status 200. Defaults to JSON. */
  readonly answers?: 'text/csv';
}
