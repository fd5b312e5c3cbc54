/** Keeps the state of a sign-in at an identity provider in a signed cookie, and accepts each state once. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pepper } from '../pepper.ts';

export const FLOW_LIFETIME_MS = 10 * 60_000;

const MAX_USED_STATES = 10_000;

/** The time in base 36, 32 random bytes, the browser's previous session ID or `-`, and the signature. */
const COOKIE_PATTERN = /^([0-9a-z]{8,10})\.([\w-]{43})\.(sess_[0-9a-f]{24}|-)\.([\w-]{43})$/;

export interface SignInFlow {
  /** The browser's previous session. Its cookie is `Strict`, so it isn't sent with the callback. */
  readonly earlier: string | null;
  /** These values are derived with the pepper, so the cookie doesn't reveal them. */
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface FlowOptions {
  readonly pepper: Pepper;
  /** A flow must end at the provider where it started. */
  readonly issuer: string;
  readonly now: () => number;
}

export function beginFlow(previousSessionId: string | null, options: FlowOptions): { readonly cookie: string; readonly flow: SignInFlow } {
  const content = `${options.now().toString(36)}.${randomBytes(32).toString('base64url')}.${previousSessionId ?? '-'}`;
  return { cookie: `${content}.${deriveToken('cookie', content, options)}`, flow: createFlow(content, previousSessionId, options) };
}

/** Returns the flow of a cookie, or undefined if it isn't ours, too old, or for another provider. */
export function readFlow(cookie: string | undefined, options: FlowOptions): SignInFlow | undefined {
  const [, time = '', random = '', previousSessionId = '', signature = ''] = COOKIE_PATTERN.exec(cookie ?? '') ?? [];
  const content = `${time}.${random}.${previousSessionId}`;
  if (!isSameSecret(signature, deriveToken('cookie', content, options))) return undefined;
  const age = options.now() - Number.parseInt(time, 36);
  return age >= 0 && age < FLOW_LIFETIME_MS
    ? createFlow(content, previousSessionId === '-' ? null : previousSessionId, options)
    : undefined;
}

const createFlow = (content: string, previousSessionId: string | null, options: FlowOptions): SignInFlow => ({
  earlier: previousSessionId,
  state: deriveToken('state', content, options),
  nonce: deriveToken('nonce', content, options),
  verifier: deriveToken('verifier', content, options),
});

const deriveToken = (purpose: string, content: string, { pepper, issuer }: FlowOptions): string =>
  createHmac('sha256', pepper).update(`oidc ${purpose} ${content} ${issuer}`).digest('base64url');

/** Compares in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Flows whose callback reached this process. A second callback of one is a replay. */
export class UsedFlows {
  readonly #states = new Set<string>();

  /** Returns false if the flow was used before. The oldest is forgotten first: the provider rejects its code as well. */
  markUsed({ state }: SignInFlow): boolean {
    if (this.#states.has(state)) return false;
    const [oldest] = this.#states;
    if (this.#states.size >= MAX_USED_STATES && oldest !== undefined) this.#states.delete(oldest);
    this.#states.add(state);
    return true;
  }
}
