/** An identity provider: its discovery document, the address a browser is sent to, and the checked ID token for the code it comes back with. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Configuration, ServerMetadata } from 'openid-client';
import { type AdminRole, adminRoleNames } from '../../contract/admin/roles.ts';
import type { Pepper } from '../access/pepper.ts';

type Library = typeof import('openid-client');

/** Loaded with the first sign-in: a gateway without single sign-on never has it in memory. */
const load = (): Promise<Library> => import('openid-client');

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

export interface Provider {
  /** The discovery document. Rejects where the provider does not answer, or names itself otherwise than it is configured. */
  metadata(): Promise<ServerMetadata>;
  addressFor(flow: Flow, callback: string): Promise<URL>;
  /** `returned`: the callback with its query. Rejects unless state, issuer, code, nonce, audience, times and signature are right. */
  claimsFor(flow: Flow, returned: URL): Promise<Claims>;
}

/** Timeout of each request to the provider. */
const TIMEOUT_S = 5;
const KEPT_MS = 5 * 60_000;

export function openProvider(settings: ProviderSettings, now: () => number): Provider {
  const kept = keepFor(KEPT_MS, now, () => discover(settings));
  return {
    metadata: kept,
    async addressFor({ state, nonce, verifier }, callback) {
      const [library, metadata] = await Promise.all([load(), kept()]);
      return library.buildAuthorizationUrl(configure(library, settings, metadata), {
        redirect_uri: callback,
        response_type: 'code',
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async claimsFor({ state, nonce, verifier }, returned) {
      const [library, metadata] = await Promise.all([load(), kept()]);
      const tokens = await library.authorizationCodeGrant(configure(library, settings, metadata), returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return tokens.claims() ?? {};
    },
  };
}

async function discover(settings: ProviderSettings): Promise<ServerMetadata> {
  const library = await load();
  const { issuer, clientId, clientSecret } = settings;
  const found = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    ...(isPlain(issuer) && { execute: [library.allowInsecureRequests] }),
  });
  const metadata = found.serverMetadata();
  // The library lets some large providers name themselves otherwise, for any of their customers.
  if (metadata.issuer !== issuer)
    throw new Error(`The provider's issuer is ${metadata.issuer.slice(0, 200)}. admin.oidc.issuer must be the same.`);
  return structuredClone({ ...metadata });
}

/** Again for each sign-in: what the library remembers of the provider's keys would outlive their change. */
function configure(library: Library, settings: ProviderSettings, metadata: ServerMetadata): Configuration {
  const { clientId, clientSecret, issuer } = settings;
  // In the body where it may be: not every provider decodes the header as RFC 6749, 2.3.1 has it. Basic is what all take who say nothing.
  const takesBody = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
  const prove = takesBody ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
  const configuration = new library.Configuration(structuredClone(metadata), clientId, undefined, prove);
  configuration.timeout = TIMEOUT_S;
  // Without it the library trusts TLS for a token that comes from the provider itself.
  library.enableNonRepudiationChecks(configuration);
  if (isPlain(issuer)) library.allowInsecureRequests(configuration);
  return configuration;
}

/** The configuration allows it on this machine alone. */
const isPlain = (issuer: string): boolean => issuer.startsWith('http:');

/** Those who ask at the same time wait for the same answer; a failure is not kept. */
function keepFor<T>(keptMs: number, now: () => number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last && now() - last.at < keptMs && now() >= last.at) return last.value;
    const asked = { at: now(), value: read() };
    last = asked;
    asked.value.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.value;
  };
}

export const FLOW_MS = 10 * 60_000;
const MAX_USED = 10_000;
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
    if (this.#states.size >= MAX_USED && oldest !== undefined) this.#states.delete(oldest);
    this.#states.add(state);
    return true;
  }
}

export type Claims = Readonly<Record<string, unknown>>;

export interface RoleRules {
  readonly claim: string;
  readonly map: Readonly<Record<string, AdminRole>>;
}

const MAX_GROUPS = 10_000;

/** Undefined where no group of the person is in the map. */
export function roleOf(claims: Claims, { claim, map }: RoleRules): AdminRole | undefined {
  const found = claimOf(claims, claim);
  const groups = (Array.isArray(found) ? found.slice(0, MAX_GROUPS) : [found]).filter((group) => typeof group === 'string');
  // Own names only: a group called `constructor` is in no map.
  const roles = groups.flatMap((group) => (Object.hasOwn(map, group) ? [map[group]] : []));
  return adminRoleNames.findLast((role) => roles.includes(role));
}

/** By the whole name first: some providers put addresses with dots before their claims. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isFields(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims);
}

const isFields = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenID Connect Core 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const MAX_NAME = 100;

/** Undefined where the subject is none that can be kept. */
export function subjectOf({ sub }: Claims): string | undefined {
  return typeof sub === 'string' && SUBJECT.test(sub) ? sub : undefined;
}

/** Name for people: the first of these claims that the provider sends, on one line. */
export function nameOf(claims: Claims): string {
  const told = [claims.name, claims.preferred_username, claims.email, claims.sub].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return String(told)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
}

const TIMED_OUT: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/** No connection, no answer in time, or an answer from 500. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isNoConnection = error instanceof TypeError && error.message === 'fetch failed';
  return isNoConnection || TIMED_OUT.includes(codeOf(error)) || statusOf(error) >= 500;
}

const WORD = /^[a-z_]{1,40}$/;

/** `access_denied` and the like of the provider, or the check that failed, with the claim: `OAUTH_JWT_CLAIM_COMPARISON_FAILED aud`. */
export function whyRejected(error: unknown): string {
  const told = fieldOf(error, 'error');
  if (typeof told === 'string') return WORD.test(told) ? told : 'rejected';
  const claim = fieldOf(fieldOf(fieldOf(error, 'cause'), 'cause'), 'claim');
  const code = codeOf(error);
  return [typeof code === 'string' ? code : 'unknown', ...(typeof claim === 'string' && WORD.test(claim) ? [claim] : [])].join(' ');
}

const codeOf = (error: unknown): unknown => fieldOf(error, 'code');

function statusOf(error: unknown): number {
  const answer = fieldOf(error, 'cause');
  return answer instanceof Response ? answer.status : 0;
}

function fieldOf(value: unknown, name: string): unknown {
  // `as`: any object may be asked for a field.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
