/** Mounts the portal's API on the listener of the callers: a scope of its own that takes the portal's cookie, and never a key. */
import type { FastifyInstance } from 'fastify';
import { portalContract } from '../../contract/portal.ts';
import type { PortalMetadata } from '../../contract/portal-answers.ts';
import type { Gateway } from '../gateway.ts';
import { acceptJson } from '../http/body/json.ts';
import { registrarOf } from '../http/ts-rest.ts';
import { portalOperationOf } from '../operation-errors.ts';
import { identifyHolder } from './holder.ts';
import { keyHandlers } from './keys.ts';
import { modelHandlers } from './models.ts';
import { readHandlers } from './reads.ts';
import { sessionHandlers } from './sessions.ts';
import { weighHandlers } from './weigh.ts';

/** These bodies are short, and are read before anybody is known. */
const BODY_LIMIT = 64 * 1024;

/** The body of a call is longer, and comes from somebody who has signed in. */
const CALL_LIMIT = 1024 * 1024;

const registerPortalRoutes = registrarOf(portalContract);

export async function mountPortal(scope: FastifyInstance, gateway: Gateway): Promise<void> {
  acceptJson(scope);
  scope.decorateRequest('holder', null);
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = route.url === portalContract.weighCall.path ? CALL_LIMIT : BODY_LIMIT;
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const operation = portalOperationOf(request);
    const metadata: PortalMetadata | null = operation && portalContract[operation].metadata;
    if (metadata?.isPublic !== true) request.holder = await identifyHolder(request, gateway);
  });
  const handlers = {
    ...sessionHandlers(gateway),
    ...readHandlers(gateway),
    ...modelHandlers(gateway),
    ...keyHandlers(gateway),
    ...weighHandlers(gateway),
  };
  await registerPortalRoutes(scope, handlers, { checkAnswers: gateway.config.development, refusesQueries: true });
}
