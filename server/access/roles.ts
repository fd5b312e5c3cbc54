/** The role of an operator, as it is stored. */
import { type AdminRole, adminRoleNames } from '../../contract/admin-roles.ts';

/** A role that only a later version knows may read and no more. */
export const readRole = (stored: string): AdminRole => adminRoleNames.find((name) => name === stored) ?? 'viewer';
