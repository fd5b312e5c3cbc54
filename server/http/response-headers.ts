/** Headers of answers by the names that the contract has for them: another one does not compile. */
import type { FastifyReply } from 'fastify';
import type { ResponseHeader } from '../../contract/headers.ts';

export function setHeader(reply: FastifyReply, name: ResponseHeader, value: string | number): void {
  reply.header(name, value);
}
