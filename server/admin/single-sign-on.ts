/** Single sign-on at the console (OpenID Connect): sends the browser to the identity provider, and opens a session for whom it names. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError, storeFailed } from '../errors.ts';
import { clearFlowCookie, readCookie, readFlowCookie, writeCookie, writeFlowCookie } from '../sessions/cookies.ts';
import { type Claims, nameOf, roleOf, subjectOf } from '../sessions/oidc-claims.ts';
import { beginFlow, FLOW_MS, type Flow, isSame, readFlow, UsedFlows } from '../sessions/oidc-flow.ts';
import { openProvider, type Provider } from '../sessions/oidc-provider.ts';
import { isUnreachable, whyRefused } from '../sessions/oidc-refusals.ts';
import { findSession, LIFETIME_MS, openPersonSession, type SessionParts } from '../sessions/sessions.ts';
import { type Checked, openTries } from '../sessions/sign-in.ts';
import type { Person } from '../sessions/store.ts';
import type { Operations } from './operations.ts';

const START = '/console/sign-in/oidc';
const CALLBACK = `${START}/callback`;
type Settings = NonNullable<Operations['config']['admin']['oidc']>;

/** Why the sign-in page is shown again, behind `#sign-in=`: a word of this list, and nothing of what came. */
type Reason = 'failed' | 'cancelled' | 'no_role' | 'unavailable' | 'too_many';

export function registerSingleSignOn(app: FastifyInstance, operations: Operations): void {
  const { access, sessions, now, config } = operations;
  const parts: SessionParts = { store: sessions, pepper: access.pepper, now };
  const rules = () => ({ trustedProxies: operations.config.server.trustedProxies });
  const count = openTries({ kind: 'console', store: access.store, now, rules });
  const used = new UsedFlows();
  const { oidc, publicUrl } = config.admin;
  const provider = oidc && openProvider(oidc, now);
  const place = oidc && provider && publicUrl !== undefined ? { oidc, provider, origin: new URL(publicUrl).origin } : undefined;

  app.get(START, { exposeHeadRoute: false }, async (request, reply) => {
    // Another page gains nothing by sending a reader here: it would be the reader who signs in, or out of a session.
    if (place === undefined || isForeign(request)) return toConsole(reply);
    const { cookie, flow } = beginFlow(await earlierOf(request, parts), { ...parts, issuer: place.oidc.issuer });
    const address = await place.provider.addressFor(flow, place.origin + CALLBACK).catch(() => undefined);
    if (address === undefined) return toConsole(reply, 'unavailable');
    reply.header('set-cookie', writeFlowCookie(cookie, FLOW_MS));
    return reply.redirect(address.href, 302);
  });

  app.get(CALLBACK, { exposeHeadRoute: false }, async (request, reply) => {
    if (place === undefined) return toConsole(reply);
    const flow = readFlow(readFlowCookie(request.headers.cookie), { ...parts, issuer: place.oidc.issuer });
    const returned = new URL(place.origin + CALLBACK);
    returned.search = new URL(request.url, place.origin).search;
    const ended: Ended = { reason: 'failed' };
    const person = await count(request, () => check({ flow, returned, used, ended, ...place })).catch((error: unknown) => {
      ended.reason = reasonOf(error);
      return null;
    });
    if (flow && isOf(flow, returned)) reply.header('set-cookie', clearFlowCookie());
    if (person === null || flow === undefined) return toConsole(reply, ended.reason);
    await endEarlier(flow, operations);
    const { token } = await openPersonSession(person, parts);
    reply.header('set-cookie', writeCookie('console', token, LIFETIME_MS.console));
    return toConsole(reply);
  });
}

/** The address is fixed: nothing that came decides where the browser goes. */
const toConsole = (reply: FastifyReply, reason?: Reason): FastifyReply =>
  reply.header('referrer-policy', 'no-referrer').redirect(reason === undefined ? '/console/' : `/console/#sign-in=${reason}`, 302);

const isForeign = ({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

/** Only the session that comes with the request: a browser has one. */
async function earlierOf({ headers }: FastifyRequest, parts: SessionParts): Promise<string | null> {
  const token = readCookie('console', headers.cookie);
  const session = token === undefined ? undefined : await findSession('console', token, parts);
  return session?.id ?? null;
}

async function endEarlier({ earlier }: Flow, { sessions, now }: Operations): Promise<void> {
  if (earlier === null) return;
  await sessions
    .end('console', earlier, { actor: 'system', action: 'session.end', target: earlier, details: { by: 'oidc' }, at: now() })
    .catch(storeFailed);
}

interface Ended {
  reason: Reason;
}

interface Callback {
  readonly flow: Flow | undefined;
  readonly returned: URL;
  readonly used: UsedFlows;
  readonly oidc: Settings;
  readonly provider: Provider;
  /** Told when it fails. */
  readonly ended: Ended;
}

const isOf = ({ state }: Flow, { searchParams }: URL): boolean => isSame(searchParams.get('state') ?? '', state);

/** Rejects where the provider cannot be reached: that is nobody's wrong try. */
async function check({ flow, returned, used, oidc, provider, ended }: Callback): Promise<Checked<Person>> {
  const { issuer } = oidc;
  const unknown = (why: string): Checked<Person> => ({ refused: { actor: 'unknown', details: { by: 'oidc', issuer, why } } });
  if (flow === undefined || !isOf(flow, returned)) return unknown('state');
  if (!used.use(flow)) return unknown('replayed');
  try {
    const checked = whoIs(await provider.claimsFor(flow, returned), oidc);
    if ('refused' in checked) ended.reason = 'no_role';
    return checked;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const why = whyRefused(error);
    if (why === 'access_denied') ended.reason = 'cancelled';
    return unknown(why);
  }
}

function whoIs(claims: Claims, { issuer, roles }: Settings): Checked<Person> {
  const [subject, role, name] = [subjectOf(claims), roleOf(claims, roles), nameOf(claims)];
  if (subject !== undefined && role !== undefined) return { found: { issuer, subject, name, role } };
  return {
    refused: { actor: subject === undefined ? 'unknown' : `oidc:${subject}`, details: { by: 'oidc', issuer, name, why: 'no_role' } },
  };
}

function reasonOf(error: unknown): Reason {
  if (isUnreachable(error)) return 'unavailable';
  if (error instanceof GatewayError && error.code === 'rate_limit_exceeded') return 'too_many';
  throw error;
}
