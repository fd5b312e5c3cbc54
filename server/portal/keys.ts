/** Keys at the portal: the key owner lists those of his account, and makes, rotates and revokes some, never beyond what his own key may (decision 0029). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PortalMetadata } from '../../contract/portal/answers.ts';
import type { AnyPortalCode, PortalCode } from '../../contract/portal/errors.ts';
import { type PortalContract, portalContract } from '../../contract/portal/index.ts';
import type { PortalKeyList, PortalNewKey } from '../../contract/portal/keys.ts';
import type { PortalModel } from '../../contract/portal/reads.ts';
import {
  type Issuer,
  type MakerRules,
  makeKey,
  managedBy,
  mayManageKeys,
  type OwnKeyOrder,
  rotateKey,
  standardSelfService,
  withinMaker,
} from '../access/issue.ts';
import { denialOf } from '../access/permissions.ts';
import type { KeyRecord, LimitSetting } from '../access/store.ts';
import { conflict, cutPage, invalid, readLimits, readTimeOrNull } from '../admin/csv.ts';
import { type Funds, readFunds } from '../admin/explanations.ts';
import { checkFuture, checkRanges, writeKey } from '../admin/keys.ts';
import { denials, principalOf } from '../admin/verdict.ts';
import type { Model } from '../config/config.ts';
import { GatewayError, portalOperationOf, shown, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { acceptJson } from '../http/body.ts';
import { decimal, writeCatalogModel, writePrices } from '../http/routes/reads.ts';
import { type HandlersOf, registrarOf } from '../http/ts-rest.ts';
import { type Prices, timesMultiplier } from '../ledger/charge.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { LimitValue } from '../limits/limiter.ts';
import { readHandlers } from './account.ts';
import { estimateHandlers, identifyPortalUser, portalUserOf, sessionHandlers } from './portal.ts';

type KeyName = 'listKeys' | 'createKey' | 'rotateKey' | 'revokeKey';
type Managed = PortalKeyList['data'][number];

function keyHandlers(gateway: Gateway): HandlersOf<PortalContract, KeyName> {
  const { access } = gateway;
  const issuerFor = (request: FastifyRequest): Issuer => {
    const { session, key } = portalUserOf(request);
    return { ...access, now: Date.now, actor: key.id, session: session.id };
  };

  return {
    async listKeys({ request, query, ok }) {
      const own = await readOwn(gateway, request);
      const seen = own.mayManage ? own.keys : own.keys.filter(({ id }) => id === own.key.id);
      const made = own.keys.filter(({ madeBy, replacedBy, ...key }) => madeBy !== null && replacedBy === null && isAlive(key)).length;
      const { maxKeys, delegate } = own.selfService;
      return ok({
        ...cutPage(seen.map(own.write), query),
        may_create: own.mayManage && made < maxKeys,
        may_delegate: own.mayManage && delegate,
        made,
        max_keys: maxKeys,
      });
    },

    async createKey({ request, body, ok }) {
      const own = await readManaging(gateway, request);
      checkFuture(body.expires_at, Date.now());
      const settings = withinMaker(own.key, readOrder(body), { selfService: own.selfService, perKey: perKeyOf(gateway) });
      if ('param' in settings) throw invalid(settings.param, settings.message);
      const order = { ...settings, name: body.name, maker: own.key, most: own.selfService.maxKeys };
      const made = await makeKey(order, issuerFor(request)).catch(storeFailed);
      if (made.kind === 'made') return ok({ ...(await writeOne(gateway, request, made.id)), key: made.key });
      if (made.kind === 'maker_gone') throw conflict('Your key was revoked or replaced in the meantime.');
      throw conflict(
        `This account already has the maximum of ${own.selfService.maxKeys} self-service keys. Revoke one or ask your gateway administrator.`,
      );
    },

    async rotateKey({ request, params: { key_id: id }, body, ok }) {
      const { expiresAt, replacedBy } = await findManaged(gateway, request, id);
      const rotated = await rotateKey({ id, overlapMs: body.overlap_seconds * 1000, expiresAt }, issuerFor(request)).catch(storeFailed);
      if (rotated.kind === 'rotated') {
        const [after, replaces] = await Promise.all([writeOne(gateway, request, rotated.id), writeOne(gateway, request, id)]);
        return ok({ ...after, key: rotated.key, replaces });
      }
      throw conflict(
        rotated.kind === 'replaced' ? `This key was replaced by ${replacedBy}. Rotate that key instead.` : 'This key is revoked.',
      );
    },

    async revokeKey({ request, params: { key_id: id }, ok }) {
      await findManaged(gateway, request, id);
      const { session, key } = portalUserOf(request);
      const audit = { actor: key.id, action: 'key.revoke', target: id, details: { session: session.id }, at: Date.now() };
      await access.store.revokeKey(id, audit).catch(storeFailed);
      return ok(await writeOne(gateway, request, id));
    },
  };
}

function isAlive({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}

interface Own {
  readonly key: KeyRecord;
  /** All of the account. */
  readonly keys: readonly KeyRecord[];
  readonly mayManage: boolean;
  readonly selfService: typeof standardSelfService;
  readonly manages: (key: KeyRecord) => boolean;
  readonly write: (key: KeyRecord) => Managed;
}

