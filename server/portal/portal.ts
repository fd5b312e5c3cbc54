/** Signing in and out at the portal, and what its first page shows. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../contract/index.ts';
import type { CostEstimate } from '../../contract/portal/estimate.ts';
import type { PortalContract, PortalSession, PortalSignIn } from '../../contract/portal/index.ts';
import { playgroundContract } from '../../contract/portal/playground.ts';
import { elsewhere, hashKey, isFromPermittedAddress, isInForce, isWellFormed, openRanges, principalOf } from '../access/authenticate.ts';
import type { KeyRecord } from '../access/store.ts';
import { writeBalance } from '../admin/accounts.ts';
import { writeTime, writeTimeOrNull } from '../admin/csv.ts';
import { readFunds, writeCap, writeSubscription } from '../admin/explanations.ts';
import { jsonBody } from '../dialects/wire/json-body.ts';
import { GatewayError, storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { setLimitHeaders } from '../http/answer.ts';
import { acceptJson, unpackBodies } from '../http/body.ts';
import { checkableBody, imageHandlers, openEntrance, textHandlers } from '../http/entrance.ts';
import { baseOf, trimBase } from '../http/routes/others.ts';
import { usageHandlers } from '../http/routes/reads.ts';
import { explainIssues, type HandlersOf, registrarOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/charge.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import type { Window } from '../limits/limiter.ts';
import { Admission } from '../request/admission.ts';
import { RequestContext } from '../request/context.ts';
import { type EstimatedRequest, estimateRequest } from '../request/pipeline.ts';
import {
  clearCookie,
  findSession,
  type KeySession,
  LIFETIME_MS,
  openSession,
  readCookie,
  rejectOtherPages,
  type SessionParts,
  takeSetupToken,
  writeCookie,
} from '../sessions/sessions.ts';
import { notSignedIn, openSignIn } from '../sessions/sign-in.ts';

type SessionName = 'createSession' | 'getSession' | 'endSession';

export function sessionHandlers(gateway: Gateway): HandlersOf<PortalContract, SessionName> {
  const { access, sessions } = gateway;
  const parts = sessionPartsOf(gateway);
  const guard = openSignIn({ kind: 'portal', store: access.store, now: parts.now, rules: () => gateway.config.server });
  return {
    async createSession({ request, reply, body, ok }) {
      const key = await guard(request, () => keyOf(body, request, gateway));
      await endEarlier(request, gateway);
      const by = 'key' in body ? 'key' : 'setup_link';
      const { token, session } = await openSession({ kind: 'portal', keyId: key.id, actor: key.id, by }, parts);
      reply.header('set-cookie', writeCookie('portal', token, LIFETIME_MS.portal));
      return ok(await writeSession({ session, key }, request, gateway));
    },

    async getSession({ request, ok }) {
      return ok(await writeSession(portalUserOf(request), request, gateway));
    },

    async endSession({ request, reply, ok }) {
      const { session } = portalUserOf(request);
      await sessions.end('portal', session.id, endOf(session, parts.now())).catch(storeFailed);
      reply.header('set-cookie', clearCookie('portal'));
      return ok({ object: 'ended_session', id: session.id });
    },
  };
}

const endOf = ({ id, keyId }: PortalUser['session'], at: number) => ({ actor: keyId, action: 'session.end', target: id, details: {}, at });

/** The key that the session will stand for; undefined if no valid key can be used from this address. */
async function keyOf(body: PortalSignIn, request: FastifyRequest, gateway: Gateway): Promise<KeyRecord | undefined> {
  const key = await ('key' in body ? findKey(body.key, gateway) : findSetUpKey(body.setup_token, gateway));
  return key && isInForce(key, Date.now()) && isHere(key, request, gateway) ? key : undefined;
}

async function findKey(key: string, { access: { store, pepper } }: Gateway): Promise<KeyRecord | undefined> {
  return isWellFormed(key) ? await store.findKey(hashKey(key, pepper)).catch(storeFailed) : undefined;
}

async function findSetUpKey(token: string, gateway: Gateway): Promise<KeyRecord | undefined> {
  const taken = await takeSetupToken('portal', token, sessionPartsOf(gateway));
  return taken?.keyId ? await gateway.access.store.findKeyById(taken.keyId).catch(storeFailed) : undefined;
}

/** A browser has one session: the one that it had before ends. */
async function endEarlier({ headers }: FastifyRequest, gateway: Gateway): Promise<void> {
  const token = readCookie('portal', headers.cookie);
  const earlier = token === undefined ? undefined : await findSession('portal', token, sessionPartsOf(gateway));
  if (earlier?.keyId) await gateway.sessions.end('portal', earlier.id, endOf(earlier, Date.now())).catch(storeFailed);
}

async function writeSession({ session, key }: PortalUser, request: FastifyRequest, gateway: Gateway): Promise<PortalSession> {
  const { publicUrl } = gateway.config.server;
  const { account } = key;
  return {
    id: session.id,
    object: 'portal_session',
    key: { id: key.id, name: key.name, last_four: key.lastFour, expires_at: writeTimeOrNull(key.expiresAt) },
    account: { id: account.id, name: account.name, group: account.group },
    ...(await writeMoney(key, gateway)),
    base_url: `${publicUrl === undefined ? baseOf(request) : trimBase(publicUrl)}/v1`,
    created_at: writeTime(session.createdAt),
    expires_at: writeTime(session.expiresAt),
  };
}

