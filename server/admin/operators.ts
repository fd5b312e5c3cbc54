/** Keys of operators, and the audit log, in the operators' API. */
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminKey, AuditEntry, operatorRoutes } from '../../contract/admin/operators.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { issueAdminKey } from '../access/issue.ts';
import { pageAudit } from '../access/lists.ts';
import type { AuditRecord } from '../access/rows.ts';
import type { AdminKeyRecord } from '../access/store.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { auditHeadings, auditLine, pagesCsv, ROWS_AT_ONCE } from './csv.ts';
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

const writeEntry = ({ id, actor, action, target, details, at }: AuditRecord): AuditEntry => ({
  object: 'audit_entry',
  id: String(id),
  actor,
  action,
  target,
  details: { ...details },
  at: writeTime(at),
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
      return ok(writePage(entries.map(writeEntry), limit, ({ id }) => id));
    },

    async exportAudit({ query: { from, to, ...filter }, reply, csv }) {
      const range = { ...filter, from: timeOrNone(from), to: timeOrNone(to) };
      const read = (before?: number) => pageAudit(activity.ask, { ...range, before }, ROWS_AT_ONCE);
      const next = ({ id }: AuditRecord) => read(id);
      const line = (record: AuditRecord) => auditLine(writeEntry(record));
      return csv(reply, pagesCsv({ headings: auditHeadings, first: await read(), length: ROWS_AT_ONCE, next, line }));
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
