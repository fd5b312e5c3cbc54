/** The address by which a reader reached the gateway, for the document and its samples. */
import type { FastifyRequest } from 'fastify';

/** A name or an address, and perhaps a port; nothing that could break out of a URL, a sample or JSON. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Without `/v1` and without a slash at the end, however the operator wrote it. */
export const trimBase = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');

function listeningHost({ socket }: FastifyRequest): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** From the Host header where it is one; otherwise from the socket itself. */
export function baseOf(request: FastifyRequest): string {
  const host = request.headers.host ?? '';
  return `${request.protocol}://${HOST.test(host) ? host : listeningHost(request)}`;
}
