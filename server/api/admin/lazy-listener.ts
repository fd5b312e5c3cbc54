/** Opens the admin app when its first request arrives, because most processes serve only calls. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';
import type { AdminAddressCode } from '../../../contract/admin/errors.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { nodeHttp } from '../../primitives/node-http.ts';
import { rejectBrokenRequest, writeErrorToSocket } from '../http/errors.ts';
import type { AdminListenerOptions } from './listener.ts';
import type { Operations } from './operations.ts';
import { createServerOptions } from './server-options.ts';

/** Returns an app that forwards its requests to the admin app. */
export function openLazyAdminListener(operations: Operations, options: AdminListenerOptions): FastifyInstance {
  let opening: Promise<FastifyInstance> | undefined;
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    opening ??= openReadyListener(operations, options);
    try {
      (await opening).routing(request, response);
    } catch (err) {
      // The next request tries again.
      opening = undefined;
      options.log.error({ err }, "the admin API can't be opened");
      writeErrorToSocket(new GatewayError<AdminAddressCode>('internal_error'), request.socket);
    }
  };
  const app = fastify({
    logger: false,
    ...createServerOptions(options.arrivalMs),
    clientErrorHandler: rejectBrokenRequest,
    serverFactory: (_, serverOptions) => createHttpServer(serverOptions, forward),
  });
  app.addHook('preClose', async () => {
    const opened = await opening?.catch(() => undefined);
    await opened?.close();
  });
  return app;
}

async function openReadyListener(operations: Operations, options: AdminListenerOptions): Promise<FastifyInstance> {
  const { openAdminListener } = await import('./listener.ts');
  const listener = await openAdminListener(operations, options);
  await listener.ready();
  return listener;
}

/** Does what Fastify does without a server factory. */
function createHttpServer(
  { http = {}, requestTimeout = 0, keepAliveTimeout = 0 }: FastifyServerOptions & { readonly http?: object },
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const server = nodeHttp.createServer(http, (request, response) => void listener(request, response));
  server.requestTimeout = requestTimeout;
  server.keepAliveTimeout = keepAliveTimeout;
  return server;
}
