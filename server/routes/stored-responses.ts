/** GET and DELETE /v1/responses/{response_id}, and its input items: what was stored, for the account that made it (specification 4.6). */

import type { FastifyRequest } from 'fastify';
import { type InputItemList, type InputItemQuery, PAGE_LENGTH, type StoredItem } from '../../contract/stored-responses.ts';
import { permitOperation } from '../access/permissions.ts';
import type { Handlers } from '../adapter.ts';
import { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { callOf } from './call-of.ts';

export function storedResponseHandlers({ history }: Gateway): Handlers<'getResponse' | 'deleteResponse' | 'listInputItems'> {
  return {
    async getResponse({ request, reply, params }) {
      reply.header('cache-control', 'private, no-store');
      // Kept as it was answered; development and tests check it against the contract, as every answer.
      const { response } = await history.find(accountOf(request, 'getResponse'), params.response_id);
      return { kind: 'value', value: response };
    },
    async deleteResponse({ request, params, ok }) {
      await history.remove(accountOf(request, 'deleteResponse'), params.response_id);
      return ok({ id: params.response_id, object: 'response', deleted: true });
    },
    async listInputItems({ request, reply, params, query, ok }) {
      const items = await history.inputOf(accountOf(request, 'listInputItems'), params.response_id);
      reply.header('cache-control', 'private, no-store');
      return ok(cutPage(items, query));
    },
  };
}

/** Whose response it has to be, where the key may do that at all. */
function accountOf(request: FastifyRequest, operation: 'getResponse' | 'deleteResponse' | 'listInputItems'): string {
  const { principal } = callOf(request);
  permitOperation(principal, operation);
  return principal.accountId;
}

function cutPage(oldestFirst: readonly StoredItem[], { limit = PAGE_LENGTH, order = 'desc', after }: InputItemQuery): InputItemList {
  const items = order === 'asc' ? oldestFirst : oldestFirst.toReversed();
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new GatewayError('invalid_value', { param: 'after', message: "'after' has to be the id of an item of this list." });
  }
  const data = items.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < items.length,
  };
}
