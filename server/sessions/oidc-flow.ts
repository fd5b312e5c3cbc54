/**
 * One sign-in at an identity provider, from the button to the callback: a signed cookie binds it to the browser that began it, and all of its
 * secrets are made from that cookie and the pepper, so that nothing is stored for somebody who is not known yet.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pepper } from '../access/pepper.ts';

export const FLOW_MS = 10 * 60_000;
const MOST_USED = 10_000;
/** The time in base 36, 32 random bytes, the session that the browser had, and the signature. */
const FORM = /^([0-9a-z]{8,10})\.([\w-]{43})\.(sess_[0-9a-f]{24}|-)\.([\w-]{43})$/;

export interface Flow {
  /** The session that the browser had when it began. Its cookie is `Strict`, so it does not come with the callback. */
  readonly earlier: string | null;
  /** Each is worth nothing without the pepper, which no cookie shows. */
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface FlowParts {
  readonly pepper: Pepper;
  /** A flow that began at one provider does not end at another. */
  readonly issuer: string;
  readonly now: () => number;
}

export function beginFlow(earlier: string | null, parts: FlowParts): { readonly cookie: string; readonly flow: Flow } {
  const content = `${parts.now().toString(36)}.${randomBytes(32).toString('base64url')}.${earlier ?? '-'}`;
  return { cookie: `${content}.${derive('cookie', content, parts)}`, flow: flowOf(content, earlier, parts) };
}

/** The flow of a cookie; undefined when it is not ours, too old, or of another provider. */
export function readFlow(cookie: string | undefined, parts: FlowParts): Flow | undefined {
  const [, time = '', random = '', earlier = '', signature = ''] = FORM.exec(cookie ?? '') ?? [];
  const content = `${time}.${random}.${earlier}`;
  if (!isSame(signature, derive('cookie', content, parts))) return undefined;
  const age = parts.now() - Number.parseInt(time, 36);
  return age >= 0 && age < FLOW_MS ? flowOf(content, earlier === '-' ? null : earlier, parts) : undefined;
}

const flowOf = (content: string, earlier: string | null, parts: FlowParts): Flow => ({
  earlier,
  state: derive('state', content, parts),
  nonce: derive('nonce', content, parts),
  verifier: derive('verifier', content, parts),
});

const derive = (use: string, content: string, { pepper, issuer }: FlowParts): string =>
  createHmac('sha256', pepper).update(`oidc ${use} ${content} ${issuer}`).digest('base64url');

/** Takes the same time wherever they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Flows that have come to their callback at this process: the second callback of one is a copy. */
export class UsedFlows {
  readonly #states = new Set<string>();

  /** False when it was used before. The oldest is forgotten first: its code is worth nothing at the provider either. */
  use({ state }: Flow): boolean {
    if (this.#states.has(state)) return false;
    const [oldest] = this.#states;
    if (this.#states.size >= MOST_USED && oldest !== undefined) this.#states.delete(oldest);
    this.#states.add(state);
    return true;
  }
}
