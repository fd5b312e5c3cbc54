/** tRPC clients of `/trpc`, one for each kind of link. */
import { createTRPCClient, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client';
import type { AppRouter, ErrorData } from '../../server/api/trpc/router-type.ts';

export interface TrpcPlace {
  readonly origin: string;
  readonly key: string;
}

type Headers = Readonly<Record<string, string>>;

const optionsOf = ({ origin, key }: TrpcPlace, headers: Headers) => ({
  url: `${origin}/trpc`,
  headers: { authorization: `Bearer ${key}`, ...headers },
});

/** Sends the calls of one turn of the event loop together; each answer arrives when it is ready. */
export function openTrpc(place: TrpcPlace, headers: Headers = {}) {
  return createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ ...optionsOf(place, headers), maxURLLength: 8_000 })] });
}

/** Sends one request for each call. */
export function openSingleTrpc(place: TrpcPlace, headers: Headers = {}, fetched: typeof fetch = fetch) {
  return createTRPCClient<AppRouter>({
    links: [httpLink({ ...optionsOf(place, headers), fetch: (url, init) => fetched(url, init as RequestInit) })],
  });
}

export type Trpc = ReturnType<typeof openTrpc>;

/** The error of a rejected call. Fails when the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<ErrorData> {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof TRPCClientError)) throw new Error('the call was not rejected', { cause: thrown });
  // The type comes from the router's type, which these tests check.
  return thrown.data as ErrorData;
}

/** Collects all events of a stream. */
export async function readAll<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}
