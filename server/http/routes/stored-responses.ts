/** GET and DELETE /v1/responses/{response_id}, and its input items: serves stored responses to the account that made them. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { permitOperation } from '../../access/permissions.ts';
import type { Gateway } from '../../gateway.ts';
import { freeMemory } from '../../primitives/free-memory.ts';
import { handOn } from '../../request/answer.ts';
import { callOf } from '../entrance.ts';
import type { Handlers } from '../ts-rest.ts';

export function storedResponseHandlers({ history }: Gateway): Handlers<'getResponse' | 'deleteResponse' | 'listInputItems'> {
  return {
    async getResponse({ request, reply, params, pass }) {
      reply.header('cache-control', 'private, no-store');
      // Sent as stored, whatever its length; development and tests validate it, as every answer.
      const response = await history.find(readerOf(request, 'getResponse'), params.response_id);
      freeWhenSent(reply, response);
      return pass(reply, handOn(response));
    },
    async deleteResponse({ request, params, ok }) {
      await history.remove(readerOf(request, 'deleteResponse').accountId, params.response_id);
      return ok({ id: params.response_id, object: 'response', deleted: true });
    },
    async listInputItems({ request, reply, params, query, pass }) {
      const page = await history.inputOf(readerOf(request, 'listInputItems'), params.response_id, query);
      reply.header('cache-control', 'private, no-store');
      freeWhenSent(reply, page);
      return pass(reply, handOn(page));
    },
  };
}

/** The system has all bytes then; when the caller disconnects before, the garbage collection frees them. */
const freeWhenSent = (reply: FastifyReply, bytes: Buffer): void => void reply.raw.once('finish', () => freeMemory(bytes));

/** The account that has to own the response. Throws 403 when the key lacks the permission. */
function readerOf(request: FastifyRequest, operation: 'getResponse' | 'deleteResponse' | 'listInputItems') {
  const { principal, share } = callOf(request);
  permitOperation(principal, operation);
  return { accountId: principal.accountId, share };
}
