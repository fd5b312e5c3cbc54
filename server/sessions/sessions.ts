/** Sessions of browsers: a random token in a cookie stands for a key or a person, kept as an HMAC only, and ends with its time, an idle hour, or its key. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type AdminRole, adminRoleNames } from '../../contract/admin/roles.ts';
import type { CookieCode } from '../../contract/portal/errors.ts';
import { CONSOLE_HEADER, cookieNames } from '../../contract/shared/browser.ts';
import type { Pepper } from '../access/pepper.ts';
import { GatewayError, storeFailed } from '../errors.ts';
import type { AuditEntry } from '../storage/audit.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** From the sign-in. */
export const LIFETIME_MS: Readonly<Record<SessionKind, number>> = { console: 8 * HOUR_MS, portal: 12 * HOUR_MS };
/** Between two calls. */
export const IDLE_MS = HOUR_MS;
const SETUP_MS = 15 * MINUTE_MS;
/** The last call is noted to the minute, so that a page that asks often does not write each time. */
const NOTED_MS = MINUTE_MS;
const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;

export interface SessionParts {
  readonly store: SessionStore;
  readonly pepper: Pepper;
  readonly now: () => number;
}

/** A session whose key is known. */
export type KeySession = SessionRecord & { readonly kind: SessionKind; readonly keyId: string; readonly person: null };
/** A session of somebody who signed in at an identity provider: of the console alone. */
type PersonSession = SessionRecord & { readonly kind: 'console'; readonly keyId: null; readonly person: Person };
export type LiveSession = KeySession | PersonSession;

interface Opened<Session extends LiveSession> {
  /** Token in plain text, which only the cookie contains. */
  readonly token: string;
  readonly session: Session;
}

interface Opening {
  readonly kind: SessionKind;
  readonly keyId: string;
  /** Who signs in, for the audit log. */
  readonly actor: string;
  /** How: `key` or `setup_link`. */
  readonly by: string;
}

/** Always with a new token: one that the browser had before is worth nothing afterwards. */
export async function openSession({ kind, keyId, actor, by }: Opening, parts: SessionParts): Promise<Opened<KeySession>> {
  const session = { ...newSession(parts.now(), LIFETIME_MS[kind]), kind, keyId, person: null };
  return { token: await addSession(session, { actor, details: { kind, by } }, parts), session };
}

/** The same for somebody whom an identity provider has named. */
export async function openPersonSession(person: Person, parts: SessionParts): Promise<Opened<PersonSession>> {
  const session = { ...newSession(parts.now(), LIFETIME_MS.console), kind: 'console', keyId: null, person } as const;
  const { issuer, name, role } = person;
  const noted = { actor: actorOf(session), details: { kind: 'console', by: 'oidc', issuer, name, role } };
  return { token: await addSession(session, noted, parts), session };
}

const newSession = (at: number, lifetimeMs: number) => ({ id: newSessionId(), createdAt: at, seenAt: at, expiresAt: at + lifetimeMs });

async function addSession(
  session: LiveSession,
  { actor, details }: Pick<AuditEntry, 'actor' | 'details'>,
  { store, pepper }: SessionParts,
): Promise<string> {
  const token = newToken();
  const audit = { actor, action: 'session.create', target: session.id, details, at: session.createdAt };
  await store.add({ ...session, hash: hashToken(token, pepper) }, audit).catch(storeFailed);
  return token;
}

/** The session of a token; undefined when it is unknown, of another kind, over, or idle. Notes the call. */
export async function findSession(
  kind: SessionKind,
  token: string,
  { store, pepper, now }: SessionParts,
): Promise<LiveSession | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const record = await store.find(hashToken(token, pepper)).catch(storeFailed);
  const at = now();
  if (record === undefined || !isLive(record, kind, at)) return undefined;
  if (at - record.seenAt >= NOTED_MS) await store.touch(record.id, at).catch(storeFailed);
  return record;
}

export function isLive(record: SessionRecord, kind: SessionKind, at: number): record is LiveSession {
  const hasHolder = record.keyId !== null ? record.person === null : record.person !== null && kind === 'console';
  return record.kind === kind && hasHolder && at < record.expiresAt && at < record.seenAt + IDLE_MS;
}

/** The token of a link that signs in once, within 15 minutes. `keyId`: null where the sign-in makes a key. */
export async function issueSetupToken(
  { kind, keyId }: { readonly kind: SessionKind; readonly keyId: string | null },
  { store, pepper, now }: SessionParts,
): Promise<string> {
  const [token, at] = [newToken(), now()];
  const session = { ...newSession(at, SETUP_MS), kind: `${kind}_setup`, keyId, person: null } as const;
  const audit: AuditEntry = { actor: 'system', action: 'setup_link.create', target: session.id, details: { kind }, at };
  await store.add({ ...session, hash: hashToken(token, pepper) }, audit);
  return token;
}

/** Takes the token away; undefined when it is unknown, used, or too old. */
export async function takeSetupToken(
  kind: SessionKind,
  token: string,
  { store, pepper, now }: SessionParts,
): Promise<SessionRecord | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const taken = await store.take(`${kind}_setup`, hashToken(token, pepper)).catch(storeFailed);
  return taken !== undefined && now() < taken.expiresAt ? taken : undefined;
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const newSessionId = (): string => `sess_${randomBytes(12).toString('hex')}`;

/** The prefix keeps these apart from the hashes of keys. */
function hashToken(token: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update(`session ${token}`).digest();
}

/** `console`: of an operator. `portal`: of the key owner of a key. */
export type SessionKind = 'console' | 'portal';
/** A setup token becomes a session of its kind, once. */
export type SetupKind = `${SessionKind}_setup`;

