/** Accounts, which own keys and money: their group and limits. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import {
  AccountName,
  Amount,
  Csv,
  createListSchema,
  GroupName,
  Id,
  Limits,
  LimitsInput,
  pageFields,
  Search,
  sortOrder,
  Time,
} from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { SpendingCapsInput, UsedCap } from './spending-caps.ts';

export const AccountPathParams = z.object({ account_id: Id.describe('The ID or the name of the account.') });

export const Balance = z
  .object({
    object: createTypeField('balance'),
    account_id: z.string().describe('The ID of the account that owns the money.'),
    balance: Dollars.describe('Total payments minus total charges.'),
    held: Dollars.describe('The amount reserved for requests in flight.'),
    available: Dollars.describe('`balance` minus `held`: the amount available for the next request.'),
  })
  .meta({ id: 'Balance', description: 'The balance of an account.' });
export type Balance = z.infer<typeof Balance>;

const maxKeys = z.int().min(0).max(1_000);
const SelfService = z
  .object({
    max_keys: maxKeys.describe('Maximum number of active keys created by key owners.'),
    delegate: z.boolean().describe('Whether a key with `manage_keys` can create keys that also have `manage_keys`.'),
  })
  .meta({ id: 'SelfService', description: 'Self-service in the portal, for owners of keys with `manage_keys`.' });
const SelfServiceInput = z
  .strictObject({
    max_keys: maxKeys.optional().describe('Maximum number of active keys created by key owners. Omit to leave it unchanged.'),
    delegate: z
      .boolean()
      .optional()
      .describe('Whether a key with `manage_keys` can create keys that also have `manage_keys`. Omit to leave it unchanged.'),
  })
  .meta({
    id: 'SelfServiceInput',
    description: 'Self-service in the portal, for owners of keys with `manage_keys`. Omitted fields stay unchanged.',
  });

export const Account = z
  .object({
    id: z.string().describe('The ID of the account, `acct_…`. It never changes.'),
    object: createTypeField('account'),
    name: z.string().describe('The name of the account, unique among accounts.'),
    group: z.string().describe('The group of the account, which determines the models it can call and their prices.'),
    suspended: z.boolean().describe('Whether the account is suspended. Calls with keys of a suspended account are rejected.'),
    suspended_at: Time.nullable().describe("When the account was suspended. Null if it isn't suspended."),
    limits: Limits.describe('The limits shared by all keys of the account.'),
    spending_caps: z.array(UsedCap).describe('The spending caps that all keys of the account share. Empty if none.'),
    self_service: SelfService.describe('Self-service in the portal. By default, at most ten keys and no delegation.'),
    balance: Balance.nullable().describe('The balance of the account. Null when billing is off.'),
    charged_30d: Dollars.describe('The amount charged to the account over the last 30 days in UTC, including today.'),
    alert_below: Dollars.nullable().describe(
      'An alert opens when the balance falls below this amount. Zero: never. Null: the configured `alerts.balanceBelow` applies.',
    ),
    created_at: Time.describe('When the account was created.'),
  })
  .meta({ id: 'Account', description: 'An account, which owns keys and a balance.' });
export type Account = z.infer<typeof Account>;
export const AccountList = createListSchema('AccountList', 'A list of accounts, oldest first.', Account);

export const NewAccount = z
  .strictObject({
    name: AccountName.describe(
      "A name of 1 to 100 characters, unique among accounts. It can't look like an ID (`acct_…`). A name in use returns 409 `conflict`.",
    ),
    group: GroupName.optional().describe('A configured group. Defaults to `default`.'),
    opening_balance: Amount.optional().describe('Optional. The first payment, posted immediately.'),
    limits: LimitsInput.optional().describe('The limits shared by all keys of the account. Omit to use the configured limits.'),
    spending_caps: SpendingCapsInput.optional().describe(
      'Spending caps that all keys of the account share, at most one per period. Omit for none.',
    ),
    alert_below: Amount.nullish().describe(
      'An alert opens when the balance falls below this amount. `0` turns the alert off. Null or omitted: the configured `alerts.balanceBelow` applies.',
    ),
  })
  .meta({ id: 'NewAccount', description: 'An account to create.', examples: [{ name: 'research', group: 'vip', opening_balance: '25' }] });

export const AccountChanges = z
  .strictObject({
    name: AccountName.optional().describe('A new name. A name in use returns 409 `conflict`. Omit to leave it unchanged.'),
    group: GroupName.optional().describe('A new group, which must be configured. Omit to leave it unchanged.'),
    suspended: z
      .boolean()
      .optional()
      .describe(
        'True suspends the account: calls with its keys are rejected within 2 seconds. False resumes it. Omit to leave it unchanged.',
      ),
    limits: LimitsInput.optional().describe(
      'New limits shared by all keys of the account. They replace all limits that were set. Omit to leave them unchanged.',
    ),
    spending_caps: SpendingCapsInput.optional().describe(
      'Spending caps that all keys of the account share, at most one per period. They replace all earlier ones; empty means none. Omit to leave them unchanged.',
    ),
    self_service: SelfServiceInput.optional().describe('Self-service in the portal. Omit to leave it unchanged.'),
    alert_below: Amount.nullish().describe(
      'An alert opens when the balance falls below this amount. `0` turns the alert off. Null: the configured `alerts.balanceBelow` applies. Omit to leave it unchanged.',
    ),
  })
  .meta({
    id: 'AccountChanges',
    description: 'Changes to an account. Omitted fields stay unchanged.',
    examples: [{ group: 'vip', limits: { requests_per_minute: 600 } }],
  });
export type AccountChanges = z.infer<typeof AccountChanges>;

const filterFields = {
  q: Search.optional().describe('A part of the name, or the start of the ID. Omit to get all accounts.'),
  state: z.enum(['active', 'suspended']).optional().describe('Only accounts in this state. Omit to get all states.'),
  group: GroupName.optional().describe('Only accounts in this group. Omit to get all groups.'),
};
const AccountQuery = z.strictObject({
  ...pageFields,
  ...filterFields,
  sort: z
    .enum(['created', 'name', 'group', 'available', 'charged_30d'])
    .optional()
    .describe('The value to sort by. Accounts with the same value come oldest first. Defaults to `created`.'),
  order: sortOrder.describe(
    'The sort order: ascending or descending. A cursor works only with the `sort` and `order` it was returned for. Defaults to `asc`.',
  ),
});

const metadata = { tag: 'Accounts' } as const satisfies AdminMetadata;

export const accountRoutes = {
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    query: AccountQuery,
    responses: { 200: AccountList },
    summary: 'List accounts',
    description: 'Lists all accounts with their group, limits, and balance, oldest first.',
    metadata,
  },
  exportAccounts: {
    method: 'GET',
    path: '/accounts.csv',
    query: z.strictObject(filterFields),
    responses: { 200: Csv },
    summary: 'Export accounts',
    description:
      'Exports all accounts as CSV, streamed, with a header row and one row per account. If the last row is incomplete, the export was interrupted.',
    metadata: { tag: 'Accounts', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    body: NewAccount,
    responses: { 200: Account },
    summary: 'Create an account',
    description:
      "Creates an account. An opening balance is posted as a top-up with the transfer ID `opening:` followed by the account's ID.",
    metadata,
  },
  getAccount: {
    method: 'GET',
    path: '/accounts/:account_id',
    pathParams: AccountPathParams,
    responses: { 200: Account },
    summary: 'Get an account',
    description: 'Retrieves an account by its ID or name.',
    metadata,
  },
  editAccount: {
    method: 'PATCH',
    path: '/accounts/:account_id',
    pathParams: AccountPathParams,
    body: AccountChanges,
    responses: { 200: Account },
    summary: 'Edit an account',
    description:
      'Renames an account, moves it to another group, suspends or resumes it, or sets its limits. The change takes effect within 2 seconds.',
    metadata,
  },
} as const;
