/** Who are you: the bearer key of a request → its Principal; the first step of every call under `/v1` (specification part 1). */
import { hash } from 'node:crypto';
import { GatewayError } from '../errors.ts';
import { hashKey, isWellFormed } from './keys.ts';
import type { Principal } from './principal.ts';
import type { AccessStore } from './store.ts';

export interface Authenticator {
  /**
   * At once where the key was seen lately, else after a look-up. Throws or rejects with `invalid_api_key` (one body for
   * every reason) or, where the store failed, `overloaded`.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>;
}

export interface AuthenticatorParts {
  readonly store: AccessStore;
  readonly pepper: Buffer;
  readonly now: () => number;
}

/** Another process may have revoked a key: after this time the store is asked again. Half of the promised two seconds, the rest is slack. */
const freshMs = 1_000;
/** Some 300 bytes each. */
const maxEntries = 10_000;

interface Entry {
  readonly principal: Principal;
  readonly expiresAt: number;
  readonly freshUntil: number;
  readonly askedAt: number;
}

export function openAuthenticator({ store, pepper, now }: AuthenticatorParts): Authenticator {
  // Keyed by a digest: no key stays in memory, and the time of a look-up tells nothing about a key that is nearly right.
  const seen = new Map<string, Entry>();

  const lookUp = async (key: string, digest: string): Promise<Principal> => {
    const askedAt = now();
    const record = await store.findKey(hashKey(key, pepper)).catch(storeFailed);
    seen.delete(digest);
    if (record === undefined || record.revokedAt !== null) throw refusal();
    const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY;
    if (now() >= expiresAt) throw refusal();
    const principal = Object.freeze({ keyId: record.id, accountId: record.accountId, keyName: record.name });
    if (seen.size >= maxEntries) forgetOldest(seen);
    seen.set(digest, { principal, expiresAt, freshUntil: askedAt + freshMs, askedAt });
    return principal;
  };

  return {
    authenticate(authorization) {
      const key = bearerKey(authorization);
      const digest = hash('sha256', key, 'hex');
      const entry = seen.get(digest);
      const time = now();
      // A clock that was set back makes an entry look fresh for too long.
      if (entry !== undefined && time < entry.freshUntil && time >= entry.askedAt) {
        if (time >= entry.expiresAt) throw refusal();
        return entry.principal;
      }
      if (!isWellFormed(key)) throw refusal();
      return lookUp(key, digest);
    },
  };
}

/** Longer than any key, so that nobody makes us hash a book. */
const maxHeaderLength = 200;

/** Exactly one token after the scheme, whose name has no case (RFC 9110, 11.1). */
function bearerKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization.length > maxHeaderLength) throw refusal();
  const token = /^bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw refusal();
  return token;
}

/** A map keeps the order of insertion, and a key in use is inserted anew each second: the first is the longest unused. */
function forgetOldest(seen: Map<string, Entry>): void {
  const oldest = seen.keys().next();
  if (!oldest.done) seen.delete(oldest.value);
}

function refusal(): GatewayError {
  return new GatewayError('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
}

/** A good key must not be called wrong because the store is down. */
function storeFailed(cause: unknown): never {
  throw new GatewayError('overloaded', { headers: { 'retry-after': '1' }, cause });
}