/** An operator who signed in at an identity provider, as the provider named him then. */
export interface Person {
  readonly issuer: string;
  /** The `sub` of the provider: the same person at each sign-in. */
  readonly subject: string;
  readonly name: string;
  /** Role from the user's groups at sign-in. It applies until the session ends. */
  readonly role: AdminRole;
}

export interface SessionRecord {
  readonly id: string;
  readonly kind: SessionKind | SetupKind;
  /** The key that it stands for, of an operator or of a caller. Null: a session of a person, or the token of a console's setup link, which has no key yet. */
  readonly keyId: string | null;
  /** Null where it stands for a key. */
  readonly person: Person | null;
  readonly createdAt: number;
  /** The last call, to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}
export type NewSession = SessionRecord & { readonly hash: Buffer };

export interface SessionStore {
  /** With its audit entry. */
  add(session: NewSession, audit: AuditEntry): Promise<void>;
  /** By HMAC of the token, whether or not it has expired. */
  find(hash: Buffer): Promise<SessionRecord | undefined>;
  /** Oldest first, whether or not they have expired. */
  list(kind: SessionKind): Promise<readonly SessionRecord[]>;
  touch(id: string, at: number): Promise<void>;
  /** Deletes the setup token and returns it; of two who take it at once, one gets it. */
  take(kind: SetupKind, hash: Buffer): Promise<SessionRecord | undefined>;
  /** Deletes a session of the kind; false when there is none. The audit entry is written only with a deletion. */
  end(kind: SessionKind, id: string, audit: AuditEntry): Promise<boolean>;
  /** Deletes what expired before `expired` or was last used before `idle`. */
  sweep(times: { readonly expired: number; readonly idle: number }): Promise<void>;
}

interface Called {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(type ?? '');
const hasBody = ({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean =>
  length !== '0' || encoding !== undefined;

/** For calls with a cookie. What changes nothing passes; no answer has headers that would let another origin read it. */
export function rejectOtherPages(call: Called, publicUrl: string | undefined): void {
  const { method, headers } = call;
  if (method === 'GET' || method === 'HEAD') return;
  if (!isSameOrigin(call, publicUrl)) throw otherPage("it doesn't come from a page of this origin");
  const type = headers['content-type'];
  if ((type !== undefined || hasBody(headers)) && !isJson(type)) throw otherPage("its content-type isn't application/json");
  if (headers[CONSOLE_HEADER] !== '1') throw otherPage(`the header ${CONSOLE_HEADER}: 1 is missing`);
}

/** For the sign-in, which has no cookie yet: only a browser says where a call comes from, and it must not come from elsewhere. */
export function rejectForeignSignIn(call: Called, publicUrl: string | undefined): void {
  const { 'sec-fetch-site': site, origin } = call.headers;
  if ((site !== undefined || origin !== undefined) && !isSameOrigin(call, publicUrl))
    throw otherPage("it doesn't come from a page of this origin");
}

/** The browser says so; where it does not, the origin of the page must be that of the listener. */
function isSameOrigin({ headers }: Called, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
}

const otherPage = (why: string): GatewayError =>
  new GatewayError<CookieCode>('permission_denied', { message: `This request was rejected because ${why}.` });

/** A browser sends few; bounds the text that is searched. */
const MAX_HEADER_LENGTH = 8_192;

/** The token in the cookie; undefined without one, or with more than one of the name. */
export const readCookie = (kind: SessionKind, header: string | undefined): string | undefined => valueIn(header, cookieNames[kind]);

function valueIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const start = `${name}=`;
  const [value, ...others] = header.split(/; ?/).filter((pair) => pair.startsWith(start));
  return value === undefined || others.length > 0 ? undefined : value.slice(start.length);
}

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function writeCookie(kind: SessionKind, token: string, lifetimeMs: number): string {
  return `${cookieNames[kind]}=${token}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; ${ATTRIBUTES}`;
}

export const clearCookie = (kind: SessionKind): string => `${cookieNames[kind]}=; Max-Age=0; ${ATTRIBUTES}`;

/** The one cookie that comes with a call from another site: the identity provider sends the browser back, and `Strict` would omit it. */
const FLOW_COOKIE = '__Host-modelgate-sign-in';
const FLOW_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export const readFlowCookie = (header: string | undefined): string | undefined => valueIn(header, FLOW_COOKIE);
export const writeFlowCookie = (value: string, lifetimeMs: number): string =>
  `${FLOW_COOKIE}=${value}; Max-Age=${Math.floor(lifetimeMs / 1_000)}; ${FLOW_ATTRIBUTES}`;
export const clearFlowCookie = (): string => `${FLOW_COOKIE}=; Max-Age=0; ${FLOW_ATTRIBUTES}`;

type Row = Readonly<Record<string, unknown>>;

/** In the order of the columns: issuer, subject, name, role. */
export const personColumns = (person: Person | null): readonly [string | null, string | null, string | null, string | null] =>
  person === null ? [null, null, null, null] : [person.issuer, person.subject, person.name, person.role];

export function asPerson({ issuer, subject, name, role }: Row): Person | null {
  if (issuer === null || subject === null) return null;
  // A role that only a later version knows may read and no more.
  const known = adminRoleNames.find((one) => one === role) ?? 'viewer';
  return { issuer: String(issuer), subject: String(subject), name: String(name), role: known };
}

/** Who acts in a session, as the audit log names him: the id of a key, or `oidc:` and the subject, so that nobody can pass for a key. */
export const actorOf = ({ keyId, person }: Pick<SessionRecord, 'keyId' | 'person'>): string =>
  keyId ?? (person === null ? 'unknown' : `oidc:${person.subject}`);
