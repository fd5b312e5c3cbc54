/** Handler for POST /v1/responses/input_tokens: counts the input of a request without sending it. */

import { countInputTokens } from '../../call/input-tokens.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { getJsonBody } from '../http/json-parser.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';

export function createInputTokenHandlers(gateway: Gateway): Handlers<'countInputTokens'> {
  return {
    async countInputTokens({ request, reply, ok }) {
      const { tokens, isEstimated } = await countInputTokens(gateway, getCall(request), getJsonBody(request));
      reply.header('cache-control', 'private, no-store');
      return ok({ object: 'response.input_tokens', input_tokens: tokens, estimated: isEstimated });
    },
  };
}
