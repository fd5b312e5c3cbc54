/** GET /v1/models: what the key can call, no more and no less (specification 4.1). */
import { callableModels } from '../access/permissions.ts';
import type { Handlers } from '../adapter.ts';
import type { Model } from '../catalog.ts';
import type { Gateway } from '../gateway.ts';
import { callOf } from './call-of.ts';
import { writeCodexModels } from './codex-models.ts';

export function modelHandlers(gateway: Gateway): Handlers<'listModels'> {
  return {
    async listModels({ request, reply, query, ok }) {
      // Not before: a reload may have changed both.
      const { catalog, config } = gateway;
      const models = callableModels(callOf(request).principal, catalog);
      reply.header('cache-control', 'private, no-store');
      return ok({
        object: 'list',
        data: models.map(writeModel),
        // Codex alone says its version in the query.
        ...(config.codex.models && query.client_version !== undefined && { models: writeCodexModels(models, config.codex) }),
      });
    },
  };
}

const writeModel = ({ id, created, ownedBy }: Model) => ({ id, object: 'model' as const, created, owned_by: ownedBy });
