/** Sessions of the console in the operators' API: signing in and out, and ending those of others. */
import type { FastifyRequest } from 'fastify';
import type { Session, SignIn, sessionRoutes } from '../../contract/admin/session.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import { issueAdminKey } from '../access/issue.ts';
import { hashKey, isWellFormedAdmin } from '../access/keys.ts';
import type { AdminKeyRecord } from '../access/store.ts';
import { GatewayError, shown, storeFailed } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { clearCookie, readCookie, writeCookie } from '../sessions/cookies.ts';
import { actorOf } from '../sessions/person.ts';
import {
  findSession,
  isLive,
  LIFETIME_MS,
  type LiveSession,
  openSession,
  type SessionParts,
  takeSetupToken,
} from '../sessions/sessions.ts';
import { openSignIn } from '../sessions/sign-in.ts';
import { isTrusted } from './callers.ts';
import { auditOf, type Operations } from './operations.ts';
import { cutPage, missing, writeTime } from './values.ts';

/** The name of the admin key that a set-up link makes. Nobody knows that key: it is there to be seen in the list, and to be revoked. */
const SETUP_KEY_NAME = 'set-up link';

export function sessionHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof sessionRoutes> {
  const { access, sessions, now } = operations;
  const parts: SessionParts = { store: sessions, pepper: access.pepper, now };
  const rules = () => ({
    publicUrl: operations.config.admin.publicUrl,
    trustedProxies: operations.config.server.trustedProxies,
  });
  const guard = openSignIn({ kind: 'console', store: access.store, now, rules });
  return {
    async createSession({ request, reply, body, ok }) {
      refuseUnprotected(request, operations);
      const { key, by } = await guard(request, () => keyOf(body, operations, parts));
      await endEarlier(request, operations, parts);
      const { token, session } = await openSession({ kind: 'console', keyId: key.id, actor: key.id, by }, parts);
      reply.header('set-cookie', writeCookie('console', token, LIFETIME_MS.console));
      return ok(writeSession(session, key.name));
    },

    async getSession({ request, ok }) {
      const { actor, session, role } = request;
      const signIn = { oidc: operations.config.admin.oidc?.label ?? null };
      if (actor === '') return ok({ object: 'caller', actor: null, name: null, role: null, session: null, sign_in: signIn });
      const name = session?.person?.name ?? (await access.store.findAdminKeyById(actor))?.name ?? null;
      return ok({ object: 'caller', actor, name, role, session: session && writeSession(session, name ?? ''), sign_in: signIn });
    },

    async endSession({ request, reply, ok }) {
      const { session } = request;
      reply.header('set-cookie', clearCookie('console'));
      if (session) await sessions.end('console', session.id, auditOf(operations, request, endOf(session.id)));
      return ok({ object: 'ended_session', id: session?.id ?? null });
    },

    async listSessions({ query, ok }) {
      const names = new Map((await access.store.listAdminKeys()).map((key) => [key.id, key] as const));
      const live = (await sessions.list('console')).flatMap((record) => {
        if (!isLive(record, 'console', now())) return [];
        if (record.person !== null) return isTrusted(record.person, operations.config) ? [writeSession(record, record.person.name)] : [];
        const key = names.get(record.keyId);
        return key?.revokedAt === null ? [writeSession(record, key.name)] : [];
      });
      return ok(cutPage(live, query));
    },

    async revokeSession({ request, params, ok }) {
      const id = params.session_id;
      const hasEnded = await sessions.end('console', id, auditOf(operations, request, { ...endOf(id), action: 'session.revoke' }));
      if (!hasEnded) throw missing('session_id', `There is no session with the id '${shown(id)}'.`);
      return ok({ object: 'ended_session', id });
    },
  };
}

const endOf = (id: string) => ({ action: 'session.end', target: id, details: {} }) as const;

function writeSession(session: LiveSession, name: string): Session {
  const { id, createdAt, expiresAt } = session;
  return { id, object: 'session', actor: actorOf(session), name, created_at: writeTime(createdAt), expires_at: writeTime(expiresAt) };
}

/** The key that the session will stand for; undefined when there is none. */
async function keyOf(
  body: SignIn,
  { access, now }: Operations,
  parts: SessionParts,
): Promise<{ readonly key: Pick<AdminKeyRecord, 'id' | 'name'>; readonly by: string } | undefined> {
  if ('admin_key' in body) {
    if (!isWellFormedAdmin(body.admin_key)) return undefined;
    const key = await access.store.findAdminKey(hashKey(body.admin_key, access.pepper)).catch(storeFailed);
    return key?.revokedAt === null ? { key, by: 'key' } : undefined;
  }
  if ((await takeSetupToken('console', body.setup_token, parts)) === undefined) return undefined;
  const { id } = await issueAdminKey(SETUP_KEY_NAME, { ...access, now, role: 'admin' }).catch(storeFailed);
  return { key: { id, name: SETUP_KEY_NAME }, by: 'setup_link' };
}

/** A browser has one session: the one that it had before ends. */
async function endEarlier(request: FastifyRequest, { sessions, now }: Operations, parts: SessionParts): Promise<void> {
  const token = readCookie('console', request.headers.cookie);
  const earlier = token === undefined ? undefined : await findSession('console', token, parts);
  if (earlier) await sessions.end('console', earlier.id, { actor: actorOf(earlier), ...endOf(earlier.id), at: now() });
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** A key must not go over a network in plain text: the connection is on this machine, or the address of the console is HTTPS or on the reader's machine. */
function refuseUnprotected({ socket }: FastifyRequest, { config }: Operations): void {
  if (!config.pages.console) throw denied('The console is turned off on this gateway (pages.console).');
  const { publicUrl } = config.admin;
  const isProtected = publicUrl === undefined ? LOOPBACK.test(socket.localAddress ?? '127.0.0.1') : isSafe(new URL(publicUrl));
  if (!isProtected) throw denied(NEEDS_TLS);
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.test(hostname.replace(/^\[|\]$/g, '')) || hostname === 'localhost';

const NEEDS_TLS =
  'A browser would send the key in plain text here. Put TLS in front of the admin listener and set admin.publicUrl to its https address, or open the console on the machine of the gateway.';

const denied = (message: string): GatewayError => new GatewayError<AnyAdminCode>('permission_denied', { message });
