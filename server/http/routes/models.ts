/** GET /v1/models and /v1/models/{model}: lists exactly the models that the key can call. */
import type { Model as ListedModel } from '../../../contract/models.ts';
import { callableModels } from '../../access/permissions.ts';
import type { Model } from '../../config/catalog.ts';
import { type ErrorOf, GatewayError, shown } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { callOf } from '../entrance.ts';
import type { Handlers } from '../ts-rest.ts';
import { writeCodexModels } from './codex-models.ts';

export function modelHandlers(gateway: Gateway): Handlers<'listModels' | 'getModel'> {
  return {
    async listModels({ request, reply, query, ok }) {
      // Read for each request: a reload may have replaced both.
      const { catalog, config } = gateway;
      const models = callableModels(callOf(request).principal, catalog);
      reply.header('cache-control', 'private, no-store');
      return ok({
        object: 'list',
        data: models.map(writeModel),
        // Only Codex sends its version in the query.
        ...(config.codex.models && query.client_version !== undefined && { models: writeCodexModels(models, config.codex) }),
      });
    },
    async getModel({ request, reply, params, ok }) {
      const model = callableModels(callOf(request).principal, gateway.catalog).find(({ id }) => id === params.model);
      if (!model) throw unknownModel(params.model);
      reply.header('cache-control', 'private, no-store');
      return ok(writeModel(model));
    },
  };
}

/** A model that only other keys may call is answered like one that does not exist. */
const unknownModel = (id: string): ErrorOf<'getModel', 404> =>
  new GatewayError('model_not_found', {
    param: 'model',
    message: `There is no model '${shown(id)}'. GET /v1/models lists what this key can call.`,
  });

const writeModel = ({ id, created, ownedBy }: Model): ListedModel => ({ id, object: 'model', created, owned_by: ownedBy });
