/** API keys: operators create, change, rotate, and revoke them. Only the response that creates a key contains its secret. */
import { z } from 'zod';
import { contract } from '../index.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import {
  Csv,
  createListSchema,
  type GrantedOperation,
  GroupName,
  Id,
  Limits,
  LimitsInput,
  Name,
  pageFields,
  Search,
  sortOrder,
  Time,
  TimeInput,
  ungrantedOperations,
} from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { SpendingCap, SpendingCapsInput, UsedCap } from './spending-caps.ts';

const ungrantedNames = new Set<string>(ungrantedOperations);
const grantedNames = Object.keys(contract).filter((name) => !ungrantedNames.has(name));
// `as`: the names come from the contract, and the filter removes exactly the names that the type excludes.
export const Operation = z.enum(grantedNames as [GrantedOperation, ...GrantedOperation[]]).meta({
  id: 'Operation',
  description: 'An operation of the callers’ API.',
});

const pattern = z
  .string()
  .max(200)
  .regex(/^[0-9A-Za-z*][0-9A-Za-z._:/@+*-]*$/, 'must be a model ID, or a pattern with * such as gpt-5*');

const operations = z.array(Operation).min(1).max(50).nullable().describe('The operations that the key can use. Null means all of them.');
const models = z
  .array(pattern)
  .min(1)
  .max(200)
  .nullable()
  .describe('The models that the key can call, as IDs or patterns with `*`. Null means every model of the group.');
const mayStore = z.boolean().describe('Whether the key can store responses.');
const manageKeys = z
  .boolean()
  .describe("Whether the key owner can list the account's keys in the portal, and create keys with at most the permissions of this key.");

export const Permissions = z
  .object({ operations, models, may_store: mayStore, manage_keys: manageKeys })
  .meta({ id: 'KeyPermissions', description: 'The permissions of the key, within those of its group.' });
export const PermissionsInput = z
  .strictObject({
    operations: operations.optional(),
    models: models.optional(),
    may_store: mayStore.optional().describe('Whether the key can store responses. Defaults to true.'),
    manage_keys: manageKeys
      .optional()
      .describe(
        "Whether the key owner can list the account's keys in the portal, and create keys with at most the permissions of this key. Defaults to false.",
      ),
  })
  .meta({
    id: 'PermissionsInput',
    description: 'The permissions of the key. They replace all earlier permissions. Omitted permissions are granted, except `manage_keys`.',
    examples: [{ models: ['gpt-5*'], may_store: false }],
  });
export type PermissionsInput = z.infer<typeof PermissionsInput>;

const ipRange = z.string().min(2).max(64).describe('An IP address, or a range such as 192.0.2.0/24.');
const ipRanges = z
  .array(ipRange)
  .min(1)
  .max(100)
  .nullable()
  .describe('The IP addresses and ranges that the key can be used from. Null means anywhere.');

/** A key is `suspended` if its account is suspended. */
export const KeyState = z.enum(['active', 'suspended', 'expired', 'revoked']);

const KeyAccount = z
  .object({ id: z.string().describe('The ID of the account.'), name: z.string().describe('The name of the account.') })
  .meta({ id: 'KeyAccount', description: 'The account that a key belongs to.' });

