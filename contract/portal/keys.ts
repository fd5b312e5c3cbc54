/** Keys in the portal: key owners can list the account's keys. With the permission `manage_keys`, they can create, rotate, and revoke keys. */
import { z } from 'zod';
import { Id, LimitsInput, Name, pageFields, TimeInput } from '../admin/fields.ts';
import { Key, KeyUse, PermissionsInput } from '../admin/keys.ts';
import { SpendingCapsInput } from '../admin/spending-caps.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { createResponses, defineMetadata } from './answers.ts';

const PortalManagedKey = Key.extend({
  is_own: z.boolean().describe('Whether this is the key you signed in with.'),
  may_manage: z
    .boolean()
    .describe(
      'Whether you can rotate and revoke this key. With `manage_keys`, you can manage the key you signed in with, the keys created with it, and the keys created with those.',
    ),
}).meta({ id: 'PortalManagedKey', description: "A key of the account. The secret isn't included." });

const PortalListedKey = PortalManagedKey.extend({
  use: KeyUse.describe('When the key was last used, and the amount spent with it.'),
}).meta({ id: 'PortalListedKey', description: "A key of the account with its recent use. The secret isn't included." });

export const PortalKeyList = z
  .object({
    object: createTypeField('list'),
    data: z.array(PortalListedKey).describe('The keys of this page, oldest first.'),
    has_more: z.boolean().describe('Whether there are more keys after this page.'),
    last_id: z
      .string()
      .nullable()
      .describe('The ID of the last key of this page. Send it as `after` to get the next page. Null if the page is empty.'),
    may_create: z.boolean().describe('Whether you can create keys now.'),
    may_delegate: z.boolean().describe('Whether a key that you create can be allowed to create keys.'),
    count: z.int().min(0).describe('Number of active keys of the account that were created by key owners.'),
    max_keys: z.int().min(0).describe('Maximum number of such keys.'),
  })
  .meta({ id: 'PortalKeyList', description: 'The keys that you can see. Without `manage_keys`, only the key you signed in with.' });
export type PortalKeyList = z.infer<typeof PortalKeyList>;

const secret = z.string().describe("The key itself. It's returned only once and can't be retrieved later.");
export const PortalCreatedKey = PortalManagedKey.extend({ key: secret }).meta({
  id: 'PortalCreatedKey',
  description: 'A new key. The key itself is returned only once.',
});
export const PortalRotatedKey = PortalManagedKey.extend({
  key: secret,
  replaces: PortalManagedKey.describe('The old key, which expires at the end of the overlap.'),
}).meta({ id: 'PortalRotatedKey', description: 'The new key, returned only once, and the key that it replaces.' });

export const PortalNewKey = z
  .strictObject({
    name: Name.describe("A name for the key, 1 to 100 characters. It needn't be unique."),
    permissions: PermissionsInput.optional().describe(
      'The permissions of the key, at most those of the key you signed in with. Omitted fields are copied from that key, except `manage_keys`, which defaults to false.',
    ),
    ip_ranges: z
      .array(z.string().min(2).max(64).describe('An IP address, or a range such as 192.0.2.0/24.'))
      .min(1)
      .max(100)
      .nullish()
      .describe(
        'The IP addresses and ranges that the key can be used from, within those of the key you signed in with; up to 100. Null means anywhere. Omit to copy them from that key.',
      ),
    limits: LimitsInput.optional().describe(
      'The limits of the key itself, at most those of the key you signed in with. Omit to copy them from that key.',
    ),
    spending_caps: SpendingCapsInput.optional().describe(
      'The spending caps of the key itself, at most one per period. Its calls also count toward those of the key you signed in with. Omit to create it without its own.',
    ),
    expires_at: TimeInput.nullish().describe(
      'When the key expires: in the future, and not after the key you signed in with. Null means never. Omit to copy it from that key.',
    ),
  })
  .meta({
    id: 'PortalNewKey',
    description:
      'A key to create, with at most the permissions of the key you signed in with. Its calls count toward the spending caps of both.',
    examples: [
      {
        name: 'build server',
        permissions: { models: ['gpt-5*'] },
        limits: { requests_per_minute: 60 },
        spending_caps: [{ amount: '5', period: 'day' }],
      },
    ],
  });
export type PortalNewKey = z.infer<typeof PortalNewKey>;

export const PortalKeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(7_776_000)
      .describe('How many seconds the old key still works, up to 90 days. 0 revokes it immediately.'),
  })
  .meta({
    id: 'PortalKeyRotation',
    description: 'A key rotation. The new key has the same expiry as the old one.',
    examples: [{ overlap_seconds: 86_400 }],
  });

const pathParams = z.object({ key_id: Id.describe('The ID of the key, `key_…`; not the key itself.') });

export const portalKeys = {
  listKeys: {
    method: 'GET',
    path: '/portal/v1/keys',
    query: z.strictObject(pageFields),
    responses: createResponses('listKeys', PortalKeyList),
    summary: 'List keys',
    description: 'Lists the keys of the account, oldest first. Without `manage_keys`, lists only the key you signed in with.',
    metadata: defineMetadata({ tag: 'Keys' }),
  },
  createKey: {
    method: 'POST',
    path: '/portal/v1/keys',
    body: PortalNewKey,
    responses: createResponses('createKey', PortalCreatedKey),
    summary: 'Create a key',
    description:
      'Creates a key. Requires `manage_keys`. A request that exceeds the permissions or limits of the key you signed in with returns `invalid_value` for the field. More keys than the account allows returns `conflict`.',
    metadata: defineMetadata({ tag: 'Keys' }),
  },
  rotateKey: {
    method: 'POST',
    path: '/portal/v1/keys/:key_id/rotate',
    pathParams,
    body: PortalKeyRotation,
    responses: createResponses('rotateKey', PortalRotatedKey),
    summary: 'Rotate a key',
    description: 'Creates a key that replaces an existing one. Requires `manage_keys`, and a key with `may_manage: true`.',
    metadata: defineMetadata({ tag: 'Keys' }),
  },
  revokeKey: {
    method: 'POST',
    path: '/portal/v1/keys/:key_id/revoke',
    pathParams,
    body: null,
    responses: createResponses('revokeKey', PortalManagedKey),
    summary: 'Revoke a key',
    description:
      'Permanently revokes a key. Requires `manage_keys`, and a key with `may_manage: true`. Keys that were created with it keep working. Revoking it again has no effect.',
    metadata: defineMetadata({ tag: 'Keys' }),
  },
} as const;
