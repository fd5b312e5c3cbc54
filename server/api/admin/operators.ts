/** Admin API handlers for admin keys and the audit log. */

import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { AdminKey, AuditEntry, operatorRoutes } from '../../../contract/admin/operators.ts';
import { issueAdminKey } from '../../access/issue-key.ts';
import { listAuditPage } from '../../access/pages.ts';
import { readAllNames } from '../../access/read-names.ts';
import type { AdminKeyRecord, AuditRecord } from '../../access/store.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { isAlertId, readAlertNames } from '../../records/alerts/list-alerts.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { auditHeadings, CSV_PAGE_LENGTH, formatAuditLine, writePagesCsv } from './csv.ts';
import { createNotFoundError } from './errors.ts';
import { type Operations, toAuditEntry } from './operations.ts';
import { writeAll, writePage } from './page.ts';
import { writeTime, writeTimeOrNull } from './times.ts';

const writeAdminKey = ({ id, name, role, createdAt, revokedAt }: AdminKeyRecord): AdminKey => ({
  id,
  object: 'admin_key',
  name,
  role,
  created_at: writeTime(createdAt),
  revoked_at: writeTimeOrNull(revokedAt),
});

const listNamedIds = ({ actor, target, details: { account } }: AuditRecord): readonly string[] => [
  actor,
  target,
  ...(typeof account === 'string' ? [account] : []),
];

const writeAuditEntry = (record: AuditRecord, names: ReadonlyMap<string, string>): AuditEntry => {
  const { id, actor, action, target, details, at } = record;
  return {
    object: 'audit_entry',
    id: String(id),
    actor,
    action,
    target,
    details: { ...details },
    names: Object.fromEntries(
      listNamedIds(record).flatMap((named) => {
        const name = names.get(named);
        return name === undefined ? [] : [[named, name]];
      }),
    ),
    at: writeTime(at),
  };
};

const parseTimeOrUndefined = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export function createOperatorHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof operatorRoutes> {
  const { access, activity, now } = operations;
  const { store } = access;
  const requireAdminKey = async (id: string): Promise<AdminKey> => {
    const record = (await store.listAdminKeys()).find((one) => one.id === id);
    if (record) return writeAdminKey(record);
    throw createNotFoundError('key_id', `Admin key '${toPrintable(id)}' not found.`);
  };
  return {
    async listAudit({ query, ok }) {
      const { limit = PAGE_LENGTH, after, from, to, ...filter } = query;
      const range = {
        from: parseTimeOrUndefined(from),
        to: parseTimeOrUndefined(to),
        before: after === undefined ? undefined : Number(after),
      };
      const entries = await listAuditPage(activity.ask, { ...filter, ...range }, limit + 1);
      const ids = [...new Set(entries.flatMap(listNamedIds))];
      const names = new Map([...(await readAllNames(activity.ask, ids)), ...(await readAlertNames(activity.ask, ids.filter(isAlertId)))]);
      return ok(
        writePage(
          entries.map((entry) => writeAuditEntry(entry, names)),
          limit,
          ({ id }) => id,
        ),
      );
    },

    async exportAudit({ query: { from, to, ...filter }, reply, csv }) {
      const range = { ...filter, from: parseTimeOrUndefined(from), to: parseTimeOrUndefined(to) };
      const fetchPage = (before?: number) => listAuditPage(activity.ask, { ...range, before }, CSV_PAGE_LENGTH);
      const next = ({ id }: AuditRecord) => fetchPage(id);
      const line = (record: AuditRecord) => formatAuditLine(writeAuditEntry(record, new Map()));
      return csv(reply, writePagesCsv({ headings: auditHeadings, first: await fetchPage(), length: CSV_PAGE_LENGTH, next, line }));
    },

    async listAdminKeys({ ok }) {
      return ok(writeAll((await store.listAdminKeys()).map(writeAdminKey), ({ id }) => id));
    },

    async createAdminKey({ request, body, ok }) {
      const issuer = { ...access, now, actor: request.actor, session: request.session?.id };
      const { key, id } = await issueAdminKey(body.name, { ...issuer, role: body.role });
      return ok({ ...(await requireAdminKey(id)), key });
    },

    async revokeAdminKey({ request, params, ok }) {
      const { id } = await requireAdminKey(params.key_id);
      await store.revokeAdminKey(id, toAuditEntry(operations, request, { action: 'admin_key.revoke', target: id, details: {} }));
      return ok(await requireAdminKey(id));
    },
  };
}