const keyShape = {
  id: z.string().describe("The ID of the key, `key_…`. It isn't a secret."),
  object: createTypeField('key'),
  name: z.string().describe('The name of the key.'),
  account: KeyAccount.describe('The account that owns the key.'),
  last_four: z.string().describe('The last four characters of the key, to recognize it.'),
  state: KeyState.describe(
    '`active`: the key works. `suspended`: its account is suspended. `expired`: the key has expired. `revoked`: the key was permanently revoked.',
  ),
  permissions: Permissions.describe('The permissions of the key, at most those of its group.'),
  ip_ranges: ipRanges,
  limits: Limits.describe('The limits of the key itself. The limits of its account, its group, and the model apply as well.'),
  spending_caps: z
    .array(SpendingCap)
    .describe(
      'The spending caps of the key itself. Its calls also count toward those of its account and of the keys it was created with. Empty if none.',
    ),
  created_at: Time.describe('When the key was created.'),
  expires_at: Time.nullable().describe('When the key expires. Null if it never expires.'),
  revoked_at: Time.nullable().describe("When the key was revoked. Null if it wasn't revoked."),
  replaced_by: z.string().nullable().describe('The ID of the key that replaces this one. Null if none does.'),
  created_by: z
    .string()
    .nullable()
    .describe(
      'The ID of the key with which this key was created in the portal; its calls count toward the spending caps of that key. Null if an operator created this key.',
    ),
};
const KeyShape = z.object(keyShape);
const sample: z.infer<typeof KeyShape> = {
  id: 'key_0aB3dE5gH7jK9mN1p',
  object: 'key',
  name: 'build server',
  account: { id: 'acct_0aB3dE5gH7jK9mN1p', name: 'research' },
  last_four: 'Zt4Q',
  state: 'active',
  permissions: { operations: null, models: ['gpt-5*'], may_store: true, manage_keys: false },
  ip_ranges: null,
  limits: { requests_per_minute: { limit: 60, mode: 'enforce' }, tokens_per_minute: null, concurrency: null },
  spending_caps: [{ amount: '20.000000', period: 'month' }],
  created_at: '2027-01-31T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  created_by: null,
};
export const Key = KeyShape.meta({ id: 'Key', description: "An API key. The secret isn't included.", examples: [sample] });
export type Key = z.infer<typeof Key>;

export const KeyUse = z
  .object({
    last_used_at: Time.nullable().describe("When the key's last call ended. Null if the request log has no call with it."),
    charged_30d: Dollars.describe('The amount charged for calls with the key over the last 30 days in UTC, including today.'),
    spending_caps: z
      .array(UsedCap)
      .describe(
        'The spending caps of the key, with what was charged in the current period, including for other keys that count toward them.',
      ),
  })
  .meta({ id: 'KeyUse', description: 'The recent usage of a key.' });
export const ListedKey = KeyShape.extend({ use: KeyUse.describe('When the key was last used, and the amount spent with it.') }).meta({
  id: 'ListedKey',
  description: "An API key with its recent use. The secret isn't included.",
  examples: [
    {
      ...sample,
      use: {
        last_used_at: '2027-02-03T09:30:00.000Z',
        charged_30d: '12.480000',
        spending_caps: [{ amount: '20.000000', period: 'month', used: '3.900000' }],
      },
    },
  ],
});
export type ListedKey = z.infer<typeof ListedKey>;
export const KeyList = createListSchema('KeyList', 'A list of keys, oldest first.', ListedKey);

const secret = z.string().describe("The key itself. It's returned only once and can't be retrieved later.");
export const CreatedKey = z
  .object({ ...keyShape, key: secret })
  .meta({ id: 'CreatedKey', description: 'A new key. The key itself is returned only once.' });
export type CreatedKey = z.infer<typeof CreatedKey>;
export const RotatedKey = z
  .object({ ...keyShape, key: secret, replaces: Key.describe('The old key, which expires at the end of the overlap.') })
  .meta({ id: 'RotatedKey', description: 'The new key, returned only once, and the key that it replaces.' });

const settings = {
  permissions: PermissionsInput.optional().describe(
    'The permissions of the key. Omit to grant a new key all permissions of its group, or to leave an existing key unchanged.',
  ),
  ip_ranges: ipRanges
    .optional()
    .describe(
      'The IP addresses and ranges that the key can be used from, up to 100. Null means anywhere. Omit to allow a new key anywhere, or to leave an existing key unchanged.',
    ),
  limits: LimitsInput.optional().describe(
    'The limits of the key itself. Omit to use the configured limits for a new key, or to leave an existing key unchanged.',
  ),
  spending_caps: SpendingCapsInput.optional().describe(
    'The spending caps of the key, at most one per period; they replace all earlier ones. Empty means none. Omit to create a new key without a cap, or to leave an existing key unchanged.',
  ),
  expires_at: TimeInput.nullish().describe(
    'When the key expires. For a new key, this must be in the future. Null means never. Omit to create a new key that never expires, or to leave an existing key unchanged.',
  ),
};
export const NewKey = z
  .strictObject({
    account: Id.describe('The ID or the name of the account.'),
    name: Name.describe("A name for the key, 1 to 100 characters. It needn't be unique."),
    ...settings,
  })
  .meta({
    id: 'NewKey',
    description: 'A key to create.',
    examples: [
      {
        account: 'research',
        name: 'build server',
        permissions: { models: ['gpt-5*'] },
        spending_caps: [{ amount: '20', period: 'month' }],
      },
    ],
  });
