/**
 * Portal handlers for keys. Key owners list the keys of their account, and create, rotate, and revoke some, within the limits of their own key (decision
 * 0029).
 */

import type { FastifyRequest } from 'fastify';
import type { AnyPortalCode, PortalCode } from '../../../contract/portal/errors.ts';
import type { PortalContract } from '../../../contract/portal/index.ts';
import type { PortalKeyList, PortalNewKey } from '../../../contract/portal/keys.ts';
import { createChildKey, type Issuer, rotateKey } from '../../access/issue-key.ts';
import type { LimitSetting } from '../../access/limit-settings.ts';
import {
  type ChildKeyRules,
  createManagementCheck,
  defaultSelfService,
  mayManageKeys,
  type OwnKeyParams,
  resolveChildSettings,
} from '../../access/self-service.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { LimitValue } from '../../limits/limit-values.ts';
import { GatewayError, throwStoreDown, toPrintable } from '../../primitives/errors.ts';
import { readCaps } from '../admin/caps.ts';
import { createConflictError, createInvalidValueError } from '../admin/errors.ts';
import { checkFutureExpiry, checkIpRanges, writeKey, writeListedKeys } from '../admin/keys.ts';
import { readLimitSettings } from '../admin/limit-settings.ts';
import { paginate } from '../admin/page.ts';
import { readTimeOrNull } from '../admin/times.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { getPortalUser } from './portal-user.ts';

type KeyOperation = 'listKeys' | 'createKey' | 'rotateKey' | 'revokeKey';
type PortalKey = Omit<PortalKeyList['data'][number], 'use'>;

export function createKeyHandlers(gateway: Gateway): ContractHandlers<PortalContract, KeyOperation> {
  const { access } = gateway;
  const getIssuer = (request: FastifyRequest): Issuer => {
    const { session, key } = getPortalUser(request);
    return { ...access, now: Date.now, actor: key.id, session: session.id };
  };

  return {
    async listKeys({ request, query, ok }) {
      const own = await fetchOwnKeys(gateway, request);
      const visibleKeys = own.mayManage ? own.keys : own.keys.filter(({ id }) => id === own.key.id);
      const keyCount = own.keys.filter(({ madeBy, replacedBy, ...key }) => madeBy !== null && replacedBy === null && isUsable(key)).length;
      const { maxKeys, delegate } = own.selfService;
      const page = paginate(visibleKeys, query);
      const listedKeys = await writeListedKeys(gateway, page.data, Date.now());
      return ok({
        ...page,
        data: listedKeys.map((listedKey, index) => ({ ...listedKey, ...own.flag(page.data[index] ?? own.key) })),
        may_create: own.mayManage && keyCount < maxKeys,
        may_delegate: own.mayManage && delegate,
        count: keyCount,
        max_keys: maxKeys,
      });
    },

    async createKey({ request, body, ok }) {
      const ownKeys = await fetchManageableKeys(gateway, request);
      checkFutureExpiry(body.expires_at, Date.now());
      const settings = resolveChildSettings(ownKeys.key, readKeyParams(body), {
        selfService: ownKeys.selfService,
        perKey: getPerKeyLimits(gateway),
      });
      if ('param' in settings) throw createInvalidValueError(settings.param, settings.message);
      const newKey = { ...settings, name: body.name, maker: ownKeys.key, most: ownKeys.selfService.maxKeys };
      const made = await createChildKey(newKey, getIssuer(request)).catch(throwStoreDown);
      if (made.kind === 'made') return ok({ ...(await fetchPortalKey(gateway, request, made.id)), key: made.key });
      if (made.kind === 'maker_gone') throw createConflictError('Your key was revoked or replaced in the meantime.');
      throw createConflictError(
        `This account already has the maximum of ${ownKeys.selfService.maxKeys} self-service keys. Revoke one or ask your gateway administrator.`,
      );
    },

    async rotateKey({ request, params: { key_id: id }, body, ok }) {
      const { expiresAt, replacedBy } = await fetchManagedKey(gateway, request, id);
      const result = await rotateKey({ id, overlapMs: body.overlap_seconds * 1000, expiresAt }, getIssuer(request)).catch(throwStoreDown);
      if (result.kind === 'rotated') {
        const [newKey, replaces] = await Promise.all([fetchPortalKey(gateway, request, result.id), fetchPortalKey(gateway, request, id)]);
        return ok({ ...newKey, key: result.key, replaces });
      }
      throw createConflictError(
        result.kind === 'replaced' ? `This key was replaced by ${replacedBy}. Rotate that key instead.` : 'This key is revoked.',
      );
    },

    async revokeKey({ request, params: { key_id: id }, ok }) {
      await fetchManagedKey(gateway, request, id);
      const { session, key } = getPortalUser(request);
      const audit = { actor: key.id, action: 'key.revoke', target: id, details: { session: session.id }, at: Date.now() };
      await access.store.revokeKey(id, audit).catch(throwStoreDown);
      return ok(await fetchPortalKey(gateway, request, id));
    },
  };
}

