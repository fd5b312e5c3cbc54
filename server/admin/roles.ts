/** What an operator may do: the role of the key against the role that the contract names for the operation. */
import { adminContract } from '../../contract/admin.ts';
import type { AdminCode, AdminOperation } from '../../contract/admin-errors.ts';
import { type AdminRole, mayAs } from '../../contract/admin-roles.ts';
import { GatewayError } from '../errors.ts';

/** Throws `permission_denied`; the message names the role that may. */
export function checkRole(operation: AdminOperation, role: AdminRole): void {
  const needed = adminContract[operation].metadata.role;
  if (mayAs(role, needed)) return;
  throw new GatewayError<AdminCode<'createAdminKey'>>('permission_denied', {
    message: `This needs an admin key with the role '${needed}'; this key has the role '${role}'.`,
  });
}
