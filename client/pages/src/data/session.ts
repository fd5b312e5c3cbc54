/** Who is signed in: null for nobody. A 401 of any call makes it null once (data/queries.ts), and the frame gives way to the sign-in. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Result } from './call.ts';
import type { Failure } from './failure.ts';
import { SESSION_KEY } from './queries.ts';

/** `read` calls `getSession` of a contract; not before `isEnabled`. */
export function useSession<Session>(
  read: (signal: AbortSignal) => Promise<Result<Session, string>>,
  isEnabled = true,
): UseQueryResult<Session | null, Failure> {
  return useQuery({
    enabled: isEnabled,
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const result = await read(signal);
      if (result.ok) return result.body;
      if (result.failure.status === 401) return null;
      throw result.failure;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const SETUP = /^#setup=([\w-]{8,200})$/;

/** The token of a setup link, taken out of the address so that neither history nor a screenshot keeps it; null when there is none. */
export const takeSetupToken = (): string | null => takeFromHash(SETUP);

const OUTCOME = /^#sign-in=([a-z_]{1,20})$/;

/** Why a single sign-on ended here, as the gateway put it into the address; null when none did. */
export const takeSignOnOutcome = (): string | null => takeFromHash(OUTCOME);

function takeFromHash(form: RegExp): string | null {
  const found = form.exec(location.hash)?.[1] ?? null;
  if (found !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return found;
}
