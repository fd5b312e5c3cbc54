/** Finds the base URL by which a reader reached the gateway, for the OpenAPI document and its samples. */
import type { FastifyRequest } from 'fastify';

/** A host name or an address, with an optional port; no character that could end a URL, a sample or a JSON string. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Removes `/v1` and slashes from the end of a configured base URL. */
export const trimBase = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');

function listeningHost({ socket }: FastifyRequest): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** From the Host header when it is valid, otherwise from the socket. */
export function baseOf(request: FastifyRequest): string {
  const host = request.headers.host ?? '';
  return `${request.protocol}://${HOST.test(host) ? host : listeningHost(request)}`;
}
