/** Around the operations: health for whoever runs the process, and an answer in the contract's shape for every other address. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { contract } from '../../../contract/index.ts';
import { GatewayError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';

/** `/livez`: the process answers. `/readyz`: it takes work. Neither touches an upstream. */
export function registerHealth(app: FastifyInstance, gateway: Gateway, describeOverload: () => string | null): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isStopping = isClosing || gateway.isStopping;
    if (isStopping || !(await gateway.isReady())) {
      const message = isStopping ? 'The gateway is stopping.' : 'The gateway is not ready: its store does not answer.';
      const { status, body } = new GatewayError('overloaded', { message });
      return reply.code(status).header('retry-after', '1').send(body);
    }
    const overload = describeOverload();
    const details = [...gateway.details(), ...(overload === null ? [] : [overload])];
    return { status: 'ok', ...(details.length > 0 && { details }) };
  });
}

/** An address of the contract, as the router writes it, and all that is taken there. */
interface Address {
  readonly url: string;
  /** As the reference writes it: a parameter in braces. */
  readonly shown: string;
  readonly pattern: RegExp;
  readonly taken: readonly string[];
}

const takenWith = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

const addresses: readonly Address[] = [...new Set(Object.values(contract).map(({ path }) => path))].map((url) => ({
  url,
  shown: url.replace(/:(\w+)/g, '{$1}'),
  pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
  taken: Object.values(contract).flatMap(({ path, method }) => (path === url ? takenWith(method) : [])),
}));
const addressAt = (path: string) => addresses.find(({ pattern }) => pattern.test(path));

/** Operations that other servers have under an address that here would be taken for an id, and what to do instead. */
const absent: Readonly<Record<string, string>> = {
  '/v1/responses/compact':
    'This gateway does not compact conversations. Ask for a summary with POST /v1/responses and go on from that, or drop old items from the input.',
};

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function registerUnknown(app: FastifyInstance): void {
  for (const address of addresses) {
    app.route({
      url: address.url,
      method: methods.filter((method) => !address.taken.includes(method)),
      // Ahead of the body, which may be of any kind.
      onRequest: async ({ method }) => {
        throw wrongMethod(address, method);
      },
      handler: async () => null,
    });
  }
  // Ahead of `/v1/responses/{id}`, which would answer that this id takes no POST.
  for (const [url, message] of Object.entries(absent)) {
    app.post(url, { onRequest: async () => Promise.reject(new GatewayError('unknown_url', { message })) }, async () => null);
  }
  // Thrown ahead of the body; the handler is never reached.
  app.addHook('onRequest', (request, _reply, done) => done(nowhere(request)));
  app.setNotFoundHandler(async () => null);
}

/** Undefined where the address and the method are of a route. */
function nowhere(request: FastifyRequest): GatewayError | undefined {
  if (hasEmptyParameter(request)) return unknown(request);
  if (!request.is404) return undefined;
  const address = addressAt(pathOf(request));
  return address ? wrongMethod(address, request.method) : unknown(request);
}

/** The router takes nothing between two slashes for a parameter; there is nothing at that address. */
const hasEmptyParameter = ({ params }: FastifyRequest) => Object.values(params ?? {}).includes('');

function wrongMethod({ shown, taken }: Address, used: string): GatewayError {
  return new GatewayError('method_not_allowed', {
    message: `${shown} takes ${taken.filter((method) => method !== 'HEAD').join(' or ')}, not ${used}.`,
    headers: { allow: taken.join(', ') },
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** From the end: a pattern would look from each slash before it, too. */
function withoutSlashesBehind(path: string): string {
  let length = path.length;
  while (path[length - 1] === '/') length--;
  return path.slice(0, length);
}

/** Operations of other servers, whose callers have the right base URL. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/embeddings$/, 'This gateway makes no embeddings.'],
  [/^\/v1\/messages(?:\/|$)/, 'Callers speak chat or responses with this gateway, not Anthropic Messages.'],
  [/^\/v1\/completions$/, 'Use POST /v1/chat/completions.'],
  [/^\/v1\/(?!v1\/)[^/]/, 'This gateway has no such operation.'],
];

/** Most other wrong addresses are base URLs without `/v1`, or with it twice. */
function unknown(request: FastifyRequest): GatewayError {
  const path = pathOf(request);
  const meant = [`/v1${path}`, path.replace(/^\/v1(?=\/v1\/)/, ''), withoutSlashesBehind(path)];
  const known = meant.some((one) => addressAt(one));
  const missing = known || path.includes('//') ? undefined : elsewhere.find(([pattern]) => pattern.test(path))?.[1];
  if (missing !== undefined) {
    const operations = addresses.filter(({ shown }) => shown.startsWith('/v1/')).map(({ shown }) => shown);
    return new GatewayError('unknown_url', { message: `There is nothing at this address. ${missing} Here are ${operations.join(', ')}.` });
  }
  const hint = known ? ` The base URL of a client is ${request.protocol}://${hostOf(request)}/v1.` : '';
  return new GatewayError('unknown_url', {
    message: `There is nothing at this address.${hint || " The base URL of a client ends in '/v1'."}`,
  });
}

/** The host is the caller's own word: it goes back only where it is plainly a host. */
const hostOf = ({ host }: FastifyRequest) => (/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : '<host>');
