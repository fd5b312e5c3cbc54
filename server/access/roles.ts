/** The role of an operator, as it is stored. */
import type { AdminRole } from '../../contract/admin-roles.ts';

const known: ReadonlyMap<string, AdminRole> = new Map(
  Object.entries({ viewer: 'viewer', billing: 'billing', admin: 'admin' } satisfies Record<AdminRole, AdminRole>),
);

/** A role that only a later version knows may read and no more. */
export const readRole = (stored: string): AdminRole => known.get(stored) ?? 'viewer';