function isUsable({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}

interface OwnKeys {
  readonly key: KeyRecord;
  /** All keys of the account. */
  readonly keys: readonly KeyRecord[];
  readonly mayManage: boolean;
  readonly selfService: typeof defaultSelfService;
  readonly manages: (key: KeyRecord) => boolean;
  readonly write: (key: KeyRecord) => PortalKey;
  readonly flag: (key: KeyRecord) => Pick<PortalKey, 'is_own' | 'may_manage'>;
}

async function fetchOwnKeys({ access }: Gateway, request: FastifyRequest): Promise<OwnKeys> {
  const { key } = getPortalUser(request);
  const keys = await access.store.listKeys(key.account.id).catch(throwStoreDown);
  const mayManage = mayManageKeys(key);
  const isManaged = createManagementCheck(key, keys);
  const canManage = (one: KeyRecord): boolean => mayManage && isManaged(one);
  const flag: OwnKeys['flag'] = (one) => ({ is_own: one.id === key.id, may_manage: canManage(one) });
  const write: OwnKeys['write'] = (one) => ({ ...writeKey(one, Date.now()), ...flag(one) });
  return { key, keys, mayManage, selfService: key.account.selfService ?? defaultSelfService, manages: canManage, write, flag };
}

async function fetchManageableKeys(gateway: Gateway, request: FastifyRequest): Promise<OwnKeys> {
  const ownKeys = await fetchOwnKeys(gateway, request);
  if (ownKeys.mayManage) return ownKeys;
  const reason =
    ownKeys.key.replacedBy === null
      ? "This key can't manage keys. Ask your gateway administrator"
      : 'This key was replaced. Sign in with the new one';
  throw createPermissionDeniedError(`${reason}.`);
}

/** Another account's key gets the same error as one that doesn't exist. */
async function fetchManagedKey(gateway: Gateway, request: FastifyRequest, id: string): Promise<KeyRecord> {
  const ownKeys = await fetchManageableKeys(gateway, request);
  const key = ownKeys.keys.find((one) => one.id === id);
  if (!key)
    throw new GatewayError<AnyPortalCode>('not_found', { param: 'key_id', message: `Key '${toPrintable(id)}' not found in this account.` });
  if (ownKeys.manages(key)) return key;
  throw createPermissionDeniedError(
    'You can change only your own key and keys created with it. Ask your gateway administrator to change this one.',
  );
}

const createPermissionDeniedError = (message: string): GatewayError =>
  new GatewayError<PortalCode<'createKey'>>('permission_denied', { message });

/** Reads everything again, because the change may affect the caller's own key. */
async function fetchPortalKey(gateway: Gateway, request: FastifyRequest, id: string): Promise<PortalKey> {
  const { key, keys, write } = await fetchOwnKeys(gateway, request);
  return write(keys.find((one) => one.id === id) ?? key);
}

/** Read for each key, because a reload may have replaced the configuration. */
function getPerKeyLimits({ config }: Gateway): ChildKeyRules['perKey'] {
  const { requestsPerMinute, tokensPerMinute, concurrency } = config.limits.perKey;
  const toLimitSetting = (value: LimitValue | null | undefined): LimitSetting | null =>
    value === null || value === undefined ? null : typeof value === 'number' ? { limit: value, mode: 'enforce' } : value;
  return {
    requestsPerMinute: toLimitSetting(requestsPerMinute),
    tokensPerMinute: toLimitSetting(tokensPerMinute),
    concurrency: toLimitSetting(concurrency),
  };
}

function readKeyParams({
  permissions,
  ip_ranges: ipRanges,
  limits,
  spending_caps: caps,
  expires_at: expiresAt,
}: PortalNewKey): OwnKeyParams {
  if (ipRanges) checkIpRanges(ipRanges);
  const { operations, models, may_store: mayStore, manage_keys: manageKeys } = permissions ?? {};
  return {
    permissions: {
      ...(operations !== undefined && { operations }),
      ...(models !== undefined && { models }),
      ...(mayStore !== undefined && { mayStore }),
      ...(manageKeys !== undefined && { manageKeys }),
    },
    ...(ipRanges !== undefined && { ipRanges }),
    ...(limits !== undefined && { limits: readLimitSettings(limits) }),
    ...(caps !== undefined && { caps: readCaps(caps) }),
    ...(expiresAt !== undefined && { expiresAt: readTimeOrNull(expiresAt) }),
  };
}
