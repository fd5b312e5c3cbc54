/** The signed-in user, or null. Any 401 sets it to null (data/queries.ts), and the frame gives way to the sign-in page. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Result } from './call.ts';
import type { Failure } from './failure.ts';
import { SESSION_KEY } from './queries.ts';

/** `read` calls `getSession` of a contract, once `isEnabled` is true. */
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

/** Removes the setup token from the URL and returns it, so that neither history nor a screenshot keeps it. Null without one. */
export const takeSetupToken = (): string | null => takeFromHash(SETUP);

const OUTCOME = /^#sign-in=([a-z_]{1,20})$/;

/** Why single sign-on failed, from the gateway's redirect URL. Null if it didn't. */
export const takeSignOnOutcome = (): string | null => takeFromHash(OUTCOME);

function takeFromHash(form: RegExp): string | null {
  const found = form.exec(location.hash)?.[1] ?? null;
  if (found !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return found;
}
