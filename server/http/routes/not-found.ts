/** Answers wrong addresses (404) and wrong methods (405) in the contract's shape, with a hint at what was meant. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { contract } from '../../../contract/index.ts';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import { GatewayError } from '../../errors.ts';
import { withoutSlashesBehind } from '../../pages/address.ts';

/** A path of the contract and the methods that it accepts. */
interface Address {
  readonly url: string;
  /** The path as the reference writes it: parameters in braces. */
  readonly shown: string;
  readonly pattern: RegExp;
  readonly taken: readonly string[];
}

const takenWith = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

type Routes = readonly { readonly path: string; readonly method: string }[];

const addressesOf = (routes: Routes): Address[] =>
  [...new Set(routes.map(({ path }) => path))].map((url) => ({
    url,
    shown: url.replace(/:(\w+)/g, '{$1}'),
    pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
    taken: routes.flatMap(({ path, method }) => (path === url ? takenWith(method) : [])),
  }));

const addresses: readonly Address[] = addressesOf(Object.values(contract));
const addressAt = (path: string) => addresses.find(({ pattern }) => pattern.test(path));

/** Operations of other servers whose last segment would match an id here, with what to do instead. */
const absent: Readonly<Record<string, string>> = {
  '/v1/responses/compact':
    'This gateway does not compact conversations. Ask for a summary with POST /v1/responses and go on from that, or drop old items from the input.',
};

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Registers, at each address of these routes, a refusal of all other methods. */
export function refuseOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const address of addressesOf(routes)) {
    app.route({
      url: address.url,
      method: methods.filter((method) => !address.taken.includes(method)),
      // In `onRequest`, before the body, which may be of any kind.
      onRequest: async ({ method }) => {
        throw wrongMethod(address, method);
      },
      handler: async () => null,
    });
  }
}

export function registerNotFound(app: FastifyInstance): void {
  refuseOtherMethods(app, Object.values(contract));
  // More specific than `/v1/responses/{id}`, which would answer that this id accepts no POST.
  for (const [url, message] of Object.entries(absent)) {
    app.post(url, { onRequest: async () => Promise.reject(new GatewayError<AddressCode>('unknown_url', { message })) }, async () => null);
  }
  // Refused before the body is read; the handler never runs.
  app.addHook('onRequest', (request, _reply, done) => done(nowhere(request)));
  app.setNotFoundHandler(async () => null);
}

/** The error of a wrong address; undefined when a route matches. */
function nowhere(request: FastifyRequest): GatewayError | undefined {
  if (hasEmptyParameter(request)) return unknown(request);
  if (!request.is404) return undefined;
  const address = addressAt(pathOf(request));
  return address ? wrongMethod(address, request.method) : unknown(request);
}

/** The router matches an empty segment as a parameter; no operation has an empty one. `*` is the rest of the address of a page. */
const hasEmptyParameter = ({ params }: FastifyRequest) =>
  Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === '');

function wrongMethod({ shown, taken }: Address, used: string): GatewayError {
  return new GatewayError<AddressCode>('method_not_allowed', {
    message: `${shown} takes ${taken.filter((method) => method !== 'HEAD').join(' or ')}, not ${used}.`,
    headers: { allow: taken.join(', ') },
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** Operations of other servers: their callers have the right base URL and the wrong operation. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/embeddings$/, 'This gateway makes no embeddings.'],
  [/^\/v1\/messages(?:\/|$)/, 'Callers speak chat or responses with this gateway, not Anthropic Messages.'],
  [/^\/v1\/completions$/, 'Use POST /v1/chat/completions.'],
  [/^\/v1\/(?!v1\/)[^/]/, 'This gateway has no such operation.'],
];

/** Answers any other wrong address. Most come from base URLs without `/v1`, or with it twice. */
function unknown(request: FastifyRequest): GatewayError {
  const path = pathOf(request);
  const meant = [`/v1${path}`, path.replace(/^\/v1(?=\/v1\/)/, ''), withoutSlashesBehind(path)];
  const known = meant.some((one) => addressAt(one));
  const missing = known || path.includes('//') ? undefined : elsewhere.find(([pattern]) => pattern.test(path))?.[1];
  if (missing !== undefined) {
    const operations = addresses.filter(({ shown }) => shown.startsWith('/v1/')).map(({ shown }) => shown);
    return new GatewayError<AddressCode>('unknown_url', {
      message: `There is nothing at this address. ${missing} Here are ${operations.join(', ')}.`,
    });
  }
  const origin = `${request.protocol}://${hostOf(request)}`;
  // Clients of other makers append `/v1` themselves: the right base URL is then the one without it.
  const doubled = ` '/v1' is there twice. Use ${origin}/v1 as the base URL of an SDK, or ${origin} for a client that adds '/v1' by itself.`;
  const hint = known ? (path.startsWith('/v1/v1/') ? doubled : ` The base URL of a client is ${origin}/v1.`) : '';
  return new GatewayError<AddressCode>('unknown_url', {
    message: `There is nothing at this address.${hint || " The base URL of a client ends in '/v1'."}`,
  });
}

/** The caller's Host header, repeated in a message only when it looks like a host. */
const hostOf = ({ host }: FastifyRequest) => (/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : '<host>');
