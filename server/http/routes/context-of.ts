/** Gives route handlers the RequestContext of their request, after authentication. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import { GatewayError, type KeyedCode } from '../../errors.ts';
import type { RequestContext } from '../../request/context.ts';
import { setHeader } from '../response-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    call: RequestContext;
  }
}

export function callOf(request: FastifyRequest): RequestContext & { readonly principal: Principal } {
  const { call } = request;
  if (!call.principal) throw new GatewayError<KeyedCode>('invalid_api_key');
  // It has a principal: checked above.
  return call as RequestContext & { readonly principal: Principal };
}

/** Names in `x-modelgate-ignored` what the upstream was not sent. */
export function tellIgnored({ outcome: { ignored } }: RequestContext, reply: FastifyReply): void {
  if (ignored.length > 0) setHeader(reply, 'x-modelgate-ignored', ignored.join(', '));
}
