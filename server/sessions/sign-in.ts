/** What guards a sign-in at the console and at the portal: where it comes from, how often it failed, and one answer for every failure. */
import type { FastifyRequest } from 'fastify';
import type { CookieCode, SignInCode } from '../../contract/portal-errors.ts';
import { callerAddress, openRanges } from '../access/address.ts';
import type { AccessStore } from '../access/store.ts';
import { GatewayError, storeFailed } from '../errors.ts';
import { refuseForeignSignIn } from './same-origin.ts';
import type { SessionKind } from './store.ts';
import { WrongSignIns } from './wrong-sign-ins.ts';

export interface SignInRules {
  /** The address by which browsers reach the listener, when a proxy is in front. */
  readonly publicUrl?: string | undefined;
  readonly trustedProxies: readonly string[];
}

export interface SignInParts {
  readonly kind: SessionKind;
  readonly store: Pick<AccessStore, 'note'>;
  readonly now: () => number;
  /** As the configuration says at the moment. */
  readonly rules: () => SignInRules;
}

/** Runs the check of what was sent; where that returns undefined, notes the failure and throws `invalid_api_key`, the same for every reason. */
export type GuardSignIn = <T>(request: FastifyRequest, check: () => Promise<T | undefined>) => Promise<T>;

export function openSignIn({ kind, store, now, rules }: SignInParts): GuardSignIn {
  const wrong = new WrongSignIns(now);
  return async (request, check) => {
    const { publicUrl, trustedProxies } = rules();
    refuseForeignSignIn(request, publicUrl);
    const address = callerAddress(request.raw, openRanges(trustedProxies)) ?? 'unknown';
    wrong.take(address);
    const found = await check().catch((error: unknown) => {
      wrong.giveBack(address);
      throw error;
    });
    if (found !== undefined) {
      wrong.giveBack(address);
      return found;
    }
    if (wrong.fail()) {
      const audit = { actor: 'unknown', action: 'session.refuse', target: kind, details: { address }, at: now() };
      await store.note(audit).catch(storeFailed);
    }
    throw failed();
  };
}

const failed = (): GatewayError =>
  new GatewayError<SignInCode>('invalid_api_key', {
    message: 'The sign-in failed: the key or the link is mistyped, used, expired or revoked.',
  });

/** For calls without a cookie, and with one whose session is over. */
export const notSignedIn = (): GatewayError =>
  new GatewayError<CookieCode>('invalid_api_key', { message: 'Sign in: there is no session, or it has ended.' });
