/** A person of an identity provider, in the rows of both databases and in the audit log. */
import { adminRoleNames } from '../../contract/admin-roles.ts';
import type { Person, SessionRecord } from './store.ts';

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
