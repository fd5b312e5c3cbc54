/** Who calls the operators' API: by the admin key of the header, or by the session of the cookie, which is checked as the key itself is. */
import type { FastifyRequest } from 'fastify';
import type { AdminRole } from '../../contract/admin-roles.ts';
import { authenticateAdmin } from '../access/authenticate-admin.ts';
import { storeFailed } from '../errors.ts';
import { readCookie } from '../sessions/cookies.ts';
import { refuseOtherPages } from '../sessions/same-origin.ts';
import { findSession, type LiveSession } from '../sessions/sessions.ts';
import { notSignedIn } from '../sessions/sign-in.ts';
import type { Operations } from './operations.ts';

export interface Caller {
  /** Id of the admin key, or `cli`. */
  readonly actor: string;
  /** Null: the call was made with the key itself. */
  readonly session: LiveSession | null;
  readonly role: AdminRole;
}

/** Rejects with `invalid_api_key`, with `permission_denied` for a call that another page made, or with `overloaded` when the store failed. */
export async function identify(request: FastifyRequest, operations: Operations): Promise<Caller> {
  const { authorization, cookie } = request.headers;
  const token = authorization === undefined ? readCookie('console', cookie) : undefined;
  if (token === undefined) {
    const { id, role } = await authenticateAdmin(authorization, operations.access);
    return { actor: id, session: null, role };
  }
  const { access, sessions, now } = operations;
  const session = await findSession('console', token, { store: sessions, pepper: access.pepper, now });
  const key = session && (await access.store.findAdminKeyById(session.keyId).catch(storeFailed));
  if (session === undefined || key === undefined || key.revokedAt !== null) throw notSignedIn();
  refuseOtherPages(request, operations.config.admin.publicUrl);
  return { actor: key.id, session, role: key.role };
}
