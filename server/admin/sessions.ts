/** Sessions of the console in the operators' API: signing in and out, and ending those of others. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../contract/admin/errors.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { AdminRole } from '../../contract/admin/roles.ts';
import type { Session, SignIn, sessionRoutes } from '../../contract/admin/session.ts';
import { authenticateAdmin, hashKey, isWellFormedAdmin } from '../access/authenticate.ts';
import { issueAdminKey } from '../access/issue.ts';
import type { AdminKeyRecord } from '../access/store.ts';
import { GatewayError, shown, storeFailed } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import {
  beginFlow,
  type Claims,
  FLOW_MS,
  type Flow,
  isSame,
  isUnreachable,
  nameOf,
  openProvider,
  type Provider,
  readFlow,
  roleOf,
  subjectOf,
  UsedFlows,
  whyRejected,
} from '../sessions/oidc.ts';
import {
  actorOf,
  clearCookie,
  clearFlowCookie,
  findSession,
  isLive,
  LIFETIME_MS,
  type LiveSession,
  openPersonSession,
  openSession,
  type Person,
  readCookie,
  readFlowCookie,
  rejectOtherPages,
  type SessionParts,
  takeSetupToken,
  writeCookie,
  writeFlowCookie,
} from '../sessions/sessions.ts';
import { type Checked, notSignedIn, openSignIn, openTries } from '../sessions/sign-in.ts';
import { cutPage, missing, writeTime } from './csv.ts';
import { auditOf, type Operations } from './operations.ts';

/** The name of the admin key that a setup link makes. Nobody knows that key: it is there to be seen in the list, and to be revoked. */
const SETUP_KEY_NAME = 'setup link';

export function sessionHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof sessionRoutes> {
  const { access, sessions, now } = operations;
  const parts: SessionParts = { store: sessions, pepper: access.pepper, now };
  const rules = () => ({
    publicUrl: operations.config.admin.publicUrl,
    trustedProxies: operations.config.server.trustedProxies,
  });
  const guard = openSignIn({ kind: 'console', store: access.store, now, rules });
  return {
    async createSession({ request, reply, body, ok }) {
      rejectUnprotected(request, operations);
      const { key, by } = await guard(request, () => keyOf(body, operations, parts));
      await endEarlier(request, operations, parts);
      const { token, session } = await openSession({ kind: 'console', keyId: key.id, actor: key.id, by }, parts);
      reply.header('set-cookie', writeCookie('console', token, LIFETIME_MS.console));
      return ok(writeSession(session, key.name));
    },

    async getSession({ request, ok }) {
      const { actor, session, role } = request;
      const signIn = { oidc: operations.config.admin.oidc?.label ?? null };
      if (actor === '') return ok({ object: 'caller', actor: null, name: null, role: null, session: null, sign_in: signIn });
      const name = session?.person?.name ?? (await access.store.findAdminKeyById(actor))?.name ?? null;
      return ok({ object: 'caller', actor, name, role, session: session && writeSession(session, name ?? ''), sign_in: signIn });
    },

    async endSession({ request, reply, ok }) {
      const { session } = request;
      reply.header('set-cookie', clearCookie('console'));
      if (session) await sessions.end('console', session.id, auditOf(operations, request, endOf(session.id)));
      return ok({ object: 'ended_session', id: session?.id ?? null });
    },

    async listSessions({ query, ok }) {
      const names = new Map((await access.store.listAdminKeys()).map((key) => [key.id, key] as const));
      const live = (await sessions.list('console')).flatMap((record) => {
        if (!isLive(record, 'console', now())) return [];
        if (record.person !== null) return isTrusted(record.person, operations.config) ? [writeSession(record, record.person.name)] : [];
        const key = names.get(record.keyId);
        return key?.revokedAt === null ? [writeSession(record, key.name)] : [];
      });
      return ok(cutPage(live, query));
    },

    async revokeSession({ request, params, ok }) {
      const id = params.session_id;
      const hasEnded = await sessions.end('console', id, auditOf(operations, request, { ...endOf(id), action: 'session.revoke' }));
      if (!hasEnded) throw missing('session_id', `Session '${shown(id)}' not found.`);
      return ok({ object: 'ended_session', id });
    },
  };
}

const endOf = (id: string) => ({ action: 'session.end', target: id, details: {} }) as const;

function writeSession(session: LiveSession, name: string): Session {
  const { id, createdAt, expiresAt } = session;
  return { id, object: 'session', actor: actorOf(session), name, created_at: writeTime(createdAt), expires_at: writeTime(expiresAt) };
}

/** The key that the session will stand for; undefined when there is none. */
async function keyOf(
  body: SignIn,
  { access, now }: Operations,
  parts: SessionParts,
): Promise<{ readonly key: Pick<AdminKeyRecord, 'id' | 'name'>; readonly by: string } | undefined> {
  if ('admin_key' in body) {
    if (!isWellFormedAdmin(body.admin_key)) return undefined;
    const key = await access.store.findAdminKey(hashKey(body.admin_key, access.pepper)).catch(storeFailed);
    return key?.revokedAt === null ? { key, by: 'key' } : undefined;
  }
  if ((await takeSetupToken('console', body.setup_token, parts)) === undefined) return undefined;
  const { id } = await issueAdminKey(SETUP_KEY_NAME, { ...access, now, role: 'admin' }).catch(storeFailed);
  return { key: { id, name: SETUP_KEY_NAME }, by: 'setup_link' };
}

