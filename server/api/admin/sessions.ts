/** Admin API handlers for console sessions: signing in and out, and ending other sessions. */

import type { FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../../contract/admin/errors.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { Session, SignIn, sessionRoutes } from '../../../contract/admin/session.ts';
import { issueAdminKey } from '../../access/issue-key.ts';
import { hasAdminKeyFormat, hashKey } from '../../access/key-format.ts';
import { clearCookie, readCookie, writeCookie } from '../../access/sessions/cookie.ts';
import {
  consumeSetupToken,
  findSession,
  getActor,
  isLive,
  LIFETIME_MS,
  type LiveSession,
  openSession,
  type SessionOptions,
} from '../../access/sessions/sessions.ts';
import { createSignInGuard } from '../../access/sessions/sign-in.ts';
import { readSignInClient } from '../../access/sessions/sign-in-client.ts';
import type { AdminKeyRecord } from '../../access/store.ts';
import { GatewayError, throwStoreDown, toPrintable } from '../../primitives/errors.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { createNotFoundError } from './errors.ts';
import { isTrusted } from './identify-caller.ts';
import { type Operations, toAuditEntry } from './operations.ts';
import { paginate } from './page.ts';
import { writeTime } from './times.ts';

/** The name of the admin key that a setup link creates. The key itself is discarded; it exists only to be listed and revoked. */
const SETUP_KEY_NAME = 'setup link';

export function createSessionHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof sessionRoutes> {
  const { access, sessions, now } = operations;
  const options: SessionOptions = { store: sessions, pepper: access.pepper, now };
  const getSignInRules = () => ({
    publicUrl: operations.config.admin.publicUrl,
    trustedProxies: operations.config.server.trustedProxies,
  });
  const guardSignIn = createSignInGuard({ kind: 'console', store: access.store, now, rules: getSignInRules });
  return {
    async createSession({ request, reply, body, ok }) {
      rejectUnprotectedConsole(request, operations);
      const { key, by } = await guardSignIn(request, () => findSignInKey(body, operations, options));
      await endPreviousSession(request, operations, options);
      const client = readSignInClient(request.raw, getSignInRules().trustedProxies);
      const { token, session } = await openSession({ kind: 'console', keyId: key.id, actor: key.id, by, client }, options);
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
      if (session) await sessions.end('console', session.id, toAuditEntry(operations, request, toSessionEndAudit(session.id)));
      return ok({ object: 'ended_session', id: session?.id ?? null });
    },

    async listSessions({ query, ok }) {
      const keysById = new Map((await access.store.listAdminKeys()).map((key) => [key.id, key] as const));
      const liveSessions = (await sessions.list('console')).flatMap((record) => {
        if (!isLive(record, 'console', now())) return [];
        if (record.person !== null) return isTrusted(record.person, operations.config) ? [writeSession(record, record.person.name)] : [];
        const key = keysById.get(record.keyId);
        return key?.revokedAt === null ? [writeSession(record, key.name)] : [];
      });
      return ok(paginate(liveSessions, query));
    },

    async revokeSession({ request, params, ok }) {
      const id = params.session_id;
      const hasEnded = await sessions.end(
        'console',
        id,
        toAuditEntry(operations, request, { ...toSessionEndAudit(id), action: 'session.revoke' }),
      );
      if (!hasEnded) throw createNotFoundError('session_id', `Session '${toPrintable(id)}' not found.`);
      return ok({ object: 'ended_session', id });
    },
  };
}

const toSessionEndAudit = (id: string) => ({ action: 'session.end', target: id, details: {} }) as const;

function writeSession(session: LiveSession, name: string): Session {
  const { id, createdAt, expiresAt, address, browser } = session;
  return {
    id,
    object: 'session',
    actor: getActor(session),
    name,
    address,
    browser,
    created_at: writeTime(createdAt),
    expires_at: writeTime(expiresAt),
  };
}

/** Finds the key for the new session. Undefined if the key or link is invalid. */
async function findSignInKey(
  body: SignIn,
  { access, now }: Operations,
  options: SessionOptions,
): Promise<{ readonly key: Pick<AdminKeyRecord, 'id' | 'name'>; readonly by: string } | undefined> {
  if ('admin_key' in body) {
    if (!hasAdminKeyFormat(body.admin_key)) return undefined;
    const key = await access.store.findAdminKey(hashKey(body.admin_key, access.pepper)).catch(throwStoreDown);
    return key?.revokedAt === null ? { key, by: 'key' } : undefined;
  }
  if ((await consumeSetupToken('console', body.setup_token, options)) === undefined) return undefined;
  const { id } = await issueAdminKey(SETUP_KEY_NAME, { ...access, now, role: 'admin' }).catch(throwStoreDown);
  return { key: { id, name: SETUP_KEY_NAME }, by: 'setup_link' };
}

/** A browser has only one session, so the earlier one ends. */
async function endPreviousSession(request: FastifyRequest, { sessions, now }: Operations, options: SessionOptions): Promise<void> {
  const token = readCookie('console', request.headers.cookie);
  const previousSession = token === undefined ? undefined : await findSession('console', token, options);
  if (previousSession)
    await sessions.end('console', previousSession.id, {
      actor: getActor(previousSession),
      ...toSessionEndAudit(previousSession.id),
      at: now(),
    });
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** A key must not cross a network in plain text. So the connection must be local, or the console's URL must be HTTPS or on the reader's machine. */
function rejectUnprotectedConsole({ socket }: FastifyRequest, { config }: Operations): void {
  if (!config.pages.console) throw createPermissionDeniedError('The console is turned off on this gateway (pages.console).');
  const { publicUrl } = config.admin;
  const isProtected = publicUrl === undefined ? LOOPBACK.test(socket.localAddress ?? '127.0.0.1') : isSecureUrl(new URL(publicUrl));
  if (!isProtected) throw createPermissionDeniedError(TLS_REQUIRED_MESSAGE);
}

const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.test(hostname.replace(/^\[|\]$/g, '')) || hostname === 'localhost';

const TLS_REQUIRED_MESSAGE =
  "A browser would send the key in plain text. Put TLS in front of the admin listener and set admin.publicUrl to its https URL, or open the console on the gateway's machine.";

const createPermissionDeniedError = (message: string): GatewayError => new GatewayError<AnyAdminCode>('permission_denied', { message });
