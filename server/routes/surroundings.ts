/** Around the five operations: health for whoever runs the process, and an answer in the contract's shape for every other address. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { contract } from '../../contract/index.ts';
import { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';

/** `/livez`: the process answers. `/readyz`: it takes work. Neither touches an upstream. */
export function registerHealth(app: FastifyInstance, gateway: Gateway): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isClosing || !gateway.isReady()) {
      const message = isClosing ? 'The gateway is stopping.' : 'The gateway is not ready: its store does not answer.';
      const { status, body } = new GatewayError('overloaded', { message });
      return reply.code(status).header('retry-after', '1').send(body);
    }
    return { status: 'ok' };
  });
}

const paths = new Map(Object.values(contract).map(({ path, method }) => [path as string, method as string]));
const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function registerUnknown(app: FastifyInstance): void {
  for (const [url, method] of paths) {
    const rest = methods.filter((other) => !takenWith(method).includes(other));
    app.route({
      url,
      method: rest,
      // Ahead of the body, which may be of any kind.
      onRequest: async ({ method: used }) => {
        throw wrongMethod(url, used);
      },
      handler: async () => null,
    });
  }
  // Thrown ahead of the body; the handler is never reached.
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return;
    const path = pathOf(request);
    throw paths.has(path) ? wrongMethod(path, request.method) : unknown(request);
  });
  app.setNotFoundHandler(async () => null);
}

const takenWith = (method = '') => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

function wrongMethod(url: string, used: string): GatewayError {
  const method = paths.get(url);
  return new GatewayError('method_not_allowed', {
    message: `${url} takes ${method}, not ${used}.`,
    headers: { allow: takenWith(method).join(', ') },
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** Most wrong addresses are base URLs without `/v1`, or with it twice. */
function unknown(request: FastifyRequest): GatewayError {
  const path = pathOf(request);
  const known = paths.has(`/v1${path}`) || paths.has(path.replace(/^\/v1(?=\/v1\/)/, '')) || paths.has(path.replace(/\/+$/, ''));
  const hint = known ? ` The base URL of a client is ${request.protocol}://${hostOf(request)}/v1.` : '';
  return new GatewayError('unknown_url', {
    message: `There is nothing at this address.${hint || " The base URL of a client ends in '/v1'."}`,
  });
}

/** The host is the caller's own word: it goes back only where it is plainly a host. */
const hostOf = ({ host }: FastifyRequest) => (/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : '<host>');
