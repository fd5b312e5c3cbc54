/** Computes the origin at which a caller reaches this gateway, from the Host header or the socket. */
import type { FastifyRequest } from 'fastify';

/** A host name or address with an optional port, and no characters that could end a URL, a sample or a JSON string. */
const HOST_PATTERN = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Removes `/v1` and slashes from the end of a configured base URL. */
export const trimBaseUrl = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');

function getListeningHost({ socket }: FastifyRequest): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** Uses the Host header if it's valid, otherwise the socket. */
export function getOrigin(request: FastifyRequest): string {
  const host = request.headers.host ?? '';
  return `${request.protocol}://${HOST_PATTERN.test(host) ? host : getListeningHost(request)}`;
}
