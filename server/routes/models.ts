/** GET /v1/models: what the key can call, no more and no less (specification 4.1). */
import { callableModels } from '../access/permissions.ts';
import type { Handlers } from '../adapter.ts';
import type { Gateway } from '../gateway.ts';
import { callOf } from './call-of.ts';

export function modelHandlers(gateway: Gateway): Handlers<'listModels'> {
  return {
    async listModels({ request, reply, ok }) {
      const { principal } = callOf(request);
      reply.header('cache-control', 'private, no-store');
      return ok({
        object: 'list',
        data: callableModels(principal, gateway.catalog).map(({ id, created, ownedBy }) => ({
          id,
          object: 'model',
          created,
          owned_by: ownedBy,
        })),
      });
    },
  };
}
