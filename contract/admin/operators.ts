/** Operators: their keys, and who changed what. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Csv, Id, listOf, Name, page, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { adminRoleNames } from './roles.ts';

export const AuditEntry = z
  .object({
    object: kind('audit_entry'),
    id: z.string().describe('Number of the entry, as a string; later entries have larger numbers.'),
    actor: z
      .string()
      .describe(
        'Id of the admin key that was used, or of the key whose holder signed in at the portal; `cli` for the command line on the data folder, `system` for the gateway itself, `unknown` for a sign-in that failed.',
      ),
    action: z.string().describe('What was done, such as `key.create` or `balance.adjust`.'),
    target: z.string().describe('Id of what was changed.'),
    details: z.looseObject({}).describe('The changes, and the `session` of a change that was made with a browser. Contains no secret.'),
    at: Time.describe('When it was done.'),
  })
  .meta({ id: 'AuditEntry', description: 'One change by an operator. Entries can be neither changed nor deleted.' });
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditList = listOf('AuditList', 'Changes, newest first.', AuditEntry);

const filters = {
  actor: Id.optional().describe('Only changes by this one: the id of an admin key, or `cli`, `system`. Absent: by any.'),
  action: Id.optional().describe('Only this action, such as `key.create`. Omit for any.'),
  target: Id.optional().describe('Only changes of what has this id. Absent: of anything.'),
  from: TimeInput.optional().describe('Only changes from this time on. Omit to start with the first.'),
  to: TimeInput.optional().describe('Only changes before this time. Absent: to the last.'),
};
const AuditQuery = z.strictObject({
  limit: page.limit,
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an entry')
    .optional()
    .describe('The `last_id` of the page before. Omit for the first page.'),
  ...filters,
});

const Role = z.enum(adminRoleNames).meta({
  id: 'OperatorRole',
  description:
    '`viewer` reads. `billing` also adjusts balances, makes and cancels subscriptions, and sets prices. `admin` may do everything.',
});
const adminKeyShape = {
  id: z.string().describe('Id of the key. It is no secret.'),
  object: kind('admin_key'),
  name: z.string().describe('The owner, for people.'),
  role: Role.describe('What the key may do.'),
  created_at: Time.describe('When the key was made.'),
  revoked_at: Time.nullable().describe('When it was revoked. Null: it was not.'),
};
export const AdminKey = z.object(adminKeyShape).meta({ id: 'AdminKey', description: 'A key of this API, without the key itself.' });
export type AdminKey = z.infer<typeof AdminKey>;
export const AdminKeyList = listOf('AdminKeyList', 'Keys of operators, oldest first.', AdminKey);
export const CreatedAdminKey = z
  .object({ ...adminKeyShape, key: z.string().describe('The key itself. It is in this answer only.') })
  .meta({ id: 'CreatedAdminKey', description: 'A new key of an operator, shown only once.' });
export const NewAdminKey = z
  .strictObject({
    name: Name.describe('The owner, for people and for the audit log; 1 to 100 characters.'),
    role: Role.optional().describe('What the key may do. Absent: `admin`.'),
  })
  .meta({ id: 'NewAdminKey', description: 'A key of an operator to create.', examples: [{ name: 'alice', role: 'viewer' }] });

const AdminKeyPath = z.object({ key_id: Id.describe('Id of the admin key.') });
const metadata = { tag: 'Operators' } as const satisfies AdminMetadata;

export const operatorRoutes = {
  listAudit: {
    method: 'GET',
    path: '/audit',
    query: AuditQuery,
    responses: { 200: AuditList },
    summary: 'List the audit log',
    description: 'Who changed what, newest first.',
    metadata,
  },
  exportAudit: {
    method: 'GET',
    path: '/audit.csv',
    query: z.strictObject(filters),
    responses: { 200: Csv },
    summary: 'Export the audit log',
    description:
      'The same as CSV, all pages, streamed: a line of headings, then a line for each change. A row that ends early was cut off.',
    metadata: { tag: metadata.tag, answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  listAdminKeys: {
    method: 'GET',
    path: '/admin-keys',
    responses: { 200: AdminKeyList },
    summary: 'List admin keys',
    description: 'Keys of operators, revoked ones included.',
    metadata,
  },
  createAdminKey: {
    method: 'POST',
    path: '/admin-keys',
    body: NewAdminKey,
    responses: { 200: CreatedAdminKey },
    summary: 'Create an admin key',
    description: 'Only this answer contains the key. Create the first one with `modelgate admin-key create`.',
    metadata,
  },
  revokeAdminKey: {
    method: 'POST',
    path: '/admin-keys/:key_id/revoke',
    pathParams: AdminKeyPath,
    body: null,
    responses: { 200: AdminKey },
    summary: 'Revoke an admin key',
    description: 'Permanent and immediate. An operator may revoke the key in use.',
    metadata,
  },
} as const;
