/** Who calls the operators' API: by the admin key of the header, or by the session of the cookie, which is checked as its key is, or stands for a person. */
import type { FastifyRequest } from 'fastify';
import type { AdminRole } from '../../contract/admin-roles.ts';
import { authenticateAdmin } from '../access/authenticate-admin.ts';
import { GatewayError, storeFailed } from '../errors.ts';
import { readCookie } from '../sessions/cookies.ts';
import { actorOf } from '../sessions/person.ts';
import { refuseOtherPages } from '../sessions/same-origin.ts';
import { findSession, type LiveSession } from '../sessions/sessions.ts';
import { notSignedIn } from '../sessions/sign-in.ts';
import type { Person } from '../sessions/store.ts';
import type { Operations } from './operations.ts';

export interface Caller {
  /** Id of the admin key, `oidc:` and the subject of a person, or `cli`. */
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
  const role = session && (await roleOfSession(session, operations));
  if (session === undefined || role === undefined) throw notSignedIn();
  refuseOtherPages(request, operations.config.admin.publicUrl);
  return { actor: actorOf(session), session, role };
}

/** Undefined when the key is revoked, or when people of that provider do not sign in here any more. */
async function roleOfSession({ keyId, person }: LiveSession, { access, config }: Operations): Promise<AdminRole | undefined> {
  if (person !== null) return isTrusted(person, config) ? person.role : undefined;
  const key = await access.store.findAdminKeyById(keyId).catch(storeFailed);
  return key?.revokedAt === null ? key.role : undefined;
}

export const isTrusted = ({ issuer }: Person, { admin }: Pick<Operations['config'], 'admin'>): boolean => admin.oidc?.issuer === issuer;

/** As `identify`, but null for somebody who sent no key and has no session: the sign-in page asks who it is for. */
export async function identifyIfAny(request: FastifyRequest, identifyCaller: (request: FastifyRequest) => Promise<Caller>) {
  try {
    return await identifyCaller(request);
  } catch (error) {
    const isNobody = error instanceof GatewayError && error.code === 'invalid_api_key' && request.headers.authorization === undefined;
    if (isNobody) return null;
    throw error;
  }
}
