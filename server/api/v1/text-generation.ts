/** Handlers for POST /v1/chat/completions and POST /v1/responses. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ForwardedResponse } from '../../call/forwarded-response.ts';
import { runWithIdempotency } from '../../call/idempotency.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { getJsonBody } from '../http/json-parser.ts';
import { setDroppedHeader } from '../http/response-headers.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';

interface TextRequest<A> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly pass: (reply: FastifyReply, answer: ForwardedResponse) => A;
}

export function createTextGenerationHandlers(gateway: Gateway): Handlers<'createChatCompletion' | 'createResponse'> {
  const handleText = async <A>(
    operation: 'createChatCompletion' | 'createResponse',
    { request, reply, pass }: TextRequest<A>,
  ): Promise<A> => {
    const call = getCall(request);
    const response = await runWithIdempotency(gateway, call, { operation, body: getJsonBody(request) });
    setDroppedHeader(call, reply);
    return pass(reply, response);
  };
  return {
    createChatCompletion: (context) => handleText('createChatCompletion', context),
    createResponse: (context) => handleText('createResponse', context),
  };
}
