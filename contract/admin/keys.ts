/** Keys of callers: made, changed, rotated and revoked by operators. The key itself is in one answer only. */
import { z } from 'zod';
import { Dollars } from '../dollars.ts';
import { contract } from '../index.ts';
import { kind } from '../wording.ts';
import { Amount, type GrantedOperation, Id, Limits, LimitsInput, listOf, Name, page, Time, TimeInput, ungranted } from './fields.ts';
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

export const Permissions = z
  .object({ operations, models, may_store: mayStore })
  .meta({ id: 'KeyPermissions', description: 'What the key may do of what its group may.' });
export const PermissionsInput = z
  .strictObject({
    operations: operations.optional(),
    models: models.optional(),
    may_store: mayStore.optional().describe('Whether responses may be stored. Absent: true.'),
  })
  .meta({
    id: 'PermissionsInput',
    description: 'What the key may do. Takes the place of all permissions that were set before; what is left out is allowed.',
    examples: [{ models: ['gpt-5*'], may_store: false }],
  });
export type PermissionsInput = z.infer<typeof PermissionsInput>;

const capPeriod = z.enum(['day', 'week', 'month', 'never']).describe('When it starts anew, by UTC; weeks on Monday.');
export const SpendingCap = z
  .object({ amount: Dollars.describe('Most that may be spent in a period.'), period: capPeriod })
  .meta({ id: 'SpendingCap', description: 'Most that the key may spend.' });
export const SpendingCapInput = z.strictObject({ amount: Amount.describe('Most that may be spent in a period.'), period: capPeriod }).meta({
  id: 'SpendingCapInput',
  description: 'Most that the key may spend, and those that take its place together with it.',
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
  last_four: z.string().describe('The last four characters of the key, to tell it by.'),
  state: KeyState.describe(
    '`active`: it is taken. `suspended`: its account is. `expired`: it has ended. `revoked`: an operator ended it, for good.',
  ),
  permissions: Permissions.describe('What the key may do; never more than its group may.'),
  ip_ranges: ipRanges,
  limits: Limits.describe('Its own limits. Those of its account, its group and the model count beside them.'),
  spending_cap: SpendingCap.nullable().describe('Most that it may spend. Null: no cap of its own.'),
  created_at: Time.describe('When the key was made.'),
  expires_at: Time.nullable().describe('When the key ends. Null: it does not end by itself.'),
  revoked_at: Time.nullable().describe('When it was revoked. Null: it was not.'),
  replaced_by: z.string().nullable().describe('Id of the key that was made to take its place. Null: none was.'),
};
const KeyShape = z.object(keyShape);
const sample: z.infer<typeof KeyShape> = {
  id: 'key_0aB3dE5gH7jK9mN1p',
  object: 'key',
  name: 'build server',
  account: { id: 'acct_0aB3dE5gH7jK9mN1p', name: 'research' },
  last_four: 'Zt4Q',
  state: 'active',
  permissions: { operations: null, models: ['gpt-5*'], may_store: true },
  ip_ranges: null,
  limits: { requests_per_minute: { limit: 60, mode: 'enforce' }, tokens_per_minute: null, concurrency: null },
  spending_cap: { amount: '20.000000', period: 'month' },
  created_at: '2027-01-31T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
};
export const Key = KeyShape.meta({ id: 'Key', description: 'A key of a caller, without the key itself.', examples: [sample] });
export type Key = z.infer<typeof Key>;
export const KeyList = listOf('KeyList', 'Keys, oldest first.', Key);

const secret = z.string().describe('The key itself. It is in this answer only: nobody can read it again.');
export const CreatedKey = z.object({ ...keyShape, key: secret }).meta({ id: 'CreatedKey', description: 'A new key, shown this once.' });
export type CreatedKey = z.infer<typeof CreatedKey>;
export const RotatedKey = z
  .object({ ...keyShape, key: secret, replaces: Key.describe('The old key; it ends when the overlap is over.') })
  .meta({ id: 'RotatedKey', description: 'The new key, shown this once, and the one that it takes the place of.' });

const settings = {
  permissions: PermissionsInput.optional().describe(
    'What the key may do. Absent: on a new key all that its group may, on a change as before.',
  ),
  ip_ranges: ipRanges
    .optional()
    .describe(
      'Where the key may be used from, up to 100 addresses or ranges. Null: anywhere. Absent: on a new key anywhere, on a change as before.',
    ),
  limits: LimitsInput.optional().describe('Its own limits. Absent: on a new key as the configuration says, on a change as before.'),
  spending_cap: SpendingCapInput.nullish().describe(
    'Most that it may spend. Null: no cap. Absent: on a new key no cap, on a change as before.',
  ),
  expires_at: TimeInput.nullish().describe(
    'When the key ends; on a new key a time to come. Null: never. Absent: on a new key never, on a change as before.',
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
    description: 'A key to be made.',
    examples: [
      { account: 'research', name: 'build server', permissions: { models: ['gpt-5*'] }, spending_cap: { amount: '20', period: 'month' } },
    ],
  });
export type NewKey = z.infer<typeof NewKey>;
export const KeyChanges = z
  .strictObject({ name: Name.optional().describe('Another name, 1 to 100 characters. Absent: as before.'), ...settings })
  .meta({
    id: 'KeyChanges',
    description: 'Changes of a key; what is left out stays.',
    examples: [{ limits: { requests_per_minute: 60 }, expires_at: null }],
  });
export type KeyChanges = z.infer<typeof KeyChanges>;

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(7_776_000).describe('Seconds that the old key is still good, up to 90 days; 0 ends it at once.'),
    expires_at: TimeInput.nullish().describe(
      'When the new key ends; a time to come. Null: never. Absent: it is good for as long as the old one was made for.',
    ),
  })
  .meta({ id: 'KeyRotation', description: 'How the old key and the new one follow each other.', examples: [{ overlap_seconds: 86_400 }] });

const KeyPath = z.object({ key_id: Id.describe('Id of the key, `key_…`; the key itself is not taken here.') });
const KeyQuery = z.strictObject({
  ...page,
  account_id: Id.optional().describe('Only keys of this account, by id or name. Absent: of all accounts.'),
});
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
  createKey: {
    method: 'POST',
    path: '/keys',
    body: NewKey,
    responses: { 200: CreatedKey },
    summary: 'Create a key',
    description: 'The answer is the only place where the key can be read. What is kept is an HMAC of it.',
    metadata,
  },
  getKey: {
    ...about('/keys/:key_id', Key),
    method: 'GET',
    summary: 'Get a key',
    description: 'Everything about a key but the key itself.',
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
    description: 'Makes a key with the same rights. The old one is good until the overlap is over; both spend under one cap.',
  },
  revokeKey: {
    ...about('/keys/:key_id/revoke', Key),
    method: 'POST',
    body: null,
    summary: 'Revoke a key',
    description: 'For good. A running gateway refuses the key within two seconds. Revoking it again changes nothing.',
  },
} as const;
