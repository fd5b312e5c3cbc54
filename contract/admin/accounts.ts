/** Accounts: who owns keys and money, in which group, under which limits. */
import { z } from 'zod';
import { Dollars } from '../dollars.ts';
import { AccountName, Amount, GroupName, Id, Limits, LimitsInput, listOf, PageQuery, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

export const AccountPath = z.object({ account_id: Id.describe('Id of the account, or its name.') });

export const Balance = z
  .object({
    object: z.literal('balance'),
    account_id: z.string(),
    balance: Dollars.describe('Everything that was put in, less everything that was charged.'),
    held: Dollars.describe('Reserved for requests that are running.'),
    available: Dollars.describe('`balance` less `held`: what the next request can be paid from.'),
  })
  .meta({ id: 'Balance', description: 'Money of an account.' });
export type Balance = z.infer<typeof Balance>;

export const Account = z
  .object({
    id: z.string(),
    object: z.literal('account'),
    name: z.string(),
    group: z.string(),
    suspended: z.boolean().describe('While true, no key of the account is taken.'),
    suspended_at: Time.nullable(),
    limits: Limits.describe('Of all keys of the account together.'),
    balance: Balance.nullable().describe('Null where billing is off.'),
    created_at: Time,
  })
  .meta({ id: 'Account', description: 'Owner of keys and of a balance.' });
export type Account = z.infer<typeof Account>;
export const AccountList = listOf('AccountList', 'Accounts, oldest first.', Account);

export const NewAccount = z
  .strictObject({
    name: AccountName,
    group: GroupName.optional().describe('A group of the configuration. Absent: `default`.'),
    opening_balance: Amount.optional().describe('Put in at once. Absent: nothing.'),
    limits: LimitsInput.optional(),
  })
  .meta({ id: 'NewAccount', examples: [{ name: 'research', group: 'vip', opening_balance: '25' }] });

export const AccountChanges = z
  .strictObject({
    name: AccountName.optional(),
    group: GroupName.optional(),
    suspended: z.boolean().optional().describe('True: no key of the account is taken any more, within two seconds.'),
    limits: LimitsInput.optional(),
  })
  .meta({
    id: 'AccountChanges',
    description: 'What is left out stays.',
    examples: [{ group: 'vip', limits: { requests_per_minute: 600 } }],
  });
export type AccountChanges = z.infer<typeof AccountChanges>;

const metadata = { tag: 'Accounts' } as const satisfies AdminMetadata;

export const accountRoutes = {
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    query: PageQuery,
    responses: { 200: AccountList },
    summary: 'List accounts',
    description: 'All accounts with group, limits and balance, oldest first.',
    metadata,
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
