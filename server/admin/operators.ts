/** Keys of operators, and the audit log, in the operators' API. */
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminKey, operatorRoutes } from '../../contract/admin/operators.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { issueAdminKey } from '../access/issue.ts';
import { pageAudit } from '../access/lists.ts';
import type { AdminKeyRecord } from '../access/store.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { auditOf, type Operations } from './operations.ts';
import { missing, writeAll, writePage, writeTime, writeTimeOrNull } from './values.ts';

const writeAdminKey = ({ id, name, role, createdAt, revokedAt }: AdminKeyRecord): AdminKey => ({
  id,
  object: 'admin_key',
  name,
  role,
  created_at: writeTime(createdAt),
  revoked_at: writeTimeOrNull(revokedAt),
});

const timeOrNone = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export function operatorHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof operatorRoutes> {
  const { access, activity, now } = operations;
  const { store } = access;
  const findKey = async (id: string): Promise<AdminKey> => {
    const record = (await store.listAdminKeys()).find((one) => one.id === id);
    if (record) return writeAdminKey(record);
    throw missing('key_id', `There is no admin key with the id '${shown(id)}'.`);
  };
  return {
    async listAudit({ query, ok }) {
      const { limit = PAGE_LENGTH, after, from, to, ...filter } = query;
      const range = { from: timeOrNone(from), to: timeOrNone(to), before: after === undefined ? undefined : Number(after) };
      const entries = await pageAudit(activity.ask, { ...filter, ...range }, limit + 1);
      const written = entries.map(({ id, actor, action, target, details, at }) => ({
        object: 'audit_entry' as const,
        id: String(id),
        actor,
        action,
        target,
        details: { ...details },
        at: writeTime(at),
      }));
      return ok(writePage(written, limit, ({ id }) => id));
    },

    async listAdminKeys({ ok }) {
      return ok(writeAll((await store.listAdminKeys()).map(writeAdminKey), ({ id }) => id));
    },

    async createAdminKey({ request, body, ok }) {
      const issuer = { ...access, now, actor: request.actor, session: request.session?.id };
      const { key, id } = await issueAdminKey(body.name, { ...issuer, role: body.role });
      return ok({ ...(await findKey(id)), key });
    },

    async revokeAdminKey({ request, params, ok }) {
      const { id } = await findKey(params.key_id);
      await store.revokeAdminKey(id, auditOf(operations, request, { action: 'admin_key.revoke', target: id, details: {} }));
      return ok(await findKey(id));
    },
  };
}
