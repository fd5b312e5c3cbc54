/** Sessions of browsers: a random token in a cookie stands for a key or a person, kept as an HMAC only, and ends with its time, an idle hour, or its key. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Pepper } from '../access/pepper.ts';
import { storeFailed } from '../errors.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { actorOf } from './person.ts';
import type { Person, SessionKind, SessionRecord, SessionStore } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** From the sign-in. */
export const LIFETIME_MS: Readonly<Record<SessionKind, number>> = { console: 8 * HOUR_MS, portal: 12 * HOUR_MS };
/** Between two calls. */
export const IDLE_MS = HOUR_MS;
export const SETUP_MS = 15 * MINUTE_MS;
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
export type PersonSession = SessionRecord & { readonly kind: 'console'; readonly keyId: null; readonly person: Person };
export type LiveSession = KeySession | PersonSession;

export interface Opened<Session extends LiveSession> {
  /** In plain text, for the cookie alone. */
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
