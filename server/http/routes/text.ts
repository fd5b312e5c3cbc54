/** POST /v1/chat/completions and POST /v1/responses: passes the validated body to the pipeline and returns its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { runOnce } from '../../request/idempotent.ts';
import { jsonBodyOf } from '../body/json.ts';
import { callOf } from '../entrance.ts';
import { tellIgnored } from '../response-headers.ts';
import type { Handlers } from '../ts-rest.ts';

export function textHandlers(gateway: Gateway): Handlers<'createChatCompletion' | 'createResponse'> {
  const handle = async (operation: 'createChatCompletion' | 'createResponse', request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request);
    const answer = await runOnce(gateway, call, { operation, body: jsonBodyOf(request) });
    tellIgnored(call, reply);
    return answer;
  };
  return {
    createChatCompletion: async ({ request, reply, pass }) => pass(reply, await handle('createChatCompletion', request, reply)),
    createResponse: async ({ request, reply, pass }) => pass(reply, await handle('createResponse', request, reply)),
  };
}
