/** Admin API handlers for callers' keys. */

import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { Key, KeyChanges, keyRoutes, ListedKey, PermissionsInput } from '../../../contract/admin/keys.ts';
import { type Issuer, issueKey, rotateKey } from '../../access/issue-key.ts';
import { hashKey, hasKeyFormat } from '../../access/key-format.ts';
import { type KeyFilter, listKeyPage } from '../../access/pages.ts';
import type { Permissions } from '../../access/principal.ts';
import { fetchKeyUsage } from '../../access/spend.ts';
import type { KeyRecord, KeySettings } from '../../access/store.ts';
import { IpRange } from '../../config/values.ts';
import { formatDollars } from '../../money/dollars.ts';
import { toPrintable } from '../../primitives/errors.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { requireAccount } from './accounts.ts';
import { readCaps, writeCap, writeUsedCap } from './caps.ts';
import { CSV_PAGE_LENGTH, formatKeyLine, keyHeadings, writePagesCsv } from './csv.ts';
import { createConflictError, createEntryNotFoundError, createInvalidValueError, createNotFoundError } from './errors.ts';
import { readLimitSettings, writeLimits } from './limit-settings.ts';
import { type Operations, toAuditEntry, toChangeDetails } from './operations.ts';
import { writePage } from './page.ts';
import { readTimeOrNull, writeTime, writeTimeOrNull } from './times.ts';

function getKeyState({ revokedAt, expiresAt, account }: KeyRecord, now: number): Key['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && now >= expiresAt) return 'expired';
  return account.suspendedAt === null ? 'active' : 'suspended';
}

export function writeKey(record: KeyRecord, now: number): Key {
  const { permissions } = record;
  return {
    id: record.id,
    object: 'key',
    name: record.name,
    account: { id: record.account.id, name: record.account.name },
    last_four: record.lastFour,
    state: getKeyState(record, now),
    permissions: writePermissions(permissions),
    ip_ranges: record.ipRanges && [...record.ipRanges],
    limits: writeLimits(record.limits),
    spending_caps: record.caps.map(writeCap),
    created_at: writeTime(record.createdAt),
    expires_at: writeTimeOrNull(record.expiresAt),
    revoked_at: writeTimeOrNull(record.revokedAt),
    replaced_by: record.replacedBy,
    created_by: record.madeBy,
  };
}

export async function writeListedKeys(
  { activity }: Pick<Operations, 'activity'>,
  records: readonly KeyRecord[],
  now: number,
): Promise<ListedKey[]> {
  const usageByKey = await fetchKeyUsage(
    activity.ask,
    records.map(({ id }) => id),
    now,
  );
  return records.map((record) => {
    const { lastUsed = null, charged = 0n, caps = [] } = usageByKey.get(record.id) ?? {};
    const use = {
      last_used_at: writeTimeOrNull(lastUsed),
      charged_30d: formatDollars(charged),
      spending_caps: caps.map(writeUsedCap),
    };
    return { ...writeKey(record, now), use };
  });
}

function writePermissions({ operations, models, mayStore, manageKeys = false }: Permissions): Key['permissions'] {
  // `as`: only operation names of the contract are stored.
  const operationNames = operations as Key['permissions']['operations'];
  return { operations: operationNames && [...operationNames], models: models && [...models], may_store: mayStore, manage_keys: manageKeys };
}

function readPermissions(input: PermissionsInput): Permissions {
  const { operations = null, models = null, may_store: mayStore = true, manage_keys: manageKeys = false } = input;
  return { operations, models, mayStore, manageKeys };
}

export function checkIpRanges(ranges: readonly string[]): void {
  const invalidIndex = ranges.findIndex((range) => !IpRange.safeParse(range).success);
  if (invalidIndex >= 0)
    throw createInvalidValueError(
      `ip_ranges[${invalidIndex}]`,
      `'${toPrintable(ranges[invalidIndex] ?? '')}' isn't an IP address or a range such as 192.0.2.0/24.`,
    );
}

/** Copies only the given fields. */
function readKeySettings(changes: KeyChanges): Partial<KeySettings> {
  const { name, permissions, ip_ranges: ipRanges, limits, spending_caps: caps, expires_at: expiresAt } = changes;
  if (ipRanges) checkIpRanges(ipRanges);
  return {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions: readPermissions(permissions) }),
    ...(ipRanges !== undefined && { ipRanges }),
    ...(limits !== undefined && { limits: readLimitSettings(limits) }),
    ...(caps !== undefined && { caps: readCaps(caps) }),
    ...(expiresAt !== undefined && { expiresAt: readTimeOrNull(expiresAt) }),
  };
}

