/** Registers the 404 response of the admin API, which suggests the URL that the caller probably meant. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AdminAddressCode } from '../../../contract/admin/errors.ts';
import { adminContract } from '../../../contract/admin/index.ts';
import { GatewayError } from '../../primitives/errors.ts';

const routes = Object.values(adminContract).map(({ path, method }) => ({
  shown: path.replace(/:(\w+)/g, '{$1}'),
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  method,
}));

export function registerNotFound(app: FastifyInstance): void {
  // Rejects before the body is read; the handler never runs.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? createUnknownUrlError(request) : undefined));
  app.setNotFoundHandler(async () => null);
}

function createUnknownUrlError({ url, method }: FastifyRequest): GatewayError {
  const path = url.split('?', 1)[0] ?? '';
  const matchingRoutes = routes.filter(({ pattern }) => pattern.test(path));
  const [firstRoute] = matchingRoutes;
  if (!firstRoute)
    return new GatewayError<AdminAddressCode>('unknown_url', {
      message: 'Not found. Paths of the admin API start with /admin/v1.',
    });
  const allowedMethods = [...new Set(matchingRoutes.map((one) => one.method))];
  return new GatewayError<AdminAddressCode>('method_not_allowed', {
    message: `${firstRoute.shown} accepts ${allowedMethods.join(' or ')}, not ${method}.`,
    headers: { allow: allowedMethods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ') },
  });
}
