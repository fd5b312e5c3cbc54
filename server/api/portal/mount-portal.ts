/** Mounts the portal API. */

import type { FastifyInstance } from 'fastify';
import type { PortalMetadata } from '../../../contract/portal/answers.ts';
import { portalContract } from '../../../contract/portal/index.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { findPortalOperation } from '../http/contract-breach.ts';
import { registerJsonParser } from '../http/json-parser.ts';
import { createRegistrar } from '../http/ts-rest.ts';
import { createAccountHistoryHandlers } from './account-history.ts';
import { createEstimateHandlers } from './estimates.ts';
import { createKeyHandlers } from './keys.ts';
import { createModelHandlers } from './models.ts';
import { identifyPortalUser } from './portal-user.ts';
import { createSessionHandlers } from './sessions.ts';

/** These bodies are short and are read before the user is identified. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** An estimate's body is longer and comes from a signed-in user. */
const ESTIMATE_BODY_LIMIT_BYTES = 1024 * 1024;

const registerPortalRoutes = createRegistrar(portalContract);

export async function mountPortal(scope: FastifyInstance, gateway: Gateway): Promise<void> {
  registerJsonParser(scope);
  scope.decorateRequest('portalUser', null);
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = route.url === portalContract.estimateCost.path ? ESTIMATE_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES;
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const operation = findPortalOperation(request);
    const metadata: PortalMetadata | null = operation && portalContract[operation].metadata;
    if (metadata?.isPublic !== true) request.portalUser = await identifyPortalUser(request, gateway);
  });
  const handlers = {
    ...createSessionHandlers(gateway),
    ...createAccountHistoryHandlers(gateway),
    ...createModelHandlers(gateway),
    ...createKeyHandlers(gateway),
    ...createEstimateHandlers(gateway),
  };
  await registerPortalRoutes(scope, handlers, { checkAnswers: gateway.config.validateResponses, rejectsQueries: true });
}
