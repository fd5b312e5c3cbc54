/** Operators: admin keys and the audit log. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Csv, createListSchema, Id, Name, pageFields, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { adminRoleNames } from './roles.ts';

export const AuditEntry = z
  .object({
    object: createTypeField('audit_entry'),
    id: z.string().describe('The number of the entry, as a string. Later entries have larger numbers.'),
    actor: z
      .string()
      .describe(
        'The ID of the admin key that was used, or of the key that signed in to the portal; `cli` for the command line on the data folder, `system` for the gateway itself, `unknown` for a failed sign-in.',
      ),
    action: z.string().describe('The action, such as `key.create` or `balance.adjust`.'),
    target: z.string().describe('The ID of the changed object.'),
    details: z
      .looseObject({})
      .describe(
        'The changes, `before` with the earlier values of edited fields, and the `session` of a change made in a browser. Contains no secrets.',
      ),
    names: z
      .record(z.string(), z.string())
      .describe(
        'The current names, by ID, of the accounts, keys, and operators in `actor`, `target`, and `details.account`. For an alert, the name of what it is about. Without those that no longer exist.',
      ),
    at: Time.describe('When the change was made.'),
  })
  .meta({ id: 'AuditEntry', description: "A change by an operator. Entries can't be changed or deleted." });
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditList = createListSchema('AuditList', 'A list of changes, newest first.', AuditEntry);

const filterFields = {
  actor: Id.optional().describe('Only changes by this actor: the ID of a key, `cli`, or `system`. Omit to get all actors.'),
  action: Id.optional().describe('Only this action, such as `key.create`. Omit to get all actions.'),
  target: Id.optional().describe('Only changes of the object with this ID. Omit to get all objects.'),
  from: TimeInput.optional().describe('Only changes from this time on. Omit to start with the first change.'),
  to: TimeInput.optional().describe('Only changes before this time. Omit to get all changes up to the latest.'),
};
const AuditQuery = z.strictObject({
  limit: pageFields.limit,
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the ID of an entry')
    .optional()
    .describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
  ...filterFields,
});

const Role = z.enum(adminRoleNames).meta({
  id: 'OperatorRole',
  description:
    '`viewer` can read. `billing` can also adjust balances, create and cancel subscriptions, and set prices. `admin` can do everything.',
});
const adminKeyShape = {
  id: z.string().describe("The ID of the key. It isn't a secret."),
  object: createTypeField('admin_key'),
  name: z.string().describe('The name of the owner.'),
  role: Role.describe('The role of the key.'),
  created_at: Time.describe('When the key was created.'),
  revoked_at: Time.nullable().describe("When the key was revoked. Null if it wasn't revoked."),
};
export const AdminKey = z.object(adminKeyShape).meta({ id: 'AdminKey', description: "An admin key. The secret isn't included." });
export type AdminKey = z.infer<typeof AdminKey>;
export const AdminKeyList = createListSchema('AdminKeyList', 'A list of admin keys, oldest first.', AdminKey);
export const CreatedAdminKey = z
  .object({ ...adminKeyShape, key: z.string().describe("The key itself. It's returned only once and can't be retrieved later.") })
  .meta({ id: 'CreatedAdminKey', description: 'A new admin key. The key itself is returned only once.' });
export const NewAdminKey = z
  .strictObject({
    name: Name.describe('The name of the owner, shown in the audit log; 1 to 100 characters.'),
    role: Role.optional().describe('The role of the key. Defaults to `admin`.'),
  })
  .meta({ id: 'NewAdminKey', description: 'An admin key to create.', examples: [{ name: 'alice', role: 'viewer' }] });

const AdminKeyPathParams = z.object({ key_id: Id.describe('The ID of the admin key.') });
const metadata = { tag: 'Operators' } as const satisfies AdminMetadata;

export const operatorRoutes = {
  listAudit: {
    method: 'GET',
    path: '/audit',
    query: AuditQuery,
    responses: { 200: AuditList },
    summary: 'List the audit log',
    description: 'Lists all changes by operators, newest first.',
    metadata,
  },
  exportAudit: {
    method: 'GET',
    path: '/audit.csv',
    query: z.strictObject(filterFields),
    responses: { 200: Csv },
    summary: 'Export the audit log',
    description:
      'Exports the audit log as CSV, streamed, with a header row and one row per change. If the last row is incomplete, the export was interrupted.',
    metadata: { tag: metadata.tag, answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  listAdminKeys: {
    method: 'GET',
    path: '/admin-keys',
    responses: { 200: AdminKeyList },
    summary: 'List admin keys',
    description: 'Lists the admin keys, including revoked ones.',
    metadata,
  },
  createAdminKey: {
    method: 'POST',
    path: '/admin-keys',
    body: NewAdminKey,
    responses: { 200: CreatedAdminKey },
    summary: 'Create an admin key',
    description: 'Creates an admin key. Only this response contains the key. Create the first one with `modelgate admin-key create`.',
    metadata,
  },
  revokeAdminKey: {
    method: 'POST',
    path: '/admin-keys/:key_id/revoke',
    pathParams: AdminKeyPathParams,
    body: null,
    responses: { 200: AdminKey },
    summary: 'Revoke an admin key',
    description: "Permanently revokes an admin key, with immediate effect. You can revoke the key you're using.",
    metadata,
  },
} as const;