async function readOwn({ access }: Gateway, request: FastifyRequest): Promise<Own> {
  const { key } = portalUserOf(request);
  const keys = await access.store.listKeys(key.account.id).catch(storeFailed);
  const mayManage = mayManageKeys(key);
  const isManaged = managedBy(key, keys);
  const manages = (one: KeyRecord): boolean => mayManage && isManaged(one);
  const write = (one: KeyRecord): Managed => ({ ...writeKey(one, Date.now()), is_own: one.id === key.id, may_manage: manages(one) });
  return { key, keys, mayManage, selfService: key.account.selfService ?? standardSelfService, manages, write };
}

async function readManaging(gateway: Gateway, request: FastifyRequest): Promise<Own> {
  const own = await readOwn(gateway, request);
  if (own.mayManage) return own;
  const why =
    own.key.replacedBy === null
      ? "This key can't manage keys. Ask your gateway administrator"
      : 'This key was replaced. Sign in with the new one';
  throw denied(`${why}.`);
}

/** A key of another account is answered like one that doesn't exist. */
async function findManaged(gateway: Gateway, request: FastifyRequest, id: string): Promise<KeyRecord> {
  const own = await readManaging(gateway, request);
  const key = own.keys.find((one) => one.id === id);
  if (!key)
    throw new GatewayError<AnyPortalCode>('not_found', { param: 'key_id', message: `Key '${shown(id)}' not found in this account.` });
  if (own.manages(key)) return key;
  throw denied('You can change only your own key and keys created with it. Ask your gateway administrator to change this one.');
}

const denied = (message: string): GatewayError => new GatewayError<PortalCode<'createKey'>>('permission_denied', { message });

/** Read again: the change may have been of the own key. */
async function writeOne(gateway: Gateway, request: FastifyRequest, id: string): Promise<Managed> {
  const { key, keys, write } = await readOwn(gateway, request);
  return write(keys.find((one) => one.id === id) ?? key);
}

/** Read for each key: a reload may have replaced the configuration. */
function perKeyOf({ config }: Gateway): MakerRules['perKey'] {
  const { requestsPerMinute, tokensPerMinute, concurrency } = config.limits.perKey;
  const settingOf = (written: LimitValue | null | undefined): LimitSetting | null =>
    written === null || written === undefined ? null : typeof written === 'number' ? { limit: written, mode: 'enforce' } : written;
  return {
    requestsPerMinute: settingOf(requestsPerMinute),
    tokensPerMinute: settingOf(tokensPerMinute),
    concurrency: settingOf(concurrency),
  };
}

function readOrder({ permissions, ip_ranges: ipRanges, limits, expires_at: expiresAt }: PortalNewKey): OwnKeyOrder {
  if (ipRanges) checkRanges(ipRanges);
  const { operations, models, may_store: mayStore, manage_keys: manageKeys } = permissions ?? {};
  return {
    permissions: {
      ...(operations !== undefined && { operations }),
      ...(models !== undefined && { models }),
      ...(mayStore !== undefined && { mayStore }),
      ...(manageKeys !== undefined && { manageKeys }),
    },
    ...(ipRanges !== undefined && { ipRanges }),
    ...(limits !== undefined && { limits: readLimits(limits) }),
    ...(expiresAt !== undefined && { expiresAt: readTimeOrNull(expiresAt) }),
  };
}

