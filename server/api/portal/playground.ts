/** Mounts the calls of the playground: real calls, charged to the account of the session. */

import type { FastifyInstance } from 'fastify';
import { playgroundContract } from '../../../contract/portal/playground.ts';
import { toPrincipal } from '../../access/authenticate.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { BodyMemory } from '../../limits/body-memory.ts';
import { decompressBodies } from '../http/decompress-bodies.ts';
import { registerJsonParser } from '../http/json-parser.ts';
import { setResponseHeaders } from '../http/response-headers.ts';
import { createRegistrar } from '../http/ts-rest.ts';
import { createAuthHook } from '../v1/auth-hook.ts';
import { createImageHandlers } from '../v1/images.ts';
import { createTextGenerationHandlers } from '../v1/text-generation.ts';
import { createUsageHandlers } from '../v1/usage.ts';
import { identifyPortalUser } from './portal-user.ts';

const registerPlaygroundRoutes = createRegistrar(playgroundContract);

export async function mountPlayground(scope: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  const { validateResponses, server } = gateway.config;
  registerJsonParser(scope);
  decompressBodies(scope);
  setResponseHeaders(scope);
  scope.addHook('onRoute', (route) => {
    if (route.url === playgroundContract.editImages.path) route.bodyLimit = server.uploadLimitBytes;
  });
  scope.addHook('onSend', async (_, reply) => {
    reply.header('cache-control', 'no-store, no-transform');
  });
  scope.addHook(
    'onRequest',
    createAuthHook(gateway, bodyMemory, { identify: async (request) => toPrincipal((await identifyPortalUser(request, gateway)).key) }),
  );
  await registerPlaygroundRoutes(
    scope,
    { ...createTextGenerationHandlers(gateway), ...createImageHandlers(gateway), getUsage: createUsageHandlers(gateway).getUsage },
    { checkAnswers: validateResponses },
  );
}
