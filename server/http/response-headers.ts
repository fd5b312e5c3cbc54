/** Sets response headers by the contract's names: any other name does not compile. */
import type { FastifyReply } from 'fastify';
import type { ResponseHeader } from '../../contract/headers.ts';

export function setHeader(reply: FastifyReply, name: ResponseHeader, value: string | number): void {
  reply.header(name, value);
}
