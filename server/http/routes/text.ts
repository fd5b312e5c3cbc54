/** POST /v1/chat/completions and POST /v1/responses: passes the validated body to the pipeline and returns its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import type { HandedOn } from '../../request/answer.ts';
import { runOnce } from '../../request/idempotent.ts';
import { jsonBodyOf } from '../body/json.ts';
import { callOf } from '../entrance.ts';
import { tellIgnored } from '../response-headers.ts';
import type { Handlers } from '../ts-rest.ts';

interface Passing<A> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly pass: (reply: FastifyReply, answer: HandedOn) => A;
}

export function textHandlers(gateway: Gateway): Handlers<'createChatCompletion' | 'createResponse'> {
  const handle = async <A>(operation: 'createChatCompletion' | 'createResponse', { request, reply, pass }: Passing<A>): Promise<A> => {
    const call = callOf(request);
    const answer = await runOnce(gateway, call, { operation, body: jsonBodyOf(request) });
    tellIgnored(call, reply);
    return pass(reply, answer);
  };
  return {
    createChatCompletion: (context) => handle('createChatCompletion', context),
    createResponse: (context) => handle('createResponse', context),
  };
}
