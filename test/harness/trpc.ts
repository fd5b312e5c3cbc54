/** Clients of `/trpc` as others write them, over each of tRPC's links. */
import { createTRPCClient, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client';
import type { AppRouter, ErrorData } from '../../server/trpc/router-type.ts';

export interface TrpcPlace {
  readonly origin: string;
  readonly key: string;
}

type Headers = Readonly<Record<string, string>>;

const optionsOf = ({ origin, key }: TrpcPlace, headers: Headers) => ({
  url: `${origin}/trpc`,
  headers: { authorization: `Bearer ${key}`, ...headers },
});

/** Calls of one turn of the event loop go together; answers come as they are there. */
export function openTrpc(place: TrpcPlace, headers: Headers = {}) {
  return createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ ...optionsOf(place, headers), maxURLLength: 8_000 })] });
}

/** A request for each call. */
export function openSingleTrpc(place: TrpcPlace, headers: Headers = {}, fetched: typeof fetch = fetch) {
  return createTRPCClient<AppRouter>({
    links: [httpLink({ ...optionsOf(place, headers), fetch: (url, init) => fetched(url, init as RequestInit) })],
  });
}

export type Trpc = ReturnType<typeof openTrpc>;

/** What a call was refused with; fails where it was answered. */
export async function refusalOf(call: Promise<unknown>): Promise<ErrorData> {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof TRPCClientError)) throw new Error('the call was not refused', { cause: thrown });
  // By the type of the router, which is what the tests are about.
  return thrown.data as ErrorData;
}

/** Every event of a stream. */
export async function readAll<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}
