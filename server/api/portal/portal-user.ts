/** Identifies the portal user of a request: the session, and the key it stands for. */

import type { FastifyRequest } from 'fastify';
import { createAddressDeniedError, isActiveKey, isFromPermittedAddress } from '../../access/authenticate.ts';
import { toBlockList } from '../../access/caller-address.ts';
import { readCookie } from '../../access/sessions/cookie.ts';
import { rejectCrossOrigin } from '../../access/sessions/cross-origin.ts';
import { findSession, type KeySession, type SessionOptions } from '../../access/sessions/sessions.ts';
import { createSessionEndedError } from '../../access/sessions/sign-in.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { throwStoreDown } from '../../primitives/errors.ts';

export interface PortalUser {
  readonly session: KeySession;
  readonly key: KeyRecord;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user signed in to the portal. Null before that, and outside the portal. */
    portalUser: PortalUser | null;
  }
}

export const getSessionOptions = ({ access, sessions }: Gateway): SessionOptions => ({
  store: sessions,
  pepper: access.pepper,
  now: Date.now,
});

/** Throws `invalid_api_key` without a session. */
export function getPortalUser({ portalUser }: FastifyRequest): PortalUser {
  if (portalUser === null) throw createSessionEndedError();
  return portalUser;
}

/**
 * Rejects with `invalid_api_key` without a valid session. Rejects with `permission_denied` if the key can't be used from this address, or for a
 * cross-origin request.
 */
export async function identifyPortalUser(request: FastifyRequest, gateway: Gateway): Promise<PortalUser> {
  const token = readCookie('portal', request.headers.cookie);
  const options = getSessionOptions(gateway);
  const session = token === undefined ? undefined : await findSession('portal', token, options);
  if (session === undefined || session.keyId === null) throw createSessionEndedError();
  const key = await gateway.access.store.findKeyById(session.keyId).catch(throwStoreDown);
  if (key === undefined || !isActiveKey(key, options.now())) throw createSessionEndedError();
  if (!isAllowedAddress(key, request, gateway)) throw createAddressDeniedError();
  rejectCrossOrigin(request, gateway.config.server.publicUrl);
  return { session, key };
}

export function isAllowedAddress(key: KeyRecord, { raw }: FastifyRequest, { config }: Gateway): boolean {
  return isFromPermittedAddress(key, raw, toBlockList(config.server.trustedProxies));
}
