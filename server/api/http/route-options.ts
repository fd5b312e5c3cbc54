/** Returns the route options of a request, and caches them. */
import type { FastifyRequest } from 'fastify';

/** Don't use after `reply.callNotFound()`, which changes the route. */
export function getRouteOptions(request: FastifyRequest): FastifyRequest['routeOptions'] {
  request.keptRouteOptions ??= request.routeOptions;
  return request.keptRouteOptions;
}
