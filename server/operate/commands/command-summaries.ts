/** The commands of `modelgate` in the order of its help, and what each does. */
export const commandSummaries = {
  serve: 'start the gateway; without configuration, it serves a built-in simulator',
  connect: 'set up a coding tool for a gateway: write its configuration, with the models that the key can call',
  account: 'create, list, edit, and top up accounts',
  key: 'create, list, edit, rotate, and revoke API keys',
  group: 'list account groups',
  usage: 'show totals, calls, charges, and receipts',
  model: 'list configured models, and suggest entries for more',
  upstream: 'list, test, and reset upstreams',
  price: 'list and set model prices',
  limit: 'list limits that are nearly reached or rejected calls',
  search: 'find a request, key, account, or model by its ID or name; a key also by its last four characters',
  subscription: 'add, list, and cancel subscriptions of accounts',
  ledger: 'check and close the ledger, and show the audit log',
  explain: 'show whether a key (or key ID) can call a model and which rule decides, or explain a past request',
  'admin-key': 'create, list, and revoke admin keys',
  session: 'list and revoke console sessions',
  db: 'migrate, copy, back up, restore, and compact the database',
  config: 'show, check, compare, reload, or import the configuration',
  doctor: 'test everything that the gateway depends on, with timings: configuration, folder, database, Redis, upstreams, ports',
  test: 'run a command against a mock gateway, which stops when the command ends',
  verify: 'check a deployment or a mock against the contract: operations, streams, errors, tools, state, limits',
  openapi: 'print the OpenAPI document of this version, as JSON',
  alert: 'list and acknowledge alerts, and test channels',
  version: 'print the versions of Modelgate and Node',
} as const;

export type CommandName = keyof typeof commandSummaries;