async function writeMoney(key: KeyRecord, { money }: Gateway): Promise<Pick<PortalSession, 'balance' | 'spending_cap' | 'subscription'>> {
  if (!money) return { balance: null, spending_cap: null, subscription: null };
  const now = Date.now();
  const { balance, capLeft, subscription: ruling } = await readFunds(money.ledger, key, now).catch(storeFailed);
  return {
    balance: writeBalance(key.account.id, balance),
    spending_cap: writeCap(key, capLeft, now),
    subscription: writeSubscription(ruling, now),
  };
}

export function estimateHandlers(gateway: Gateway): HandlersOf<PortalContract, 'estimateCost'> {
  return {
    async estimateCost({ request, reply, body: { operation, body }, ok }) {
      // A separate context, which isn't logged: no call is made.
      const call = new RequestContext(request.id, reply.raw);
      const { key } = portalUserOf(request);
      const available = await availableOf(gateway, key.account.id);
      call.admission = new Admission(gateway, call, principalOf(key));
      try {
        const { error } = contract[operation].body.safeParse(checkableBody(gateway, operation, body));
        if (error) throw explainIssues(error.issues, body);
        return ok({ ...writeEstimate(await estimateRequest(gateway, call, { operation, body: jsonBody(body) })), available });
      } catch (thrown) {
        if (!(thrown instanceof GatewayError) || isOurs(thrown)) throw thrown;
        return ok({
          object: 'cost_estimate',
          max_cost: null,
          available,
          output_limit: null,
          error: thrown.body.error,
          requests: null,
          tokens: null,
        });
      }
    },
  };
}

/** Not about the call: the store is down, or there is a bug. */
const isOurs = ({ code }: GatewayError): boolean => code === 'overloaded' || code === 'internal_error';

async function availableOf({ money }: Gateway, accountId: string): Promise<string | null> {
  if (!money) return null;
  const { balance, held } = (await money.ledger.balance(accountId).catch(storeFailed)) ?? { balance: 0n, held: 0n };
  return formatDollars(balance - held);
}

const writeEstimate = ({ money, windows }: EstimatedRequest): Omit<CostEstimate, 'available'> => ({
  object: 'cost_estimate',
  max_cost: money && formatDollars(money.most),
  output_limit: money?.outputLimit ?? null,
  error: null,
  requests: writeLeft(windows.requests),
  tokens: writeLeft(windows.tokens),
});

const writeLeft = (window: Window | null): CostEstimate['requests'] =>
  window && { limit: window.limit, remaining: window.remaining, reset_ms: Math.ceil(window.resetMs) };

interface PortalUser {
  readonly session: KeySession;
  readonly key: KeyRecord;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has signed in at the portal; null before that, and elsewhere. */
    portalUser: PortalUser | null;
  }
}

const sessionPartsOf = ({ access, sessions }: Gateway): SessionParts => ({
  store: sessions,
  pepper: access.pepper,
  now: Date.now,
});

/** Throws `invalid_api_key` without a session. */
export function portalUserOf({ portalUser }: FastifyRequest): PortalUser {
  if (portalUser === null) throw notSignedIn();
  return portalUser;
}

/** Rejects with `invalid_api_key`, with `permission_denied` from an address that the key can't be used from, or for a call of another page. */
export async function identifyPortalUser(request: FastifyRequest, gateway: Gateway): Promise<PortalUser> {
  const token = readCookie('portal', request.headers.cookie);
  const parts = sessionPartsOf(gateway);
  const session = token === undefined ? undefined : await findSession('portal', token, parts);
  if (session === undefined || session.keyId === null) throw notSignedIn();
  const key = await gateway.access.store.findKeyById(session.keyId).catch(storeFailed);
  if (key === undefined || !isInForce(key, parts.now())) throw notSignedIn();
  if (!isHere(key, request, gateway)) throw elsewhere();
  rejectOtherPages(request, gateway.config.server.publicUrl);
  return { session, key };
}

function isHere(key: KeyRecord, { raw }: FastifyRequest, { config }: Gateway): boolean {
  return isFromPermittedAddress(key, raw, openRanges(config.server.trustedProxies));
}

const registerPlaygroundRoutes = registrarOf(playgroundContract);

export async function mountPlayground(scope: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  const { development: checkAnswers, server } = gateway.config;
  acceptJson(scope);
  unpackBodies(scope);
  setLimitHeaders(scope);
  scope.addHook('onRoute', (route) => {
    if (route.url === playgroundContract.editImages.path) route.bodyLimit = server.uploadLimitBytes;
  });
  scope.addHook('onSend', async (_, reply) => {
    reply.header('cache-control', 'no-store, no-transform');
  });
  scope.addHook(
    'onRequest',
    openEntrance(gateway, bodyMemory, { identify: async (request) => principalOf((await identifyPortalUser(request, gateway)).key) }),
  );
  await registerPlaygroundRoutes(
    scope,
    { ...textHandlers(gateway), ...imageHandlers(gateway), getUsage: usageHandlers(gateway).getUsage },
    { checkAnswers },
  );
}