export type NewKey = z.infer<typeof NewKey>;
export const KeyChanges = z
  .strictObject({ name: Name.optional().describe('A new name, 1 to 100 characters. Omit to leave it unchanged.'), ...settings })
  .meta({
    id: 'KeyChanges',
    description: 'Changes to a key. Omitted fields stay unchanged.',
    examples: [{ limits: { requests_per_minute: 60 }, expires_at: null }],
  });
export type KeyChanges = z.infer<typeof KeyChanges>;

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(7_776_000)
      .describe('How many seconds the old key still works, up to 90 days. 0 revokes it immediately.'),
    expires_at: TimeInput.nullish().describe(
      'When the new key expires; must be in the future. Null means never. Omit to give it the lifetime that the old key was created with.',
    ),
  })
  .meta({
    id: 'KeyRotation',
    description: 'A key rotation: how long the old key still works, and when the new key expires.',
    examples: [{ overlap_seconds: 86_400 }],
  });

export const KeyPathParams = z.object({ key_id: Id.describe('The ID of the key (`key_…`), not its secret.') });
const filterFields = {
  account_id: Id.optional().describe('Only keys of this account, by its ID or name. Omit to get keys of all accounts.'),
  q: Search.optional().describe(
    "A part of the key's name or of its account's name, the start of the ID, or the last four characters of the key. Omit to get all keys.",
  ),
  state: KeyState.optional().describe('Only keys in this state. Omit to get all states.'),
  group: GroupName.optional().describe('Only keys of accounts in this group. Omit to get all groups.'),
};
const KeyQuery = z.strictObject({
  ...pageFields,
  ...filterFields,
  sort: z
    .enum(['created', 'name', 'account', 'charged_30d', 'cap_used', 'last_used'])
    .optional()
    .describe(
      'The value to sort by. `cap_used` is the used share of the spending cap that is used most. Keys without a value come last, and keys with the same value oldest first. Defaults to `created`.',
    ),
  order: sortOrder.describe(
    'The sort order: ascending or descending. A cursor works only with the `sort` and `order` it was returned for. Defaults to `asc`.',
  ),
});
const metadata = { tag: 'Keys' } as const satisfies AdminMetadata;
const createKeyRoute = <const P extends string, S extends z.ZodType>(path: P, response: S) => ({
  path,
  pathParams: KeyPathParams,
  responses: { 200: response },
  metadata,
});

export const keyRoutes = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    query: KeyQuery,
    responses: { 200: KeyList },
    summary: 'List keys',
    description: "Lists the keys of all accounts, or of one, oldest first unless sorted. The keys themselves aren't returned.",
    metadata,
  },
  exportKeys: {
    method: 'GET',
    path: '/keys.csv',
    query: z.strictObject(filterFields),
    responses: { 200: Csv },
    summary: 'Export keys',
    description:
      'Exports all keys as CSV, streamed, with a header row and one row per key. If the last row is incomplete, the export was interrupted.',
    metadata: { tag: 'Keys', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    body: NewKey,
    responses: { 200: CreatedKey },
    summary: 'Create a key',
    description: 'Creates an API key. Only this response contains the key; the gateway stores an HMAC of it.',
    metadata,
  },
  getKey: {
    ...createKeyRoute('/keys/:key_id', ListedKey),
    method: 'GET',
    summary: 'Get a key',
    description: "Retrieves a key. The secret isn't included.",
  },
  editKey: {
    ...createKeyRoute('/keys/:key_id', Key),
    method: 'PATCH',
    body: KeyChanges,
    summary: 'Edit a key',
    description: 'Changes a key. The change takes effect within 2 seconds.',
  },
  rotateKey: {
    ...createKeyRoute('/keys/:key_id/rotate', RotatedKey),
    method: 'POST',
    body: KeyRotation,
    summary: 'Rotate a key',
    description: 'Creates a key with the same permissions. The old key works until the overlap ends. Both share the spending caps.',
  },
  revokeKey: {
    ...createKeyRoute('/keys/:key_id/revoke', Key),
    method: 'POST',
    body: null,
    summary: 'Revoke a key',
    description: 'Permanently revokes a key. Calls with it are rejected within 2 seconds. Revoking it again has no effect.',
  },
} as const;
