/** The call behind a request, after its key was accepted. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors.ts';
import type { Call } from '../../request/context.ts';
import { setHeader } from '../response-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

export function callOf(request: FastifyRequest): Call & { readonly principal: Principal } {
  const { call } = request;
  if (!call.principal) throw new GatewayError('invalid_api_key');
  // The principal was seen on the line before.
  return call as Call & { readonly principal: Principal };
}

/** What of the request went nowhere. */
export function tellIgnored({ ignored }: Call, reply: FastifyReply): void {
  if (ignored.length > 0) setHeader(reply, 'x-modelgate-ignored', ignored.join(', '));
}
