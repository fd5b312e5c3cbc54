/** Handlers for GET and DELETE /v1/responses/{id}: stored responses and their input items. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertCanUseOperation } from '../../access/permissions.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { freeMemory } from '../../primitives/free-memory.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';

export function createStoredResponseHandlers({ history }: Gateway): Handlers<'getResponse' | 'deleteResponse' | 'listInputItems'> {
  return {
    async getResponse({ request, reply, params, pass }) {
      reply.header('cache-control', 'private, no-store');
      // Sent as stored, whatever its length. Development and tests validate it, like every response.
      const response = await history.find(getHistoryReader(request, 'getResponse'), params.response_id);
      freeAfterSend(reply, response);
      return pass(reply, { kind: 'whole', bytes: response });
    },
    async deleteResponse({ request, params, ok }) {
      await history.remove(getHistoryReader(request, 'deleteResponse').accountId, params.response_id);
      return ok({ id: params.response_id, object: 'response', deleted: true });
    },
    async listInputItems({ request, reply, params, query, pass }) {
      const page = await history.readInput(getHistoryReader(request, 'listInputItems'), params.response_id, query);
      reply.header('cache-control', 'private, no-store');
      freeAfterSend(reply, page);
      return pass(reply, { kind: 'whole', bytes: page });
    },
  };
}

/** After `finish`, the operating system has all bytes. If the caller disconnects earlier, garbage collection frees them. */
const freeAfterSend = (reply: FastifyReply, bytes: Buffer): void => void reply.raw.once('finish', () => freeMemory(bytes));

/** Returns the account that must own the response. Throws 403 if the key lacks the permission. */
function getHistoryReader(request: FastifyRequest, operation: 'getResponse' | 'deleteResponse' | 'listInputItems') {
  const { principal, share } = getCall(request);
  assertCanUseOperation(principal, operation);
  return { accountId: principal.accountId, share };
}
