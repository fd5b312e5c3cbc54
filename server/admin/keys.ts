/** Keys of callers in the operators' API. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ExplainedLimit, Explanation, explanationRoutes, KeyAccess } from '../../contract/admin/explanations.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { Key, KeyChanges, keyRoutes, ListedKey, PermissionsInput } from '../../contract/admin/keys.ts';
import type { AdminKey, AuditEntry, operatorRoutes } from '../../contract/admin/operators.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import { hashKey, isWellFormed } from '../access/authenticate.ts';
import { type Issuer, issueAdminKey, issueKey, rotateKey } from '../access/issue.ts';
import { type KeyFilter, pageAudit, pageKeys, readKeyUse } from '../access/lists.ts';
import { denialOf } from '../access/permissions.ts';
import type { AdminKeyRecord, AuditRecord, KeyRecord, KeySettings, Permissions } from '../access/store.ts';
import type { Model } from '../config/config.ts';
import { IpRange } from '../config/values.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/charge.ts';
import { findAccount, writeBalance } from './accounts.ts';
import { isForKind, pickPrice, priceOf, pricesNow } from './configuration.ts';
import {
  auditHeadings,
  auditLine,
  conflict,
  invalid,
  keyHeadings,
  keyLine,
  missing,
  noSuchEntry,
  pagesCsv,
  ROWS_AT_ONCE,
  readLimits,
  readTimeOrNull,
  writeAll,
  writeLimits,
  writePage,
  writeTime,
  writeTimeOrNull,
} from './csv.ts';
import {
  type DryRun,
  dryRunHold,
  estimateShortCall,
  explainKeyLimits,
  explainModelLimits,
  explainPrice,
  type Funds,
  listOf,
  rangeOfShortCall,
  readFunds,
  writeCap,
  writeSubscription,
} from './explanations.ts';
import { auditOf, changeOf, type Operations } from './operations.ts';
import { judge, operationsOf, principalOf } from './verdict.ts';

function keyState({ revokedAt, expiresAt, account }: KeyRecord, now: number): Key['state'] {
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
    created_by: record.madeBy,
  };
}

export async function writeListedKeys(
  { activity }: Pick<Operations, 'activity'>,
  records: readonly KeyRecord[],
  now: number,
): Promise<ListedKey[]> {
  const uses = await readKeyUse(
    activity.ask,
    records.map(({ id }) => id),
    now,
  );
  return records.map((record) => {
    const { lastUsed = null, charged = 0n, capUsed = null } = uses.get(record.id) ?? {};
    const use = {
      last_used_at: writeTimeOrNull(lastUsed),
      charged_30d: formatDollars(charged),
      cap_used: capUsed === null ? null : formatDollars(capUsed),
    };
    return { ...writeKey(record, now), use };
  });
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
    throw invalid(`ip_ranges[${wrong}]`, `'${shown(ranges[wrong] ?? '')}' isn't an IP address or a range such as 192.0.2.0/24.`);
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
  if (expiresAt && Date.parse(expiresAt) <= now) throw invalid('expires_at', "'expires_at' must be in the future.");
}

type KeyFilters = z.infer<typeof keyRoutes.exportKeys.query>;

export function keyHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof keyRoutes> {
  const { access, activity, now } = operations;
  const { store } = access;
  const issuerFor = ({ actor, session }: FastifyRequest): Issuer => ({ ...access, now, actor, session: session?.id });

  const findKey = async (id: string): Promise<KeyRecord> => {
    const record = await store.findKeyById(id);
    if (record) return record;
    throw missing('key_id', `Key '${shown(id)}' not found.`);
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
      return ok({ ...page, data: await writeListedKeys(operations, page.data, now()) });
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
      // One record makes one entry.
      const [listed] = await writeListedKeys(operations, [await findKey(params.key_id)], now());
      return ok(listed as ListedKey);
    },

    async editKey({ request, params, body, ok }) {
      const before = await keyOf(params.key_id);
      const { id } = before;
      const details = changeOf(body, before);
      await store.editKey(id, readSettings(body), auditOf(operations, request, { action: 'key.edit', target: id, details }));
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
      throw conflict(
        rotated.kind === 'replaced' ? `This key was replaced by ${replacedBy}. Rotate that key instead.` : 'This key is revoked.',
      );
    },

    async revokeKey({ request, params, ok }) {
      const { id } = await findKey(params.key_id);
      await store.revokeKey(id, auditOf(operations, request, { action: 'key.revoke', target: id, details: {} }));
      return ok(await keyOf(id));
    },
  };
}

/** Facts that are the same for all models. */
interface AccessContext {
  readonly operations: Operations;
  readonly key: KeyRecord;
  readonly now: number;
  readonly funds: Funds | null;
  readonly prices: readonly PriceVersion[];
  readonly multiplier: string;
  readonly limits: readonly ExplainedLimit[];
}

async function explainAccess(operations: Operations, keyId: string): Promise<KeyAccess> {
  const context = await readAccessContext(operations, keyId);
  const { key, now, funds, limits } = context;
  const runs = await dryRuns(context);
  const models = operations.config.models.map((model) => explainModel(context, model, runs.get(model.id) ?? null));
  return {
    object: 'key_access',
    key: writeKey(key, now),
    group: key.account.group,
    balance: funds && writeBalance(key.account.id, funds.balance),
    spending_cap: funds && writeCap(key, funds.capLeft, now),
    subscription: funds && writeSubscription(funds.subscription, now),
    limits: [...limits],
    models: await Promise.all(models),
  };
}

