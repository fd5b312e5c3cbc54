/** Identifies the caller of the admin API by an admin key or a session. */

import type { FastifyRequest } from 'fastify';
import type { AdminRole } from '../../../contract/admin/roles.ts';
import { authenticateAdmin } from '../../access/authenticate.ts';
import { readCookie } from '../../access/sessions/cookie.ts';
import { rejectCrossOrigin } from '../../access/sessions/cross-origin.ts';
import { findSession, getActor, type LiveSession } from '../../access/sessions/sessions.ts';
import { createSessionEndedError } from '../../access/sessions/sign-in.ts';
import type { Person } from '../../access/sessions/store.ts';
import { GatewayError, throwStoreDown } from '../../primitives/errors.ts';
import type { Operations } from './operations.ts';

export interface Caller {
  /** The admin key's ID, `oidc:` and a person's subject, or `cli`. */
  readonly actor: string;
  /** Null if the request was made with the key itself. */
  readonly session: LiveSession | null;
  readonly role: AdminRole;
}

/** Rejects with `invalid_api_key`, with `permission_denied` for a cross-origin request, or with `overloaded` if the store failed. */
export async function identifyCaller(request: FastifyRequest, operations: Operations): Promise<Caller> {
  const { authorization, cookie } = request.headers;
  const token = authorization === undefined ? readCookie('console', cookie) : undefined;
  if (token === undefined) {
    const { id, role } = await authenticateAdmin(authorization, operations.access);
    return { actor: id, session: null, role };
  }
  const { access, sessions, now } = operations;
  const session = await findSession('console', token, { store: sessions, pepper: access.pepper, now });
  const role = session && (await findSessionRole(session, operations));
  if (session === undefined || role === undefined) throw createSessionEndedError();
  rejectCrossOrigin(request, operations.config.admin.publicUrl);
  return { actor: getActor(session), session, role };
}

/** Undefined if the key is revoked, or if the person's provider is no longer configured. */
async function findSessionRole({ keyId, person }: LiveSession, { access, config }: Operations): Promise<AdminRole | undefined> {
  if (person !== null) return isTrusted(person, config) ? person.role : undefined;
  const key = await access.store.findAdminKeyById(keyId).catch(throwStoreDown);
  return key?.revokedAt === null ? key.role : undefined;
}

export const isTrusted = ({ issuer }: Person, { admin }: Pick<Operations['config'], 'admin'>): boolean => admin.oidc?.issuer === issuer;

/** Like `identifyCaller`, but null without a key or session: the sign-in page also requests who is signed in. */
export async function tryIdentifyCaller(request: FastifyRequest, identifyCaller: (request: FastifyRequest) => Promise<Caller>) {
  try {
    return await identifyCaller(request);
  } catch (error) {
    const isAnonymous = error instanceof GatewayError && error.code === 'invalid_api_key' && request.headers.authorization === undefined;
    if (isAnonymous) return null;
    throw error;
  }
}
