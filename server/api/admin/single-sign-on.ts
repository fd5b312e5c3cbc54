/** Registers single sign-on for the console: the redirect to the identity provider, and the callback. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Claims, findRole, findSubject, getDisplayName } from '../../access/sessions/claims.ts';
import { clearFlowCookie, readCookie, readFlowCookie, writeCookie, writeFlowCookie } from '../../access/sessions/cookie.ts';
import { describeRejection, isUnreachable, openProvider, type Provider } from '../../access/sessions/oidc.ts';
import { findSession, LIFETIME_MS, openPersonSession, type SessionOptions } from '../../access/sessions/sessions.ts';
import { createSignInLimiter, type SignInCheck } from '../../access/sessions/sign-in.ts';
import { readSignInClient } from '../../access/sessions/sign-in-client.ts';
import { beginFlow, FLOW_LIFETIME_MS, isSameSecret, readFlow, type SignInFlow, UsedFlows } from '../../access/sessions/sign-in-flow.ts';
import type { Person } from '../../access/sessions/store.ts';
import { GatewayError, throwStoreDown } from '../../primitives/errors.ts';
import type { Operations } from './operations.ts';

const START_PATH = '/console/sign-in/oidc';

const CALLBACK_PATH = `${START_PATH}/callback`;

type OidcSettings = NonNullable<Operations['config']['admin']['oidc']>;

/** Why the sign-in page is shown again, sent as `#sign-in=`. Always a word of this list, and never text from the request. */
type SignInFailure = 'failed' | 'cancelled' | 'no_role' | 'unavailable' | 'too_many';

export function registerSingleSignOn(app: FastifyInstance, operations: Operations): void {
  const { access, sessions, now, config } = operations;
  const options: SessionOptions = { store: sessions, pepper: access.pepper, now };
  const getSignInRules = () => ({ trustedProxies: operations.config.server.trustedProxies });
  const limitSignIn = createSignInLimiter({ kind: 'console', store: access.store, now, rules: getSignInRules });
  const usedFlows = new UsedFlows();
  const { oidc, publicUrl } = config.admin;
  const provider = oidc && openProvider(oidc, now);
  const oidcSetup = oidc && provider && publicUrl !== undefined ? { oidc, provider, origin: new URL(publicUrl).origin } : undefined;

  app.get(START_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    // Another page gains nothing by sending a reader here: only the reader could be signed in, or signed out.
    if (oidcSetup === undefined || isCrossSite(request)) return redirectToConsole(reply);
    const { cookie, flow } = beginFlow(await findPreviousSessionId(request, options), { ...options, issuer: oidcSetup.oidc.issuer });
    const authorizationUrl = await oidcSetup.provider.getAuthorizationUrl(flow, oidcSetup.origin + CALLBACK_PATH).catch(() => undefined);
    if (authorizationUrl === undefined) return redirectToConsole(reply, 'unavailable');
    reply.header('set-cookie', writeFlowCookie(cookie, FLOW_LIFETIME_MS));
    return reply.redirect(authorizationUrl.href, 302);
  });

  app.get(CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    if (oidcSetup === undefined) return redirectToConsole(reply);
    const flow = readFlow(readFlowCookie(request.headers.cookie), { ...options, issuer: oidcSetup.oidc.issuer });
    const callbackUrl = new URL(oidcSetup.origin + CALLBACK_PATH);
    callbackUrl.search = new URL(request.url, oidcSetup.origin).search;
    const result: SignInResult = { reason: 'failed' };
    const person = await limitSignIn(request, () =>
      checkCallback({ flow, returned: callbackUrl, used: usedFlows, ended: result, ...oidcSetup }),
    ).catch((error: unknown) => {
      result.reason = toSignInFailure(error);
      return null;
    });
    if (flow && hasSameState(flow, callbackUrl)) reply.header('set-cookie', clearFlowCookie());
    if (person === null || flow === undefined) return redirectToConsole(reply, result.reason);
    await endPreviousSession(flow, operations);
    const { token } = await openPersonSession(person, options, readSignInClient(request.raw, getSignInRules().trustedProxies));
    reply.header('set-cookie', writeCookie('console', token, LIFETIME_MS.console));
    return redirectToConsole(reply);
  });
}

/** The URL is fixed, so that request data never decides where the browser goes. */
const redirectToConsole = (reply: FastifyReply, reason?: SignInFailure): FastifyReply =>
  reply.header('referrer-policy', 'no-referrer').redirect(reason === undefined ? '/console/' : `/console/#sign-in=${reason}`, 302);

const isCrossSite = ({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

/** Returns the session ID of the browser's cookie, so that the new sign-in ends that session. */
async function findPreviousSessionId({ headers }: FastifyRequest, options: SessionOptions): Promise<string | null> {
  const token = readCookie('console', headers.cookie);
  const session = token === undefined ? undefined : await findSession('console', token, options);
  return session?.id ?? null;
}

async function endPreviousSession({ earlier }: SignInFlow, { sessions, now }: Operations): Promise<void> {
  if (earlier === null) return;
  await sessions
    .end('console', earlier, { actor: 'system', action: 'session.end', target: earlier, details: { by: 'oidc' }, at: now() })
    .catch(throwStoreDown);
}

interface SignInResult {
  reason: SignInFailure;
}

interface CallbackContext {
  readonly flow: SignInFlow | undefined;
  readonly returned: URL;
  readonly used: UsedFlows;
  readonly oidc: OidcSettings;
  readonly provider: Provider;
  /** Receives the reason if the sign-in fails. */
  readonly ended: SignInResult;
}

const hasSameState = ({ state }: SignInFlow, { searchParams }: URL): boolean => isSameSecret(searchParams.get('state') ?? '', state);

/** Rejects if the provider is unreachable, because that isn't a failed attempt by the user. */
async function checkCallback({ flow, returned, used, oidc, provider, ended }: CallbackContext): Promise<SignInCheck<Person>> {
  const { issuer } = oidc;
  const rejectUnknown = (why: string): SignInCheck<Person> => ({ rejected: { actor: 'unknown', details: { by: 'oidc', issuer, why } } });
  if (flow === undefined || !hasSameState(flow, returned)) return rejectUnknown('state');
  if (!used.markUsed(flow)) return rejectUnknown('replayed');
  try {
    const check = identifyPerson(await provider.getClaims(flow, returned), oidc);
    if ('rejected' in check) ended.reason = 'no_role';
    return check;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const why = describeRejection(error);
    if (why === 'access_denied') ended.reason = 'cancelled';
    return rejectUnknown(why);
  }
}

function identifyPerson(claims: Claims, { issuer, roles }: OidcSettings): SignInCheck<Person> {
  const [subject, role, name] = [findSubject(claims), findRole(claims, roles), getDisplayName(claims)];
  if (subject !== undefined && role !== undefined) return { found: { issuer, subject, name, role } };
  return {
    rejected: { actor: subject === undefined ? 'unknown' : `oidc:${subject}`, details: { by: 'oidc', issuer, name, why: 'no_role' } },
  };
}

function toSignInFailure(error: unknown): SignInFailure {
  if (isUnreachable(error)) return 'unavailable';
  if (error instanceof GatewayError && error.code === 'rate_limit_exceeded') return 'too_many';
  throw error;
}
