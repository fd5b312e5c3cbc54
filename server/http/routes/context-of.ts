/** The call behind a request, after its key was accepted. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors.ts';
import type { RequestContext } from '../../request/context.ts';
import { setHeader } from '../response-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: RequestContext;
  }
}

export function callOf(request: FastifyRequest): RequestContext & { readonly principal: Principal } {
  const { call } = request;
  if (!call.principal) throw new GatewayError('invalid_api_key');
  // The principal was seen on the line before.
  return call as RequestContext & { readonly principal: Principal };
}

/** What of the request went nowhere. */
export function tellIgnored({ ignored }: RequestContext, reply: FastifyReply): void {
  if (ignored.length > 0) setHeader(reply, 'x-modelgate-ignored', ignored.join(', '));
}
