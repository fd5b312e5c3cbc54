/** The interface of the session store, and its records. */
import type { AdminRole } from '../../../contract/admin/roles.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { SignInClient } from './sign-in-client.ts';

/** `console`: an operator's session. `portal`: a key owner's session. */
export type SessionKind = 'console' | 'portal';

/** A setup token is exchanged for a session of its kind, once. */
type SetupKind = `${SessionKind}_setup`;

/** An operator who signed in at an identity provider, with the data from that sign-in. */
export interface Person {
  readonly issuer: string;
  /** The provider's `sub`, which is the same at each sign-in. */
  readonly subject: string;
  readonly name: string;
  /** The role from the user's groups at sign-in. It applies until the session ends. */
  readonly role: AdminRole;
}

/** Without an address and a browser if an earlier version opened the session, or if no list shows it. */
export interface SessionRecord extends SignInClient {
  readonly id: string;
  readonly kind: SessionKind | SetupKind;
  /** The operator or caller key of the session. Null for a person's session, or for a console setup link, which has no key yet. */
  readonly keyId: string | null;
  /** Null if the session belongs to a key. */
  readonly person: Person | null;
  readonly createdAt: number;
  /** The last request, to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

type NewSession = SessionRecord & { readonly hash: Buffer };

export interface SessionStore {
  /** Also writes the audit entry. */
  add(session: NewSession, audit: AuditEntry): Promise<void>;
  /** Finds a session by the token's HMAC, whether or not it has expired. */
  find(hash: Buffer): Promise<SessionRecord | undefined>;
  /** Oldest first, including expired ones. */
  list(kind: SessionKind): Promise<readonly SessionRecord[]>;
  touch(id: string, at: number): Promise<void>;
  /** Deletes the setup token and returns it. If two requests race, only one gets it. */
  consume(kind: SetupKind, hash: Buffer): Promise<SessionRecord | undefined>;
  /** Deletes a session of this kind. Returns false if it doesn't exist, and then writes no audit entry. */
  end(kind: SessionKind, id: string, audit: AuditEntry): Promise<boolean>;
  /** Deletes sessions that expired before `expired` or were last used before `idle`. */
  sweep(times: { readonly expired: number; readonly idle: number }): Promise<void>;
}