/** A browser has one session: the one that it had before ends. */
async function endEarlier(request: FastifyRequest, { sessions, now }: Operations, parts: SessionParts): Promise<void> {
  const token = readCookie('console', request.headers.cookie);
  const earlier = token === undefined ? undefined : await findSession('console', token, parts);
  if (earlier) await sessions.end('console', earlier.id, { actor: actorOf(earlier), ...endOf(earlier.id), at: now() });
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** A key must not go over a network in plain text: the connection is on this machine, or the address of the console is HTTPS or on the reader's machine. */
function rejectUnprotected({ socket }: FastifyRequest, { config }: Operations): void {
  if (!config.pages.console) throw denied('The console is turned off on this gateway (pages.console).');
  const { publicUrl } = config.admin;
  const isProtected = publicUrl === undefined ? LOOPBACK.test(socket.localAddress ?? '127.0.0.1') : isSafe(new URL(publicUrl));
  if (!isProtected) throw denied(NEEDS_TLS);
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.test(hostname.replace(/^\[|\]$/g, '')) || hostname === 'localhost';

const NEEDS_TLS =
  "A browser would send the key in plain text. Put TLS in front of the admin listener and set admin.publicUrl to its https URL, or open the console on the gateway's machine.";

const denied = (message: string): GatewayError => new GatewayError<AnyAdminCode>('permission_denied', { message });

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
    await endEarlierOf(flow, operations);
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

/** Returns the session of the request's own cookie, so that a new sign-in replaces it. */
async function earlierOf({ headers }: FastifyRequest, parts: SessionParts): Promise<string | null> {
  const token = readCookie('console', headers.cookie);
  const session = token === undefined ? undefined : await findSession('console', token, parts);
  return session?.id ?? null;
}

async function endEarlierOf({ earlier }: Flow, { sessions, now }: Operations): Promise<void> {
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
  const unknown = (why: string): Checked<Person> => ({ rejected: { actor: 'unknown', details: { by: 'oidc', issuer, why } } });
  if (flow === undefined || !isOf(flow, returned)) return unknown('state');
  if (!used.use(flow)) return unknown('replayed');
  try {
    const checked = whoIs(await provider.claimsFor(flow, returned), oidc);
    if ('rejected' in checked) ended.reason = 'no_role';
    return checked;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    const why = whyRejected(error);
    if (why === 'access_denied') ended.reason = 'cancelled';
    return unknown(why);
  }
}

function whoIs(claims: Claims, { issuer, roles }: Settings): Checked<Person> {
  const [subject, role, name] = [subjectOf(claims), roleOf(claims, roles), nameOf(claims)];
  if (subject !== undefined && role !== undefined) return { found: { issuer, subject, name, role } };
  return {
    rejected: { actor: subject === undefined ? 'unknown' : `oidc:${subject}`, details: { by: 'oidc', issuer, name, why: 'no_role' } },
  };
}

function reasonOf(error: unknown): Reason {
  if (isUnreachable(error)) return 'unavailable';
  if (error instanceof GatewayError && error.code === 'rate_limit_exceeded') return 'too_many';
  throw error;
}

export interface Caller {
  /** Id of the admin key, `oidc:` and the subject of a person, or `cli`. */
  readonly actor: string;
  /** Null: the call was made with the key itself. */
  readonly session: LiveSession | null;
  readonly role: AdminRole;
}

/** Rejects with `invalid_api_key`, with `permission_denied` for a call that another page made, or with `overloaded` when the store failed. */
export async function identify(request: FastifyRequest, operations: Operations): Promise<Caller> {
  const { authorization, cookie } = request.headers;
  const token = authorization === undefined ? readCookie('console', cookie) : undefined;
  if (token === undefined) {
    const { id, role } = await authenticateAdmin(authorization, operations.access);
    return { actor: id, session: null, role };
  }
  const { access, sessions, now } = operations;
  const session = await findSession('console', token, { store: sessions, pepper: access.pepper, now });
  const role = session && (await roleOfSession(session, operations));
  if (session === undefined || role === undefined) throw notSignedIn();
  rejectOtherPages(request, operations.config.admin.publicUrl);
  return { actor: actorOf(session), session, role };
}

/** Undefined when the key is revoked, or when people of that provider do not sign in here any more. */
async function roleOfSession({ keyId, person }: LiveSession, { access, config }: Operations): Promise<AdminRole | undefined> {
  if (person !== null) return isTrusted(person, config) ? person.role : undefined;
  const key = await access.store.findAdminKeyById(keyId).catch(storeFailed);
  return key?.revokedAt === null ? key.role : undefined;
}

const isTrusted = ({ issuer }: Person, { admin }: Pick<Operations['config'], 'admin'>): boolean => admin.oidc?.issuer === issuer;

/** As `identify`, but null for somebody who sent no key and has no session: the sign-in page asks who it is for. */
export async function identifyIfAny(request: FastifyRequest, identifyCaller: (request: FastifyRequest) => Promise<Caller>) {
  try {
    return await identifyCaller(request);
  } catch (error) {
    const isNobody = error instanceof GatewayError && error.code === 'invalid_api_key' && request.headers.authorization === undefined;
    if (isNobody) return null;
    throw error;
  }
}
