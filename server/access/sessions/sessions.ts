/**
 * Opens and finds browser sessions, and issues setup tokens. A random token in a cookie stands for a key or a person; only its HMAC is stored. A session ends
 * at its expiry, after an idle hour, or with its key.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { throwStoreDown } from '../../primitives/errors.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { Pepper } from '../pepper.ts';
import type { SignInClient } from './sign-in-client.ts';
import type { Person, SessionKind, SessionRecord, SessionStore } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Counted from the sign-in. */
export const LIFETIME_MS: Readonly<Record<SessionKind, number>> = { console: 8 * HOUR_MS, portal: 12 * HOUR_MS };
/** The maximum time between two requests. */
export const IDLE_TIMEOUT_MS = HOUR_MS;
const SETUP_TOKEN_LIFETIME_MS = 15 * MINUTE_MS;
/** `seenAt` is updated once per minute, so that a polling page doesn't write each time. */
const TOUCH_INTERVAL_MS = MINUTE_MS;
const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN_PATTERN = /^[\w-]{43}$/;

export interface SessionOptions {
  readonly store: SessionStore;
  readonly pepper: Pepper;
  readonly now: () => number;
}

/** A session for a known key. */
export type KeySession = SessionRecord & { readonly kind: SessionKind; readonly keyId: string; readonly person: null };
/** A session of someone who signed in at an identity provider. Console only. */
type PersonSession = SessionRecord & { readonly kind: 'console'; readonly keyId: null; readonly person: Person };
export type LiveSession = KeySession | PersonSession;

interface OpenedSession<Session extends LiveSession> {
  /** The token in plain text, which only the cookie contains. */
  readonly token: string;
  readonly session: Session;
}

interface NewSessionParams {
  readonly kind: SessionKind;
  readonly keyId: string;
  /** Who signs in, for the audit log. */
  readonly actor: string;
  /** The sign-in method: `key` or `setup_link`. */
  readonly by: string;
  /** Omitted for the portal, whose sessions aren't listed. */
  readonly client?: SignInClient;
}

/** Opens a session, always with a new token, so that a token planted in the browser before is useless. */
export async function openSession(
  { kind, keyId, actor, by, client }: NewSessionParams,
  options: SessionOptions,
): Promise<OpenedSession<KeySession>> {
  const session = { ...createSessionFields(options.now(), LIFETIME_MS[kind], client), kind, keyId, person: null };
  return { token: await addSession(session, { actor, details: { kind, by } }, options), session };
}

/** Like `openSession`, for a person authenticated by an identity provider. */
export async function openPersonSession(
  person: Person,
  options: SessionOptions,
  client?: SignInClient,
): Promise<OpenedSession<PersonSession>> {
  const session = { ...createSessionFields(options.now(), LIFETIME_MS.console, client), kind: 'console', keyId: null, person } as const;
  const { issuer, name, role } = person;
  const auditFields = { actor: getActor(session), details: { kind: 'console', by: 'oidc', issuer, name, role } };
  return { token: await addSession(session, auditFields, options), session };
}

const UNKNOWN_CLIENT: SignInClient = { address: null, browser: null };

const createSessionFields = (at: number, lifetimeMs: number, { address, browser } = UNKNOWN_CLIENT) => ({
  id: generateSessionId(),
  createdAt: at,
  seenAt: at,
  expiresAt: at + lifetimeMs,
  address,
  browser,
});

async function addSession(
  session: LiveSession,
  { actor, details }: Pick<AuditEntry, 'actor' | 'details'>,
  { store, pepper }: SessionOptions,
): Promise<string> {
  const token = generateToken();
  const audit = { actor, action: 'session.create', target: session.id, details, at: session.createdAt };
  await store.add({ ...session, hash: hashToken(token, pepper) }, audit).catch(throwStoreDown);
  return token;
}

/** Finds the session of a token and updates its `seenAt`. Undefined if it's unknown, of another kind, expired, or idle. */
export async function findSession(
  kind: SessionKind,
  token: string,
  { store, pepper, now }: SessionOptions,
): Promise<LiveSession | undefined> {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  const record = await store.find(hashToken(token, pepper)).catch(throwStoreDown);
  const at = now();
  if (record === undefined || !isLive(record, kind, at)) return undefined;
  if (at - record.seenAt >= TOUCH_INTERVAL_MS) await store.touch(record.id, at).catch(throwStoreDown);
  return record;
}

export function isLive(record: SessionRecord, kind: SessionKind, at: number): record is LiveSession {
  const hasHolder = record.keyId !== null ? record.person === null : record.person !== null && kind === 'console';
  return record.kind === kind && hasHolder && at < record.expiresAt && at < record.seenAt + IDLE_TIMEOUT_MS;
}

/** Returns the token of a one-time sign-in link, valid for 15 minutes. `keyId` is null if the sign-in creates a key. */
export async function issueSetupToken(
  { kind, keyId }: { readonly kind: SessionKind; readonly keyId: string | null },
  { store, pepper, now }: SessionOptions,
): Promise<string> {
  const [token, at] = [generateToken(), now()];
  const session = { ...createSessionFields(at, SETUP_TOKEN_LIFETIME_MS), kind: `${kind}_setup`, keyId, person: null } as const;
  const audit: AuditEntry = { actor: 'system', action: 'setup_link.create', target: session.id, details: { kind }, at };
  await store.add({ ...session, hash: hashToken(token, pepper) }, audit);
  return token;
}

/** Consumes a setup token. Undefined if it's unknown, used, or expired. */
export async function consumeSetupToken(
  kind: SessionKind,
  token: string,
  { store, pepper, now }: SessionOptions,
): Promise<SessionRecord | undefined> {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  const record = await store.consume(`${kind}_setup`, hashToken(token, pepper)).catch(throwStoreDown);
  return record !== undefined && now() < record.expiresAt ? record : undefined;
}

const generateToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const generateSessionId = (): string => `sess_${randomBytes(12).toString('hex')}`;

/** The prefix separates these hashes from key hashes. */
function hashToken(token: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update(`session ${token}`).digest();
}

/** Returns the actor of a session for the audit log: a key ID, or `oidc:` and the subject, so that a person can't impersonate a key. */
export const getActor = ({ keyId, person }: Pick<SessionRecord, 'keyId' | 'person'>): string =>
  keyId ?? (person === null ? 'unknown' : `oidc:${person.subject}`);
