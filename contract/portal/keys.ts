/** Keys at the portal: what the holder of a key sees of the keys of his account, and what he makes, rotates and revokes with the permission `manage_keys`. */
import { z } from 'zod';
import { Id, LimitsInput, Name, page, TimeInput } from '../admin/fields.ts';
import { Key, PermissionsInput } from '../admin/keys.ts';
import { kind } from '../shared/descriptions.ts';
import { answers, metadata } from './answers.ts';

const PortalManagedKey = Key.extend({
  is_own: z.boolean().describe('Whether it is the key that has signed in.'),
  may_manage: z
    .boolean()
    .describe('Whether the holder may rotate and revoke it: with `manage_keys` its own key, what it made, and what that made.'),
}).meta({ id: 'PortalManagedKey', description: 'A key of the account, without the key itself.' });

export const PortalKeyList = z
  .object({
    object: kind('list'),
    data: z.array(PortalManagedKey).describe('The keys of this page, oldest first.'),
    has_more: z.boolean().describe('Whether more follow this page.'),
    last_id: z.string().nullable().describe('Id of the last key of this page, for `after` of the next call. Null when the page is empty.'),
    may_create: z.boolean().describe('Whether the holder may make keys now.'),
    may_delegate: z.boolean().describe('Whether a key that the holder makes may make others.'),
    made: z.int().min(0).describe('Keys of the account that were made by holders and work.'),
    max_keys: z.int().min(0).describe('The most of them.'),
  })
  .meta({ id: 'PortalKeyList', description: 'The keys that the holder may see: without `manage_keys` the one that has signed in.' });
export type PortalKeyList = z.infer<typeof PortalKeyList>;

const secret = z.string().describe('The key itself. Only this answer contains it: it cannot be read again.');
export const PortalCreatedKey = PortalManagedKey.extend({ key: secret }).meta({
  id: 'PortalCreatedKey',
  description: 'A new key, shown only once.',
});
export const PortalRotatedKey = PortalManagedKey.extend({
  key: secret,
  replaces: PortalManagedKey.describe('The old key; it expires at the end of the overlap.'),
}).meta({ id: 'PortalRotatedKey', description: 'The new key, shown only once, and the key that it replaces.' });

export const PortalNewKey = z
  .strictObject({
    name: Name.describe('1 to 100 characters, for people; need not be unique.'),
    permissions: PermissionsInput.optional().describe(
      'What the key may do: no more than the one that has signed in. What is absent is as with that one, `manage_keys` excepted.',
    ),
    ip_ranges: z
      .array(z.string().min(2).max(64).describe('An address, or a range such as 192.0.2.0/24.'))
      .min(1)
      .max(100)
      .nullish()
      .describe('Where the key may be used from, within those of the one that has signed in. Null: anywhere. Absent: as with that one.'),
    limits: LimitsInput.optional().describe('Its own limits, at most those of the one that has signed in. Absent: as with that one.'),
    expires_at: TimeInput.nullish().describe(
      'When the key expires: a future time, not after the one that has signed in. Null: never. Absent: as with that one.',
    ),
  })
  .meta({
    id: 'PortalNewKey',
    description: 'A key to create, within what the one that has signed in may do. It spends under the cap of that one.',
    examples: [{ name: 'build server', permissions: { models: ['gpt-5*'] }, limits: { requests_per_minute: 60 } }],
  });
export type PortalNewKey = z.infer<typeof PortalNewKey>;

export const PortalKeyRotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(7_776_000).describe('Seconds for which the old key still works, up to 90 days; 0 ends it at once.'),
  })
  .meta({
    id: 'PortalKeyRotation',
    description: 'A rotation; the new key expires when the old one would have.',
    examples: [{ overlap_seconds: 86_400 }],
  });

const pathParams = z.object({ key_id: Id.describe('Id of the key, `key_…`; not the key itself.') });

export const portalKeys = {
  listKeys: {
    method: 'GET',
    path: '/portal/v1/keys',
    query: z.strictObject(page),
    responses: answers('listKeys', PortalKeyList),
    summary: 'List keys',
    description: 'With `manage_keys` all keys of the account, oldest first; else the key that has signed in.',
    metadata: metadata({ tag: 'Keys' }),
  },
  createKey: {
    method: 'POST',
    path: '/portal/v1/keys',
    body: PortalNewKey,
    responses: answers('createKey', PortalCreatedKey),
    summary: 'Create a key',
    description:
      'Needs `manage_keys`. What goes beyond the key that has signed in is rejected with `invalid_value`, which names the field; more keys than the account may have with `conflict`.',
    metadata: metadata({ tag: 'Keys' }),
  },
  rotateKey: {
    method: 'POST',
    path: '/portal/v1/keys/:key_id/rotate',
    pathParams,
    body: PortalKeyRotation,
    responses: answers('rotateKey', PortalRotatedKey),
    summary: 'Rotate a key',
    description: 'Needs `manage_keys`, and a key with `may_manage`: to rotate another one would be to become it.',
    metadata: metadata({ tag: 'Keys' }),
  },
  revokeKey: {
    method: 'POST',
    path: '/portal/v1/keys/:key_id/revoke',
    pathParams,
    body: null,
    responses: answers('revokeKey', PortalManagedKey),
    summary: 'Revoke a key',
    description:
      'Permanent. Needs `manage_keys`, and a key with `may_manage`. What the key made goes on working. Revoking it again changes nothing.',
    metadata: metadata({ tag: 'Keys' }),
  },
} as const;