function modelHandlers(gateway: Gateway): HandlersOf<PortalContract, 'listModels'> {
  return {
    async listModels({ request, ok }) {
      const { key } = portalUserOf(request);
      const { money } = gateway;
      const funds = money ? await readFunds(money.ledger, key, Date.now()).catch(storeFailed) : null;
      return ok({ object: 'list', data: gateway.catalog.list().map((model) => writeFor(gateway, model, { key, funds })) });
    },
  };
}

interface Buyer {
  readonly key: KeyRecord;
  /** Null if billing is off. */
  readonly funds: Funds | null;
}

function writeFor(gateway: Gateway, model: Model, { key, funds }: Buyer): PortalModel {
  const { groups: _, ...shown } = writeCatalogModel(gateway, model);
  const list = funds?.subscription && !funds.subscription.isOver ? funds.subscription.record.priceList : STANDARD;
  const prices = gateway.money?.prices.find(list, model.id)?.prices;
  const multiplier = gateway.config.groups[key.account.group]?.multiplier ?? '1';
  const refusal = refusalOf(model, prices, { key, funds });
  return {
    ...shown,
    prices: prices ? writePrices(prices) : null,
    multiplier: decimal(multiplier),
    effective: prices ? writePrices(timesMultiplier(prices, multiplier)) : null,
    callable: refusal === null,
    rule: refusal?.rule ?? null,
    reason: refusal?.reason ?? null,
  };
}

interface Refusal {
  readonly rule: string;
  readonly reason: string;
}

/** The order of a call: permissions, price, cap, plan, balance (docs/lifecycle.md). Limits of rate pass within a minute and are omitted. */
function refusalOf(model: Model, prices: Prices | undefined, { key, funds }: Buyer): Refusal | null {
  const denial = denialOf(principalOf(key), model);
  if (denial !== null) return { rule: denial === 'model' ? 'models' : denial, reason: denials[denial] };
  if (!funds) return null;
  if (!prices || (prices.kind !== 'free' && (prices.kind === 'images') !== (model.kind === 'image')))
    return { rule: 'no_price', reason: "The model has no price, so it can't be called." };
  return prices.kind === 'free' ? null : shortOfMoney(funds);
}

function shortOfMoney({ capLeft, subscription: ruling, balance }: Funds): Refusal | null {
  if (capLeft !== null && capLeft <= 0n) return { rule: 'spending_cap', reason: 'The spending cap of the key is used up.' };
  const isPlanSpent = ruling !== null && ruling.left <= 0n;
  if (ruling && !isPlanSpent) return null;
  if (ruling && ruling.record.onExhaustion !== 'balance')
    return { rule: 'subscription', reason: "The subscription is used up or has ended, and doesn't fall back to the balance." };
  return balance.balance - balance.held > 0n ? null : { rule: 'balance', reason: 'The balance of the account is used up.' };
}

/** These bodies are short, and are read before anybody is known. */
const BODY_LIMIT = 64 * 1024;

/** The body of a call is longer and comes from a signed-in user. */
const CALL_LIMIT = 1024 * 1024;

const registerPortalRoutes = registrarOf(portalContract);

export async function mountPortal(scope: FastifyInstance, gateway: Gateway): Promise<void> {
  acceptJson(scope);
  scope.decorateRequest('portalUser', null);
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = route.url === portalContract.estimateCost.path ? CALL_LIMIT : BODY_LIMIT;
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const operation = portalOperationOf(request);
    const metadata: PortalMetadata | null = operation && portalContract[operation].metadata;
    if (metadata?.isPublic !== true) request.portalUser = await identifyPortalUser(request, gateway);
  });
  const handlers = {
    ...sessionHandlers(gateway),
    ...readHandlers(gateway),
    ...modelHandlers(gateway),
    ...keyHandlers(gateway),
    ...estimateHandlers(gateway),
  };
  await registerPortalRoutes(scope, handlers, { checkAnswers: gateway.config.development, rejectsQueries: true });
}