async function readAccessContext(operations: Operations, keyId: string): Promise<AccessContext> {
  const { access, config, ledger } = operations;
  const now = operations.now();
  const key = await access.store.findKeyById(keyId);
  if (!key) throw missing('key_id', `Key '${shown(keyId)}' not found.`);
  const funds = ledger && (await readFunds(ledger, key, now));
  const prices = ledger ? await pricesNow(operations) : [];
  const multiplier = config.groups[key.account.group]?.multiplier ?? '1';
  return { operations, key, now, funds, prices, multiplier, limits: await explainKeyLimits(operations, key) };
}

async function explainModel(context: AccessContext, model: Model, dryRun: DryRun | null): Promise<KeyAccess['models'][number]> {
  const { operations, key, now, funds, prices, multiplier, limits } = context;
  const isGroupKnown = Object.hasOwn(operations.config.groups, key.account.group);
  const price = pickPrice(prices, listOf(funds), model.id);
  const own = await explainModelLimits(operations, model, key.account.id);
  const facts = { key, model, operation: undefined, price, funds, dryRun, limits: [...limits, ...own], isGroupKnown, now };
  const verdict = judge(facts);
  return {
    id: model.id,
    kind: model.kind,
    allowed: verdict.rule === null,
    ...verdict,
    operations: operationsOf(key, model),
    price: price ? explainPrice(price, multiplier) : null,
    limits: own,
  };
}

/** By the id of the model, of those that the key may call. When the money pays for the dearest, it pays for each: one question for all. */
async function dryRuns(context: AccessContext): Promise<ReadonlyMap<string, DryRun | null>> {
  const { ledger } = context.operations;
  const orders = ledger ? ordersOf(context).toSorted((one, other) => (one.least < other.least ? 1 : -1)) : [];
  const [dearest, ...rest] = orders;
  if (!ledger || !dearest) return new Map();
  const first = await estimateShortCall(ledger, dearest);
  if (first === null || first.result.kind === 'held') return new Map();
  const others = await Promise.all(rest.map(async (order) => [order.model.id, await estimateShortCall(ledger, order)] as const));
  return new Map([[dearest.model.id, first], ...others]);
}

function ordersOf({ operations, key, now, funds, prices, multiplier }: AccessContext) {
  if (!funds) return [];
  return operations.config.models.flatMap((model) => {
    const price = pickPrice(prices, listOf(funds), model.id);
    if (!price || !isForKind(price.prices, model.kind) || denialOf(principalOf(key), model, undefined) !== null) return [];
    const range = rangeOfShortCall({ model, price, multiplier });
    return range === null ? [] : [{ key, model, price, multiplier, funds, at: now, least: range.least }];
  });
}

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
    throw missing('key_id', `Admin key '${shown(id)}' not found.`);
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

/** Finds a key by the key itself or by its id. */
async function findKey({ access }: Operations, text: string): Promise<KeyRecord | undefined> {
  return isWellFormed(text) ? access.store.findKey(hashKey(text, access.pepper)) : access.store.findKeyById(text);
}

interface Question {
  readonly key: string;
  readonly model: string;
  readonly operation?: string | undefined;
}

export async function explain(operations: Operations, question: Question): Promise<Explanation> {
  const { config, ledger } = operations;
  const now = operations.now();
  const key = await findKey(operations, question.key);
  const model = config.models.find(({ id }) => id === question.model);
  const funds = ledger && key ? await readFunds(ledger, key, now) : null;
  const list = listOf(funds);
  const price = ledger && model ? await priceOf(operations, list, model.id) : undefined;
  const ofKey = key ? await explainKeyLimits(operations, key) : [];
  const ofModel = key && model ? await explainModelLimits(operations, model, key.account.id) : [];
  const limits = [...ofKey, ...ofModel];
  const isGroupKnown = key !== undefined && Object.hasOwn(config.groups, key.account.group);
  const multiplier = config.groups[key?.account.group ?? '']?.multiplier ?? '1';
  const dryRun =
    ledger && key && model && price && funds ? await dryRunHold(ledger, { key, model, price, multiplier, funds, at: now }) : null;
  const verdict = judge({ isGroupKnown, key, model, operation: question.operation, price, funds, dryRun, limits, now });
  return {
    object: 'explanation',
    allowed: verdict.rule === null,
    ...verdict,
    key: key ? writeKey(key, now) : null,
    group: key?.account.group ?? null,
    model: model ? { id: model.id, kind: model.kind, groups: [...model.groups] } : null,
    operations: key && model ? operationsOf(key, model) : [],
    price: price ? explainPrice(price, multiplier) : null,
    balance: key && funds ? writeBalance(key.account.id, funds.balance) : null,
    spending_cap: key && funds ? writeCap(key, funds.capLeft, now) : null,
    subscription: funds ? writeSubscription(funds.subscription, now) : null,
    output_limit: dryRun?.outputLimit ?? null,
    highest_output_limit: dryRun?.highestLimit ?? null,
    limits,
  };
}

export function explanationHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof explanationRoutes> {
  return {
    explainKey: async ({ params, ok }) => ok(await explainAccess(operations, params.key_id)),

    async explain({ body, ok }) {
      return ok(await explain(operations, body));
    },
  };
}
