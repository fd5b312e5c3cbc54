/** Keys of callers in the operators' API. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { Key, KeyChanges, keyRoutes, PermissionsInput } from '../../contract/admin/keys.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { type Issuer, issueKey, rotateKey } from '../access/issue.ts';
import { type KeyFilter, pageKeys } from '../access/lists.ts';
import type { Permissions } from '../access/principal.ts';
import type { KeyRecord, KeySettings } from '../access/store.ts';
import { IpRange } from '../config/values.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import { findAccount } from './accounts.ts';
import { keyHeadings, keyLine, pagesCsv, ROWS_AT_ONCE } from './csv.ts';
import { auditOf, type Operations } from './operations.ts';
import {
  conflict,
  invalid,
  missing,
  noSuchEntry,
  readLimits,
  readTimeOrNull,
  writeLimits,
  writePage,
  writeTime,
  writeTimeOrNull,
} from './values.ts';

export function keyState({ revokedAt, expiresAt, account }: KeyRecord, now: number): Key['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && now >= expiresAt) return 'expired';
  return account.suspendedAt === null ? 'active' : 'suspended';
}

export function writeKey(record: KeyRecord, now: number): Key {
  const { permissions, cap } = record;
  return {
    id: record.id,
    object: 'key',
    name: record.name,
    account: { id: record.account.id, name: record.account.name },
    last_four: record.lastFour,
    state: keyState(record, now),
    permissions: writePermissions(permissions),
    ip_ranges: record.ipRanges && [...record.ipRanges],
    limits: writeLimits(record.limits),
    spending_cap: cap && { amount: formatDollars(cap.micros), period: cap.period },
    created_at: writeTime(record.createdAt),
    expires_at: writeTimeOrNull(record.expiresAt),
    revoked_at: writeTimeOrNull(record.revokedAt),
    replaced_by: record.replacedBy,
    made_by: record.madeBy,
  };
}

function writePermissions({ operations, models, mayStore, manageKeys = false }: Permissions): Key['permissions'] {
  // `as`: only operation names of the contract are stored.
  const names = operations as Key['permissions']['operations'];
  return { operations: names && [...names], models: models && [...models], may_store: mayStore, manage_keys: manageKeys };
}

function readPermissions(input: PermissionsInput): Permissions {
  const { operations = null, models = null, may_store: mayStore = true, manage_keys: manageKeys = false } = input;
  return { operations, models, mayStore, manageKeys };
}

export function checkRanges(ranges: readonly string[]): void {
  const wrong = ranges.findIndex((range) => !IpRange.safeParse(range).success);
  if (wrong >= 0)
    throw invalid(`ip_ranges[${wrong}]`, `'${shown(ranges[wrong] ?? '')}' is neither an address nor a range such as 192.0.2.0/24.`);
}

/** Copies only the fields that are present. */
function readSettings(changes: KeyChanges): Partial<KeySettings> {
  const { name, permissions, ip_ranges: ipRanges, limits, spending_cap: cap, expires_at: expiresAt } = changes;
  if (ipRanges) checkRanges(ipRanges);
  return {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions: readPermissions(permissions) }),
    ...(ipRanges !== undefined && { ipRanges }),
    ...(limits !== undefined && { limits: readLimits(limits) }),
    ...(cap !== undefined && { cap: cap && { micros: parseDollars(cap.amount), period: cap.period } }),
    ...(expiresAt !== undefined && { expiresAt: readTimeOrNull(expiresAt) }),
  };
}

export function checkFuture(expiresAt: string | null | undefined, now: number): void {
  if (expiresAt && Date.parse(expiresAt) <= now) throw invalid('expires_at', "'expires_at' has passed.");
}

type KeyFilters = z.infer<typeof keyRoutes.exportKeys.query>;

export function keyHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof keyRoutes> {
  const { access, activity, now } = operations;
  const { store } = access;
  const issuerFor = ({ actor, session }: FastifyRequest): Issuer => ({ ...access, now, actor, session: session?.id });

  const findKey = async (id: string): Promise<KeyRecord> => {
    const record = await store.findKeyById(id);
    if (record) return record;
    throw missing('key_id', `There is no key with the id '${shown(id)}'.`);
  };
  const filterOf = async ({ account_id: owner, q, state, group }: KeyFilters): Promise<KeyFilter> => {
    const account = owner === undefined ? undefined : await findAccount(operations, owner);
    return { accountId: account?.id, q, state, group, at: now() };
  };
  const keyOf = async (id: string): Promise<Key> => writeKey(await findKey(id), now());

  return {
    async listKeys({ query, ok }) {
      const { limit = PAGE_LENGTH, after } = query;
      const found = await pageKeys(activity.ask, await filterOf(query), { limit: limit + 1, after });
      if (!found) throw noSuchEntry();
      const page = writePage(found, limit, ({ id }) => id);
      return ok({ ...page, data: page.data.map((record) => writeKey(record, now())) });
    },

    async exportKeys({ query, reply, csv }) {
      const filter = await filterOf(query);
      const read = async (after?: string) => (await pageKeys(activity.ask, filter, { limit: ROWS_AT_ONCE, after })) ?? [];
      const line = (record: KeyRecord) => keyLine(writeKey(record, filter.at));
      const next = ({ id }: KeyRecord) => read(id);
      return csv(reply, pagesCsv({ headings: keyHeadings, first: await read(), length: ROWS_AT_ONCE, next, line }));
    },

    async createKey({ request, body, ok }) {
      const { account: owner, name, ...settings } = body;
      checkFuture(settings.expires_at, now());
      const account = await findAccount(operations, owner, 'account');
      const order = { ...readSettings(settings), name, accountName: account.name, group: account.group };
      const { key, id } = await issueKey(order, issuerFor(request));
      return ok({ ...(await keyOf(id)), key });
    },

    async getKey({ params, ok }) {
      return ok(await keyOf(params.key_id));
    },

    async editKey({ request, params, body, ok }) {
      const { id } = await findKey(params.key_id);
      await store.editKey(id, readSettings(body), auditOf(operations, request, { action: 'key.edit', target: id, details: body }));
      return ok(await keyOf(id));
    },

    async rotateKey({ request, params, body, ok }) {
      const { id } = await findKey(params.key_id);
      checkFuture(body.expires_at, now());
      const expiresAt = body.expires_at === undefined ? undefined : readTimeOrNull(body.expires_at);
      const order = { id, overlapMs: body.overlap_seconds * 1000, ...(expiresAt !== undefined && { expiresAt }) };
      const rotated = await rotateKey(order, issuerFor(request));
      if (rotated.kind === 'rotated') return ok({ ...(await keyOf(rotated.id)), key: rotated.key, replaces: await keyOf(id) });
      const { replacedBy } = await findKey(id);
      throw conflict(rotated.kind === 'replaced' ? `This key was replaced by ${replacedBy}: rotate that one.` : 'This key is revoked.');
    },

    async revokeKey({ request, params, ok }) {
      const { id } = await findKey(params.key_id);
      await store.revokeKey(id, auditOf(operations, request, { action: 'key.revoke', target: id, details: {} }));
      return ok(await keyOf(id));
    },
  };
}