export function checkFutureExpiry(expiresAt: string | null | undefined, now: number): void {
  if (expiresAt && Date.parse(expiresAt) <= now) throw createInvalidValueError('expires_at', "'expires_at' must be in the future.");
}

type KeyFilters = z.infer<typeof keyRoutes.exportKeys.query>;

export function createKeyHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof keyRoutes> {
  const { access, activity, now } = operations;
  const { store } = access;
  const getIssuer = ({ actor, session }: FastifyRequest): Issuer => ({ ...access, now, actor, session: session?.id });

  const requireKey = async (id: string): Promise<KeyRecord> => {
    const record = await store.findKeyById(id);
    if (record) return record;
    throw createNotFoundError('key_id', `Key '${toPrintable(id)}' not found.`);
  };
  const toFilter = async ({ account_id: owner, q, state, group }: KeyFilters): Promise<KeyFilter> => {
    const account = owner === undefined ? undefined : await requireAccount(operations, owner);
    return { accountId: account?.id, q, state, group, at: now() };
  };
  const fetchKey = async (id: string): Promise<Key> => writeKey(await requireKey(id), now());

  return {
    async listKeys({ query, ok }) {
      const { limit = PAGE_LENGTH, after, sort, order } = query;
      const keys = await listKeyPage(activity.ask, await toFilter(query), { limit: limit + 1, after, sort, order });
      if (!keys) throw createEntryNotFoundError();
      const page = writePage(keys, limit, ({ id }) => id);
      return ok({ ...page, data: await writeListedKeys(operations, page.data, now()) });
    },

    async exportKeys({ query, reply, csv }) {
      const filter = await toFilter(query);
      const fetchPage = async (after?: string) => (await listKeyPage(activity.ask, filter, { limit: CSV_PAGE_LENGTH, after })) ?? [];
      const line = (record: KeyRecord) => formatKeyLine(writeKey(record, filter.at));
      const next = ({ id }: KeyRecord) => fetchPage(id);
      return csv(reply, writePagesCsv({ headings: keyHeadings, first: await fetchPage(), length: CSV_PAGE_LENGTH, next, line }));
    },

    async createKey({ request, body, ok }) {
      const { account: owner, name, ...settings } = body;
      checkFutureExpiry(settings.expires_at, now());
      const keySettings = readKeySettings(settings);
      // Checked last: the command line creates a missing account and tries again, which must succeed.
      const account = await requireAccount(operations, owner, 'account');
      const { key, id } = await issueKey({ ...keySettings, name, accountName: account.name, group: account.group }, getIssuer(request));
      return ok({ ...(await fetchKey(id)), key });
    },

    async getKey({ params, ok }) {
      // `as`: one record gives one entry.
      const [listedKey] = await writeListedKeys(operations, [await requireKey(params.key_id)], now());
      return ok(listedKey as ListedKey);
    },

    async editKey({ request, params, body, ok }) {
      const previousKey = await fetchKey(params.key_id);
      const { id } = previousKey;
      const details = toChangeDetails(body, previousKey);
      await store.editKey(id, readKeySettings(body), toAuditEntry(operations, request, { action: 'key.edit', target: id, details }));
      return ok(await fetchKey(id));
    },

    async rotateKey({ request, params, body, ok }) {
      const { id } = await requireKey(params.key_id);
      checkFutureExpiry(body.expires_at, now());
      const expiresAt = body.expires_at === undefined ? undefined : readTimeOrNull(body.expires_at);
      const rotation = { id, overlapMs: body.overlap_seconds * 1000, ...(expiresAt !== undefined && { expiresAt }) };
      const result = await rotateKey(rotation, getIssuer(request));
      if (result.kind === 'rotated') return ok({ ...(await fetchKey(result.id)), key: result.key, replaces: await fetchKey(id) });
      const { replacedBy } = await requireKey(id);
      throw createConflictError(
        result.kind === 'replaced' ? `This key was replaced by ${replacedBy}. Rotate that key instead.` : 'This key is revoked.',
      );
    },

    async revokeKey({ request, params, ok }) {
      const { id } = await requireKey(params.key_id);
      await store.revokeKey(id, toAuditEntry(operations, request, { action: 'key.revoke', target: id, details: {} }));
      return ok(await fetchKey(id));
    },
  };
}

/** Finds a key by its plain text or ID. */
export async function findKey({ access }: Operations, text: string): Promise<KeyRecord | undefined> {
  return hasKeyFormat(text) ? access.store.findKey(hashKey(text, access.pepper)) : access.store.findKeyById(text);
}
