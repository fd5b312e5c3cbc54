/** The options of the route that a request is for, read once: Fastify makes a new object of twelve fields each time. */
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until they are read; use `routeOptionsOf`. */
    keptRouteOptions: FastifyRequest['routeOptions'] | null;
  }
}

/** Not for use after `reply.callNotFound()`, which changes the route. */
export function routeOptionsOf(request: FastifyRequest): FastifyRequest['routeOptions'] {
  request.keptRouteOptions ??= request.routeOptions;
  return request.keptRouteOptions;
}
