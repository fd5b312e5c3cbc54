/** Protects sign-ins to the console and the portal: checks the origin, limits failed attempts, and returns the same response for every failure. */

import type { FastifyRequest } from 'fastify';
import type { CookieCode, SignInCode } from '../../../contract/portal/errors.ts';
import { GatewayError, throwStoreDown } from '../../primitives/errors.ts';
import type { AuditEntry } from '../../store/audit.ts';
import { getCallerAddress, toBlockList } from '../caller-address.ts';
import type { AccessStore } from '../store.ts';
import { rejectCrossOriginSignIn } from './cross-origin.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import type { SessionKind } from './store.ts';

interface SignInRules {
  /** The URL at which browsers reach the listener, if a proxy is in front. */
  readonly publicUrl?: string | undefined;
  readonly trustedProxies: readonly string[];
}

interface SignInOptions {
  readonly kind: SessionKind;
  readonly store: Pick<AccessStore, 'addAuditEntry'>;
  readonly now: () => number;
  /** Returns the active configuration. */
  readonly rules: () => SignInRules;
}

export type SignInCheck<T> = { readonly found: T } | { readonly rejected: { actor: string; details: AuditEntry['details'] } };

/** Runs a sign-in check and records a failure. Returns null after a failure. Throws `rate_limit_exceeded` while the address must wait. */
type SignInLimiter = <T extends object>(request: FastifyRequest, check: () => Promise<SignInCheck<T>>) => Promise<T | null>;

export function createSignInLimiter({ kind, store, now, rules }: SignInOptions): SignInLimiter {
  const failedSignIns = new FailedSignIns(now);
  return async (request, check) => {
    const address = getCallerAddress(request.raw, toBlockList(rules().trustedProxies)) ?? 'unknown';
    failedSignIns.acquire(address);
    const result = await check().catch((error: unknown) => {
      failedSignIns.release(address);
      throw error;
    });
    if ('found' in result) {
      failedSignIns.release(address);
      return result.found;
    }
    if (failedSignIns.recordFailure()) {
      const { actor, details } = result.rejected;
      await store
        .addAuditEntry({ actor, action: 'session.refuse', target: kind, details: { address, ...details }, at: now() })
        .catch(throwStoreDown);
    }
    return null;
  };
}

/** Runs a sign-in check. If it returns undefined, records the failure and throws `invalid_api_key`, the same for every reason. */
type SignInGuard = <T extends object>(request: FastifyRequest, check: () => Promise<T | undefined>) => Promise<T>;

const UNKNOWN_CALLER = { rejected: { actor: 'unknown', details: {} } };

export function createSignInGuard(options: SignInOptions): SignInGuard {
  const limitSignIn = createSignInLimiter(options);
  return async (request, check) => {
    rejectCrossOriginSignIn(request, options.rules().publicUrl);
    const identity = await limitSignIn(request, async () => {
      const candidate = await check();
      return candidate === undefined ? UNKNOWN_CALLER : { found: candidate };
    });
    if (identity === null) throw createSignInFailedError();
    return identity;
  };
}

const createSignInFailedError = (): GatewayError =>
  new GatewayError<SignInCode>('invalid_api_key', {
    message: 'Sign-in failed. The key or link is mistyped, already used, expired, or revoked.',
  });

/** The error for requests without a cookie or with an expired session. */
export const createSessionEndedError = (): GatewayError =>
  new GatewayError<CookieCode>('invalid_api_key', { message: "Your session has ended, or you haven't signed in. Sign in." });
