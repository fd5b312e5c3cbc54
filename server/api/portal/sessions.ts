/** Portal handlers for signing in and out, and for the session that the first page shows. */

import type { FastifyRequest } from 'fastify';
import type { PortalContract, PortalSession, PortalSignIn } from '../../../contract/portal/index.ts';
import { isActiveKey } from '../../access/authenticate.ts';
import { hashKey, hasKeyFormat } from '../../access/key-format.ts';
import { clearCookie, readCookie, writeCookie } from '../../access/sessions/cookie.ts';
import { consumeSetupToken, findSession, LIFETIME_MS, openSession } from '../../access/sessions/sessions.ts';
import { createSignInGuard } from '../../access/sessions/sign-in.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { throwStoreDown } from '../../primitives/errors.ts';
import { writeBalance } from '../admin/accounts.ts';
import { fetchFunds, writeRemainingCaps, writeSubscription } from '../admin/funds.ts';
import { writeTime, writeTimeOrNull } from '../admin/times.ts';
import { getOrigin, trimBaseUrl } from '../http/origin.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { getPortalUser, getSessionOptions, isAllowedAddress, type PortalUser } from './portal-user.ts';

type SessionOperation = 'createSession' | 'getSession' | 'endSession';

export function createSessionHandlers(gateway: Gateway): ContractHandlers<PortalContract, SessionOperation> {
  const { access, sessions } = gateway;
  const options = getSessionOptions(gateway);
  const guardSignIn = createSignInGuard({ kind: 'portal', store: access.store, now: options.now, rules: () => gateway.config.server });
  return {
    async createSession({ request, reply, body, ok }) {
      const key = await guardSignIn(request, () => findSignInKey(body, request, gateway));
      await endPreviousSession(request, gateway);
      const by = 'key' in body ? 'key' : 'setup_link';
      const { token, session } = await openSession({ kind: 'portal', keyId: key.id, actor: key.id, by }, options);
      reply.header('set-cookie', writeCookie('portal', token, LIFETIME_MS.portal));
      return ok(await writeSession({ session, key }, request, gateway));
    },

    async getSession({ request, ok }) {
      return ok(await writeSession(getPortalUser(request), request, gateway));
    },

    async endSession({ request, reply, ok }) {
      const { session } = getPortalUser(request);
      await sessions.end('portal', session.id, toSessionEndAudit(session, options.now())).catch(throwStoreDown);
      reply.header('set-cookie', clearCookie('portal'));
      return ok({ object: 'ended_session', id: session.id });
    },
  };
}

const toSessionEndAudit = ({ id, keyId }: PortalUser['session'], at: number) => ({
  actor: keyId,
  action: 'session.end',
  target: id,
  details: {},
  at,
});

/** Finds the key for the new session. Undefined if no valid key can be used from this address. */
async function findSignInKey(body: PortalSignIn, request: FastifyRequest, gateway: Gateway): Promise<KeyRecord | undefined> {
  const key = await ('key' in body ? findKey(body.key, gateway) : findSetUpKey(body.setup_token, gateway));
  return key && isActiveKey(key, Date.now()) && isAllowedAddress(key, request, gateway) ? key : undefined;
}

async function findKey(key: string, { access: { store, pepper } }: Gateway): Promise<KeyRecord | undefined> {
  return hasKeyFormat(key) ? await store.findKey(hashKey(key, pepper)).catch(throwStoreDown) : undefined;
}

async function findSetUpKey(token: string, gateway: Gateway): Promise<KeyRecord | undefined> {
  const setupSession = await consumeSetupToken('portal', token, getSessionOptions(gateway));
  return setupSession?.keyId ? await gateway.access.store.findKeyById(setupSession.keyId).catch(throwStoreDown) : undefined;
}

/** A browser has only one session, so the earlier one ends. */
async function endPreviousSession({ headers }: FastifyRequest, gateway: Gateway): Promise<void> {
  const token = readCookie('portal', headers.cookie);
  const previousSession = token === undefined ? undefined : await findSession('portal', token, getSessionOptions(gateway));
  if (previousSession?.keyId)
    await gateway.sessions.end('portal', previousSession.id, toSessionEndAudit(previousSession, Date.now())).catch(throwStoreDown);
}

async function writeSession({ session, key }: PortalUser, request: FastifyRequest, gateway: Gateway): Promise<PortalSession> {
  const { server, pages } = gateway.config;
  const { publicUrl } = server;
  const { account } = key;
  return {
    id: session.id,
    object: 'portal_session',
    key: { id: key.id, name: key.name, last_four: key.lastFour, expires_at: writeTimeOrNull(key.expiresAt) },
    account: { id: account.id, name: account.name, group: account.group },
    ...(await writeSessionFunds(key, gateway)),
    issuer: pages.issuer ?? null,
    base_url: `${publicUrl === undefined ? getOrigin(request) : trimBaseUrl(publicUrl)}/v1`,
    created_at: writeTime(session.createdAt),
    expires_at: writeTime(session.expiresAt),
  };
}

async function writeSessionFunds(
  key: KeyRecord,
  { money }: Gateway,
): Promise<Pick<PortalSession, 'balance' | 'spending_caps' | 'subscription'>> {
  if (!money) return { balance: null, spending_caps: [], subscription: null };
  const now = Date.now();
  const funds = await fetchFunds(money.ledger, key, now).catch(throwStoreDown);
  return {
    balance: writeBalance(key.account.id, funds.balance),
    spending_caps: writeRemainingCaps(funds, now),
    subscription: writeSubscription(funds.subscription, now),
  };
}
