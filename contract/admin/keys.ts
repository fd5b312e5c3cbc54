/** Keys of callers, which operators create, change, rotate and revoke. Only the answer that creates a key contains it. */
import { z } from 'zod';
import { contract } from '../index.ts';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import {
  Amount,
  Csv,
  type GrantedOperation,
  GroupName,
  Id,
  Limits,
  LimitsInput,
  listOf,
  Name,
  page,
  Search,
  Time,
  TimeInput,
  ungranted,
} from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const withoutGrant = new Set<string>(ungranted);
const grantedNames = Object.keys(contract).filter((name) => !withoutGrant.has(name));
// The names are those of the contract, which are the type's.
export const Operation = z.enum(grantedNames as [GrantedOperation, ...GrantedOperation[]]).meta({
  id: 'Operation',
  description: 'An operation of the callers’ API.',
});

const pattern = z
  .string()
  .max(200)
  .regex(/^[0-9A-Za-z*][0-9A-Za-z._:/@+*-]*$/, 'must be a model id, or a pattern with * such as gpt-5*');

const operations = z.array(Operation).min(1).max(50).nullable().describe('Operations that the key may use. Null: all of them.');
const models = z
  .array(pattern)
  .min(1)
  .max(200)
  .nullable()
  .describe('Models that the key may call, by ids or patterns with `*`. Null: all that the group may call.');
const mayStore = z.boolean().describe('Whether responses may be stored.');
const manageKeys = z
  .boolean()
  .describe('Whether its holder may list the keys of the account at the portal, and make others that may do no more than this one.');

export const Permissions = z
  .object({ operations, models, may_store: mayStore, manage_keys: manageKeys })
  .meta({ id: 'KeyPermissions', description: 'The permissions of the key, within those of its group.' });
export const PermissionsInput = z
  .strictObject({
    operations: operations.optional(),
    models: models.optional(),
    may_store: mayStore.optional().describe('Whether responses may be stored. Absent: true.'),
    manage_keys: manageKeys
      .optional()
      .describe(
        'Whether its holder may list the keys of the account at the portal, and make others that may do no more than this one. Defaults to false.',
      ),
  })
  .meta({
    id: 'PermissionsInput',
    description: 'The permissions of the key. They replace all earlier permissions; what is absent is allowed, `manage_keys` excepted.',
    examples: [{ models: ['gpt-5*'], may_store: false }],
  });
export type PermissionsInput = z.infer<typeof PermissionsInput>;

const capPeriod = z.enum(['day', 'week', 'month', 'never']).describe('When it resets, in UTC; weeks begin on Monday.');
export const SpendingCap = z
  .object({ amount: Dollars.describe('The most that may be spent in a period.'), period: capPeriod })
  .meta({ id: 'SpendingCap', description: 'The most that the key may spend.' });
export const SpendingCapInput = z
  .strictObject({ amount: Amount.describe('The most that may be spent in a period.'), period: capPeriod })
  .meta({
    id: 'SpendingCapInput',
    description: 'The most that the key may spend, together with the keys that replace it.',
    examples: [{ amount: '20', period: 'month' }],
  });

const ipRange = z.string().min(2).max(64).describe('An address, or a range such as 192.0.2.0/24.');
const ipRanges = z.array(ipRange).min(1).max(100).nullable().describe('Where the key may be used from. Null: anywhere.');

/** `suspended`: the account is. */
export const KeyState = z.enum(['active', 'suspended', 'expired', 'revoked']);

const KeyAccount = z
  .object({ id: z.string().describe('Id of the account.'), name: z.string().describe('Name of the account.') })
  .meta({ id: 'KeyAccount', description: 'The account that a key belongs to.' });

const keyShape = {
  id: z.string().describe('Id of the key, `key_…`. It is no secret.'),
  object: kind('key'),
  name: z.string().describe('Its name, for people.'),
  account: KeyAccount.describe('Who owns the key.'),
  last_four: z.string().describe('The last four characters of the key, to recognise it.'),
  state: KeyState.describe(
    '`active`: it works. `suspended`: its account is suspended. `expired`: its time is over. `revoked`: an operator ended it, permanently.',
  ),
  permissions: Permissions.describe('The permissions of the key; never more than those of its group.'),
  ip_ranges: ipRanges,
  limits: Limits.describe('Its own limits. The limits of its account, its group and the model apply too.'),
  spending_cap: SpendingCap.nullable().describe('The most that it may spend. Null: no cap of its own.'),
  created_at: Time.describe('When the key was made.'),
  expires_at: Time.nullable().describe('When the key expires. Null: never.'),
  revoked_at: Time.nullable().describe('When it was revoked. Null: it was not.'),
  replaced_by: z.string().nullable().describe('Id of the key that replaces it. Null: none.'),
  created_by: z
    .string()
    .nullable()
    .describe('Id of the key whose holder made it; it spends under the cap of that key. Null: an operator did.'),
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
  spending_cap: { amount: '20.000000', period: 'month' },
  created_at: '2027-01-31T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  created_by: null,
};
export const Key = KeyShape.meta({ id: 'Key', description: 'A key of a caller, without the key itself.', examples: [sample] });
export type Key = z.infer<typeof Key>;
export const KeyList = listOf('KeyList', 'Keys, oldest first.', Key);

