/** Wraps a contract's calls in TanStack Query: hooks for reads and changes, the retry rule, and what a 401 does to the session. */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Call } from './call.ts';
import type { Arguments, Input, Operations, RouteErrorCode, Success } from './contract-types.ts';
import { Failure, isWorthRetrying } from './failure.ts';

/** Cache key of the session. All other keys have the input as their second part. The data is null if no one is signed in. */
export const SESSION_KEY = ['getSession'] as const;

const MAX_RETRIES = 2;
/** Pages poll instead of refetching when the window gets the focus. */
const FRESH_MS = 5_000;

/** Creates a cache per opened page. */
export function openQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof Failure && error.status === 401) clearSession(client);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (count, error) => error instanceof Failure && isWorthRetrying(error) && count < MAX_RETRIES,
        staleTime: FRESH_MS,
        refetchOnWindowFocus: false,
      },
      // The response to a change may contain a secret, so none of it stays in the cache.
      mutations: { retry: false, gcTime: 0 },
    },
  });
  return client;
}

/** Forgets the signed-in user and everything read with that session. Runs once, however many calls were rejected. */
export function clearSession(client: QueryClient): void {
  if (client.getQueryData(SESSION_KEY) === null) return;
  client.setQueryData(SESSION_KEY, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey.length > SESSION_KEY.length });
}

export interface ReadOptions {
  /** Milliseconds between two reads while the page is visible. Omit to read once. At least 10,000, except for a live view. */
  readonly everyMs?: number;
  /** False to wait before reading. */
  readonly isEnabled?: boolean;
}

export interface Api<Contract extends Operations> {
  readonly call: Call<Contract>;
  /** Reads an operation. Earlier data stays visible while it is read again, even with another input. */
  readonly useRead: <Name extends keyof Contract & string>(
    name: Name,
    input?: Input<Contract[Name]>,
    options?: ReadOptions,
  ) => UseQueryResult<Success<Contract[Name]>, Failure<RouteErrorCode<Contract[Name]>>>;
  /** Makes a change, then reloads the operations named in `changes`. */
  readonly useChange: <Name extends keyof Contract & string>(
    name: Name,
    changes?: readonly (keyof Contract & string)[],
  ) => UseMutationResult<Success<Contract[Name]>, Failure<RouteErrorCode<Contract[Name]>>, Input<Contract[Name]>>;
}

/** Hooks for a contract's calls. */
export function openApi<Contract extends Operations>(call: Call<Contract>): Api<Contract> {
  const useRead: Api<Contract>['useRead'] = (name, input, { everyMs, isEnabled = true } = {}) =>
    useQuery({
      queryKey: [name, input ?? {}],
      queryFn: ({ signal }) => fetchOperation(call, name, input, signal),
      enabled: isEnabled,
      placeholderData: (previous) => previous,
      ...(everyMs !== undefined && { refetchInterval: everyMs }),
    });
  const useChange: Api<Contract>['useChange'] = (name, changes = []) => {
    const client = useQueryClient();
    return useMutation({
      mutationFn: (input) => fetchOperation(call, name, input),
      onSuccess: async () => {
        await Promise.all(changes.map((changed) => client.invalidateQueries({ queryKey: [changed] })));
      },
    });
  };
  return { call, useRead, useChange };
}

async function fetchOperation<Contract extends Operations, Name extends keyof Contract & string>(
  call: Call<Contract>,
  name: Name,
  input: Input<Contract[Name]> | undefined,
  signal?: AbortSignal,
): Promise<Success<Contract[Name]>> {
  // `as`: an optional input is still passed as an argument, before the signal.
  const given = [input, signal] as unknown as [...Arguments<Contract[Name]>, signal?: AbortSignal];
  const result = await call(name, ...given);
  if (result.ok) return result.body;
  throw result.failure;
}
