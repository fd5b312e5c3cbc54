/** POST /v1/chat/completions and POST /v1/responses: contract in, pipeline, contract out (specification 4.2 and 4.3). */
import type { Handlers } from '../adapter.ts';
import type { Gateway } from '../gateway.ts';
import { run } from '../pipeline.ts';
import { jsonBodyOf } from './body.ts';
import { callOf } from './call-of.ts';

export function textHandlers(gateway: Gateway): Handlers<'createChatCompletion' | 'createResponse'> {
  return {
    createChatCompletion: async ({ request }) =>
      run(gateway, callOf(request), { operation: 'createChatCompletion', body: jsonBodyOf(request) }),
    createResponse: async ({ request }) => run(gateway, callOf(request), { operation: 'createResponse', body: jsonBodyOf(request) }),
  };
}
