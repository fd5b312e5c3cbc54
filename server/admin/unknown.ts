/** Unknown addresses and methods of the operators' API, answered with an error of the contract, before key and body are read. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { adminContract } from '../../contract/admin.ts';
import type { AdminAddressCode } from '../../contract/admin-errors.ts';
import { GatewayError } from '../errors.ts';

const routes = Object.values(adminContract).map(({ path, method }) => ({
  shown: path.replace(/:(\w+)/g, '{$1}'),
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  method,
}));

export function registerUnknown(app: FastifyInstance): void {
  // Thrown before the body is read; the handler is never reached.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nowhere(request) : undefined));
  app.setNotFoundHandler(async () => null);
}

function nowhere({ url, method }: FastifyRequest): GatewayError {
  const path = url.split('?', 1)[0] ?? '';
  const here = routes.filter(({ pattern }) => pattern.test(path));
  const [first] = here;
  if (!first)
    return new GatewayError<AdminAddressCode>('unknown_url', {
      message: 'There is nothing at this address. The operator’s API begins with /admin/v1.',
    });
  const taken = [...new Set(here.map((one) => one.method))];
  return new GatewayError<AdminAddressCode>('method_not_allowed', {
    message: `${first.shown} takes ${taken.join(' or ')}, not ${method}.`,
    headers: { allow: taken.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ') },
  });
}
