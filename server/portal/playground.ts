/** Mounts the playground: calls of the portal's pages to four operations, as the key that has signed in. Checks, limits and charges are those of `/v1`. */
import type { FastifyInstance } from 'fastify';
import { playgroundContract } from '../../contract/portal-playground.ts';
import { principalOf } from '../access/authenticate.ts';
import type { Gateway } from '../gateway.ts';
import { unpackBodies } from '../http/body/decompress.ts';
import { acceptJson } from '../http/body/json.ts';
import { openEntrance } from '../http/entrance.ts';
import { tellGovernance } from '../http/response-headers.ts';
import { imageHandlers } from '../http/routes/images.ts';
import { textHandlers } from '../http/routes/text.ts';
import { usageHandlers } from '../http/routes/usage.ts';
import { registrarOf } from '../http/ts-rest.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import { identifyHolder } from './holder.ts';

const registerPlaygroundRoutes = registrarOf(playgroundContract);

export async function mountPlayground(scope: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  const { development: checkAnswers, server } = gateway.config;
  acceptJson(scope, ({ call }) => call.share);
  unpackBodies(scope);
  tellGovernance(scope);
  scope.addHook('onRoute', (route) => {
    if (route.url === playgroundContract.editImages.path) route.bodyLimit = server.uploadLimitBytes;
  });
  scope.addHook('onSend', async (_, reply) => {
    reply.header('cache-control', 'no-store, no-transform');
  });
  scope.addHook(
    'onRequest',
    openEntrance(gateway, bodyMemory, { identify: async (request) => principalOf((await identifyHolder(request, gateway)).key) }),
  );
  await registerPlaygroundRoutes(
    scope,
    { ...textHandlers(gateway), ...imageHandlers(gateway), getUsage: usageHandlers(gateway).getUsage },
    { checkAnswers },
  );
}
