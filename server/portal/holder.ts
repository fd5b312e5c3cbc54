/** Whose session a call to the portal's API carries: the session of the cookie, and the key behind it, checked as in a call under `/v1`. */
import type { FastifyRequest } from 'fastify';
import { openRanges } from '../access/address.ts';
import { elsewhere, isFromPermittedAddress, isInForce } from '../access/authenticate.ts';
import type { KeyRecord } from '../access/store.ts';
import { storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { readCookie } from '../sessions/cookies.ts';
import { refuseOtherPages } from '../sessions/same-origin.ts';
import { findSession, type KeySession, type SessionParts } from '../sessions/sessions.ts';
import { notSignedIn } from '../sessions/sign-in.ts';

export interface Holder {
  readonly session: KeySession;
  readonly key: KeyRecord;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has signed in at the portal; null before that, and elsewhere. */
    holder: Holder | null;
  }
}

export const sessionPartsOf = ({ access, sessions }: Gateway): SessionParts => ({
  store: sessions,
  pepper: access.pepper,
  now: Date.now,
});

/** Throws `invalid_api_key` where nobody has signed in. */
export function holderOf({ holder }: FastifyRequest): Holder {
  if (holder === null) throw notSignedIn();
  return holder;
}

/** Rejects with `invalid_api_key`, with `permission_denied` from an address that the key may not be used from, or for a call of another page. */
export async function identifyHolder(request: FastifyRequest, gateway: Gateway): Promise<Holder> {
  const token = readCookie('portal', request.headers.cookie);
  const parts = sessionPartsOf(gateway);
  const session = token === undefined ? undefined : await findSession('portal', token, parts);
  if (session === undefined || session.keyId === null) throw notSignedIn();
  const key = await gateway.access.store.findKeyById(session.keyId).catch(storeFailed);
  if (key === undefined || !isInForce(key, parts.now())) throw notSignedIn();
  if (!isHere(key, request, gateway)) throw elsewhere();
  refuseOtherPages(request, gateway.config.server.publicUrl);
  return { session, key };
}

export function isHere(key: KeyRecord, { raw }: FastifyRequest, { config }: Gateway): boolean {
  return isFromPermittedAddress(key, raw, openRanges(config.server.trustedProxies));
}
