/** Accounts: who owns keys and money, in which group, under which limits. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { AccountName, Amount, Csv, GroupName, Id, Limits, LimitsInput, listOf, page, Search, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const AccountPath = z.object({ account_id: Id.describe('Id of the account, or its name.') });

export const Balance = z
  .object({
    object: kind('balance'),
    account_id: z.string().describe('Id of the account that owns the money.'),
    balance: Dollars.describe('All payments in, less all charges.'),
    held: Dollars.describe('What is reserved for requests that are running.'),
    available: Dollars.describe('`balance` less `held`: the amount that the next request can use.'),
  })
  .meta({ id: 'Balance', description: 'Money of an account.' });
export type Balance = z.infer<typeof Balance>;

const maxKeys = z.int().min(0).max(1_000);
const SelfService = z
  .object({
    max_keys: maxKeys.describe('The most keys that were made by holders and work at the same time.'),
    delegate: z.boolean().describe('Whether a key with `manage_keys` may make keys with `manage_keys`.'),
  })
  .meta({ id: 'SelfService', description: 'What holders of keys with `manage_keys` may do at the portal.' });
const SelfServiceInput = z
  .strictObject({
    max_keys: maxKeys.optional().describe('The most keys that were made by holders and work at the same time. Omit to leave it unchanged.'),
    delegate: z
      .boolean()
      .optional()
      .describe('Whether a key with `manage_keys` may make keys with `manage_keys`. Omit to leave it unchanged.'),
  })
  .meta({
    id: 'SelfServiceInput',
    description: 'What holders of keys with `manage_keys` may do at the portal; absent fields stay unchanged.',
  });

export const Account = z
  .object({
    id: z.string().describe('Id of the account, `acct_…`. It never changes.'),
    object: kind('account'),
    name: z.string().describe('Its name, unique among accounts.'),
    group: z.string().describe('Its group, which determines the models that it may call and their prices.'),
    suspended: z.boolean().describe('While true, every key of the account is rejected.'),
    suspended_at: Time.nullable().describe('When it was suspended. Null: it is not suspended.'),
    limits: Limits.describe('Limits of all keys of the account together.'),
    self_service: SelfService.describe('What holders may do with keys: ten at most, and no delegation, unless an operator set it.'),
    balance: Balance.nullable().describe('Money of the account. Null when billing is off.'),
    created_at: Time.describe('When the account was made.'),
  })
  .meta({ id: 'Account', description: 'Owner of keys and of a balance.' });
export type Account = z.infer<typeof Account>;
export const AccountList = listOf('AccountList', 'Accounts, oldest first.', Account);

export const NewAccount = z
  .strictObject({
    name: AccountName.describe('1 to 100 characters, unique among accounts; not like an id (`acct_…`). A name in use is 409 `conflict`.'),
    group: GroupName.optional().describe('A group of the configuration. Absent: `default`.'),
    opening_balance: Amount.optional().describe('The first payment, booked at once. Optional.'),
    limits: LimitsInput.optional().describe('Limits of all its keys together. Absent: as the configuration says.'),
  })
  .meta({ id: 'NewAccount', description: 'An account to create.', examples: [{ name: 'research', group: 'vip', opening_balance: '25' }] });

export const AccountChanges = z
  .strictObject({
    name: AccountName.optional().describe('Another name. A name in use is 409 `conflict`. Omit to leave it unchanged.'),
    group: GroupName.optional().describe('Another group of the configuration. Omit to leave it unchanged.'),
    suspended: z
      .boolean()
      .optional()
      .describe('True: every key of the account is rejected, within two seconds. False: they work again. Omit to leave it unchanged.'),
    limits: LimitsInput.optional().describe(
      'New limits of all its keys together. They replace all limits that were set. Omit to leave it unchanged.',
    ),
    self_service: SelfServiceInput.optional().describe('What holders may do with keys. Omit to leave it unchanged.'),
  })
  .meta({
    id: 'AccountChanges',
    description: 'Changes of an account; absent fields stay unchanged.',
    examples: [{ group: 'vip', limits: { requests_per_minute: 600 } }],
  });
export type AccountChanges = z.infer<typeof AccountChanges>;

const filters = {
  q: Search.optional().describe('Part of the name, or the beginning of the id. Omit for any.'),
  state: z.enum(['active', 'suspended']).optional().describe('Only accounts in this state. Omit for any.'),
  group: GroupName.optional().describe('Only accounts in this group. Omit for any.'),
};
const AccountQuery = z.strictObject({ ...page, ...filters });

const metadata = { tag: 'Accounts' } as const satisfies AdminMetadata;

export const accountRoutes = {
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    query: AccountQuery,
    responses: { 200: AccountList },
    summary: 'List accounts',
    description: 'All accounts with group, limits and balance, oldest first.',
    metadata,
  },
  exportAccounts: {
    method: 'GET',
    path: '/accounts.csv',
    query: z.strictObject(filters),
    responses: { 200: Csv },
    summary: 'Export accounts',
    description:
      'The same as CSV, all pages, streamed: a line of headings, then a line for each account. A row that ends early was cut off.',
    metadata: { tag: 'Accounts', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    body: NewAccount,
    responses: { 200: Account },
    summary: 'Create an account',
    description: 'An opening balance is booked as a top-up named `opening:` and the id of the account.',
    metadata,
  },
  getAccount: {
    method: 'GET',
    path: '/accounts/:account_id',
    pathParams: AccountPath,
    responses: { 200: Account },
    summary: 'Get an account',
    description: 'By id, or by name.',
    metadata,
  },
  editAccount: {
    method: 'PATCH',
    path: '/accounts/:account_id',
    pathParams: AccountPath,
    body: AccountChanges,
    responses: { 200: Account },
    summary: 'Edit an account',
    description:
      'Renames it, moves it to another group, suspends or resumes it, sets its limits. A running gateway follows within two seconds.',
    metadata,
  },
} as const;
