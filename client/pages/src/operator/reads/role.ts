/** What the operator who is signed in may do, from the session that the console has read already. */
import type { AdminRole } from '../../../../../contract/admin/roles.ts';
import { useSession } from '../../data/session.ts';
import { kit } from '../../texts/kit.ts';
import { call } from '../api.ts';

/** Each may also do what those before it may. */
const ascending = ['viewer', 'billing', 'admin'] as const satisfies readonly AdminRole[];

/** Why a control cannot be used: the role that it needs. Undefined: it can. */
export function useRefusal(needed: AdminRole): string | undefined {
  const session = useSession((signal) => call('getSession', {}, signal));
  const role = session.data?.role ?? 'viewer';
  return ascending.indexOf(role) < ascending.indexOf(needed) ? kit.requiresRole(needed) : undefined;
}
