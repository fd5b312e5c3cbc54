/** The store of sessions and set-up tokens; each method is atomic. Times in milliseconds since 1970. */
import type { AdminRole } from '../../contract/admin-roles.ts';
import type { AuditEntry } from '../storage/audit.ts';

/** `console`: of an operator. `portal`: of the holder of a key. */
export type SessionKind = 'console' | 'portal';
/** A set-up token becomes a session of its kind, once. */
export type SetupKind = `${SessionKind}_setup`;

/** An operator who signed in at an identity provider, as the provider named him then. */
export interface Person {
  readonly issuer: string;
  /** The `sub` of the provider: the same person at each sign-in. */
  readonly subject: string;
  readonly name: string;
  /** Of the groups at the sign-in, until the session ends. */
  readonly role: AdminRole;
}

export interface SessionRecord {
  readonly id: string;
  readonly kind: SessionKind | SetupKind;
  /** The key that it stands for, of an operator or of a caller. Null: a session of a person, or the token of a console's set-up link, which has no key yet. */
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
  /** Deletes the set-up token and returns it; of two who take it at once, one gets it. */
  take(kind: SetupKind, hash: Buffer): Promise<SessionRecord | undefined>;
  /** Deletes a session of the kind; false when there is none. The audit entry is written only with a deletion. */
  end(kind: SessionKind, id: string, audit: AuditEntry): Promise<boolean>;
  /** Deletes what expired before `expired` or was last used before `idle`. */
  sweep(times: { readonly expired: number; readonly idle: number }): Promise<void>;
}
