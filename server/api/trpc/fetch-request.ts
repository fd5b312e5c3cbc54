/** Converts requests for tRPC. In its own file, because naming the global `Request` loads Node's own undici. */
import type { FastifyRequest } from 'fastify';

/** A request whose body was already read and parsed. */
class ParsedRequest extends Request {
  override readonly json: () => Promise<unknown>;

  constructor(url: string, init: RequestInit, value: unknown) {
    super(url, init);
    this.json = async () => value;
  }
}

/** The only part of the request that tRPC reads, besides the method, URL and body. */
const TRPC_HEADERS = ['accept', 'content-type', 'trpc-accept'] as const;

export function toFetchRequest({ url, method, headers, body, call }: FastifyRequest): Request {
  const trpcHeaders = TRPC_HEADERS.flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  // tRPC reads only path and query of the URL.
  return new ParsedRequest(`http://gateway${url}`, { method, headers: trpcHeaders, signal: call.signal }, body);
}
