/** Signing in and out at the portal, and what its first page shows. */
import type { FastifyRequest } from 'fastify';
import type { PortalContract, PortalSession, PortalSignIn } from '../../contract/portal.ts';
import { isInForce } from '../access/authenticate.ts';
import { hashKey, isWellFormed } from '../access/keys.ts';
import type { KeyRecord } from '../access/store.ts';
import { writeBalance } from '../admin/accounts.ts';
import { readFunds, writeCap, writeRuling } from '../admin/funds.ts';
import { writeTime, writeTimeOrNull } from '../admin/values.ts';
import { storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { baseOf, trimBase } from '../http/routes/base-url.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { clearCookie, readCookie, writeCookie } from '../sessions/cookies.ts';
import { findSession, LIFETIME_MS, openSession, takeSetupToken } from '../sessions/sessions.ts';
import { openSignIn } from '../sessions/sign-in.ts';
import { type Holder, holderOf, isHere, sessionPartsOf } from './holder.ts';

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
      return ok(await writeSession(holderOf(request), request, gateway));
    },

    async endSession({ request, reply, ok }) {
      const { session } = holderOf(request);
      await sessions.end('portal', session.id, endOf(session, parts.now())).catch(storeFailed);
      reply.header('set-cookie', clearCookie('portal'));
      return ok({ object: 'ended_session', id: session.id });
    },
  };
}

const endOf = ({ id, keyId }: Holder['session'], at: number) => ({ actor: keyId, action: 'session.end', target: id, details: {}, at });

/** The key that the session will stand for; undefined where there is none that works here and now. */
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

async function writeSession({ session, key }: Holder, request: FastifyRequest, gateway: Gateway): Promise<PortalSession> {
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
  const { balance, capLeft, ruling } = await readFunds(money.ledger, key, now).catch(storeFailed);
  return {
    balance: writeBalance(key.account.id, balance),
    spending_cap: writeCap(key, capLeft, now),
    subscription: writeRuling(ruling, now),
  };
}
