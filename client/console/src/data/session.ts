/** Who is signed in: null for nobody. A 401 of any call makes it null once (data/queries.ts), and the frame gives way to the sign-in. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Result } from './call.ts';
import type { Failure } from './failure.ts';
import { SESSION_KEY } from './queries.ts';

/** `read` calls `getSession` of a contract. */
export function useSession<Session>(
  read: (signal: AbortSignal) => Promise<Result<Session, string>>,
): UseQueryResult<Session | null, Failure> {
  return useQuery({
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

/** The token of a set-up link, taken out of the address so that neither history nor a screenshot keeps it; null when there is none. */
export function takeSetupToken(): string | null {
  const token = SETUP.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
