/** Handlers for stored responses: retrieve, stream again, cancel, or delete one, and list its input items. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertCanUseOperation } from '../../access/permissions.ts';
import { streamEvents } from '../../call/stream-events.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { GatewayError, type OperationError, throwStoreDown } from '../../primitives/errors.ts';
import { isFields } from '../../primitives/fields.ts';
import { freeMemory } from '../../primitives/free-memory.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';

type StoredName = 'getResponse' | 'cancelResponse' | 'deleteResponse' | 'listInputItems';

/** How long to wait until the process that runs a response has canceled it. A dead process is noticed earlier. */
const MAX_CANCEL_MS = 30_000;

export function createStoredResponseHandlers(gateway: Gateway): Handlers<StoredName> {
  const { history, runs } = gateway;
  return {
    async getResponse({ request, reply, params: { response_id: responseId }, query, pass }) {
      reply.header('cache-control', 'private, no-store');
      const reader = getHistoryReader(request, 'getResponse');
      if (query.stream === true) {
        const key = { accountId: reader.accountId, responseId };
        if (!(await runs.find(key).catch(throwStoreDown))) {
          await history.find(reader, responseId);
          throw createNotStreamableError();
        }
        return pass(reply, { kind: 'stream', frames: streamEvents(gateway, key, query.starting_after) });
      }
      // Sent as stored, whatever its length. Development and tests validate it, like every response.
      const response = await history.find(reader, responseId);
      freeAfterSend(reply, response);
      return pass(reply, { kind: 'whole', bytes: response });
    },
    async cancelResponse({ request, reply, params: { response_id: responseId }, pass }) {
      const reader = getHistoryReader(request, 'cancelResponse');
      const stored: unknown = JSON.parse((await history.find(reader, responseId)).toString());
      if (!isFields(stored) || stored.background !== true) throw createSynchronousError();
      const isEnded = await runs.cancel({ accountId: reader.accountId, responseId }, MAX_CANCEL_MS).catch(throwStoreDown);
      if (!isEnded) throw new GatewayError<'overloaded'>('overloaded', { headers: { 'retry-after': '1' } });
      const response = await history.find(reader, responseId);
      freeAfterSend(reply, response);
      return pass(reply, { kind: 'whole', bytes: response });
    },
    async deleteResponse({ request, params: { response_id: responseId }, ok }) {
      const { accountId } = getHistoryReader(request, 'deleteResponse');
      const key = { accountId, responseId };
      const run = await runs.find(key).catch(throwStoreDown);
      if (run?.endedAt === null) throw createInFlightError();
      await history.remove(accountId, responseId);
      if (run) await runs.remove(key).catch(throwStoreDown);
      return ok({ id: responseId, object: 'response', deleted: true });
    },
    async listInputItems({ request, reply, params, query, pass }) {
      const page = await history.readInput(getHistoryReader(request, 'listInputItems'), params.response_id, query);
      reply.header('cache-control', 'private, no-store');
      freeAfterSend(reply, page);
      return pass(reply, { kind: 'whole', bytes: page });
    },
  };
}

const createNotStreamableError = (): OperationError<'getResponse', 400> =>
  new GatewayError('invalid_value', {
    param: 'stream',
    message: "This response can't be streamed: it was created without 'stream' or 'background', or it ended more than 10 minutes ago.",
  });

const createSynchronousError = (): OperationError<'cancelResponse', 400> =>
  new GatewayError('invalid_value', {
    param: 'response_id',
    message: "Only a response that was created with 'background: true' can be canceled.",
  });

const createInFlightError = (): OperationError<'deleteResponse', 400> =>
  new GatewayError('invalid_value', { param: 'response_id', message: "A response that isn't complete can't be deleted. Cancel it first." });

/** After `finish`, the operating system has all bytes. If the caller disconnects earlier, garbage collection frees them. */
const freeAfterSend = (reply: FastifyReply, bytes: Buffer): void => void reply.raw.once('finish', () => freeMemory(bytes));

/** Returns the account that must own the response. Throws 403 if the key lacks the permission. */
function getHistoryReader(request: FastifyRequest, operation: StoredName) {
  const { principal, share } = getCall(request);
  assertCanUseOperation(principal, operation);
  return { accountId: principal.accountId, share };
}
