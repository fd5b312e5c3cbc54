/** The signed-in operator's permissions, from the session. */
import type { AdminRole } from '../../../../../contract/admin/roles.ts';
import { useSession } from '../../data/session.ts';
import { kit } from '../../texts/kit.ts';
import { call } from '../api.ts';

/** Each role can also do what the previous ones can. */
const ascending = ['viewer', 'billing', 'admin'] as const satisfies readonly AdminRole[];

/** Why a control is disabled: the role that it requires. Undefined if it's enabled. */
export function useRefusal(needed: AdminRole): string | undefined {
  const session = useSession((signal) => call('getSession', {}, signal));
  const role = session.data?.role ?? 'viewer';
  return ascending.indexOf(role) < ascending.indexOf(needed) ? kit.requiresRole(needed) : undefined;
}