const secret = z.string().describe('The key itself. Only this answer contains it: it cannot be read again.');
export const CreatedKey = z.object({ ...keyShape, key: secret }).meta({ id: 'CreatedKey', description: 'A new key, shown only once.' });
export type CreatedKey = z.infer<typeof CreatedKey>;
export const RotatedKey = z
  .object({ ...keyShape, key: secret, replaces: Key.describe('The old key; it expires at the end of the overlap.') })
  .meta({ id: 'RotatedKey', description: 'The new key, shown only once, and the key that it replaces.' });

const settings = {
  permissions: PermissionsInput.optional().describe(
    'The permissions of the key. Absent: on a new key all that its group may do, on a change unchanged.',
  ),
  ip_ranges: ipRanges
    .optional()
    .describe(
      'Where the key may be used from, up to 100 addresses or ranges. Null: anywhere. Absent: on a new key anywhere, on a change unchanged.',
    ),
  limits: LimitsInput.optional().describe('Its own limits. Absent: on a new key as the configuration says, on a change unchanged.'),
  spending_cap: SpendingCapInput.nullish().describe(
    'The most that it may spend. Null: no cap. Absent: on a new key no cap, on a change unchanged.',
  ),
  expires_at: TimeInput.nullish().describe(
    'When the key expires; on a new key a future time. Null: never. Absent: on a new key never, on a change unchanged.',
  ),
};
export const NewKey = z
  .strictObject({
    account: Id.describe('Id of the account, or its name.'),
    name: Name.describe('1 to 100 characters, for people; need not be unique.'),
    ...settings,
  })
  .meta({
    id: 'NewKey',
    description: 'A key to create.',
    examples: [
      { account: 'research', name: 'build server', permissions: { models: ['gpt-5*'] }, spending_cap: { amount: '20', period: 'month' } },
    ],
  });
export type NewKey = z.infer<typeof NewKey>;
export const KeyChanges = z
  .strictObject({ name: Name.optional().describe('Another name, 1 to 100 characters. Omit to leave it unchanged.'), ...settings })
  .meta({
    id: 'KeyChanges',
    description: 'Changes of a key; absent fields stay unchanged.',
    examples: [{ limits: { requests_per_minute: 60 }, expires_at: null }],
  });
export type KeyChanges = z.infer<typeof KeyChanges>;

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(7_776_000).describe('Seconds for which the old key still works, up to 90 days; 0 ends it at once.'),
    expires_at: TimeInput.nullish().describe(
      'When the new key expires; a future time. Null: never. Absent: it gets the lifetime that the old key was created with.',
    ),
  })
  .meta({
    id: 'KeyRotation',
    description: 'A rotation: how long the old key works, and when the new one expires.',
    examples: [{ overlap_seconds: 86_400 }],
  });

export const KeyPath = z.object({ key_id: Id.describe('Id of the key, `key_…`; not the key itself.') });
const filters = {
  account_id: Id.optional().describe('Only keys of this account, by id or name. Absent: of all accounts.'),
  q: Search.optional().describe(
    'Part of the name, or of that of its account, the beginning of the id, or the last four characters of the key. Omit for any.',
  ),
  state: KeyState.optional().describe('Only keys in this state. Omit for any.'),
  group: GroupName.optional().describe('Only keys of accounts in this group. Omit for any.'),
};
const KeyQuery = z.strictObject({ ...page, ...filters });
const metadata = { tag: 'Keys' } as const satisfies AdminMetadata;
const about = <const P extends string, S extends z.ZodType>(path: P, answer: S) => ({
  path,
  pathParams: KeyPath,
  responses: { 200: answer },
  metadata,
});

export const keyRoutes = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    query: KeyQuery,
    responses: { 200: KeyList },
    summary: 'List keys',
    description: 'Keys of all accounts or of one, oldest first, without the keys themselves.',
    metadata,
  },
  exportKeys: {
    method: 'GET',
    path: '/keys.csv',
    query: z.strictObject(filters),
    responses: { 200: Csv },
    summary: 'Export keys',
    description: 'The same as CSV, all pages, streamed: a line of headings, then a line for each key. A row that ends early was cut off.',
    metadata: { tag: 'Keys', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    body: NewKey,
    responses: { 200: CreatedKey },
    summary: 'Create a key',
    description: 'Only this answer contains the key. The gateway stores an HMAC of it.',
    metadata,
  },
  getKey: {
    ...about('/keys/:key_id', Key),
    method: 'GET',
    summary: 'Get a key',
    description: 'Everything about a key except the key itself.',
  },
  editKey: {
    ...about('/keys/:key_id', Key),
    method: 'PATCH',
    body: KeyChanges,
    summary: 'Edit a key',
    description: 'Changes what the key may do. A running gateway follows within two seconds.',
  },
  rotateKey: {
    ...about('/keys/:key_id/rotate', RotatedKey),
    method: 'POST',
    body: KeyRotation,
    summary: 'Rotate a key',
    description: 'Creates a key with the same rights. The old one works until the overlap ends; both share one spending cap.',
  },
  revokeKey: {
    ...about('/keys/:key_id/revoke', Key),
    method: 'POST',
    body: null,
    summary: 'Revoke a key',
    description: 'Permanent. A running gateway refuses the key within two seconds. Revoking it again changes nothing.',
  },
} as const;
