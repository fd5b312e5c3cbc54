/** Rejects unknown URLs (404) and wrong methods (405) in the contract's shape, with a hint about the URL that was probably meant. */

import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { contract } from '../../../contract/index.ts';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { trimSlashes } from '../pages/relative-url.ts';

/** A path of the contract and its accepted methods. */
interface RoutePath {
  readonly url: string;
  /** The path with parameters in braces, like in the reference. */
  readonly shown: string;
  readonly pattern: RegExp;
  readonly taken: readonly string[];
}

const addHeadMethod = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

type Routes = readonly { readonly path: string; readonly method: string }[];

const toRoutePaths = (routes: Routes): RoutePath[] =>
  [...new Set(routes.map(({ path }) => path))].map((url) => ({
    url,
    shown: url.replace(/:(\w+)/g, '{$1}'),
    pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
    taken: routes.flatMap(({ path, method }) => (path === url ? addHeadMethod(method) : [])),
  }));

const routePaths: readonly RoutePath[] = toRoutePaths(Object.values(contract));
/** A path without parameters takes precedence over one with parameters. */
const findRoutePath = (path: string) => routePaths.find(({ url }) => url === path) ?? routePaths.find(({ pattern }) => pattern.test(path));

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Rejects all other methods at the paths of these routes. */
export function rejectOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const routePath of toRoutePaths(routes)) {
    app.route({
      url: routePath.url,
      method: allMethods.filter((method) => !routePath.taken.includes(method)),
      // In `onRequest`, so that a body of any kind isn't read.
      onRequest: async ({ method }) => {
        throw createMethodNotAllowedError(routePath, method);
      },
      handler: async () => null,
    });
  }
}

export function registerNotFound(app: FastifyInstance): void {
  rejectOtherMethods(app, Object.values(contract));
  // Rejects before the body is read; the handler never runs.
  app.addHook('onRequest', (request, _reply, done) => done(findUrlError(request)));
  app.setNotFoundHandler(async () => null);
}

/** Returns the error for a wrong URL, or undefined if a route matches. */
function findUrlError(request: FastifyRequest): GatewayError | undefined {
  if (hasEmptyParameter(request)) return createUnknownUrlError(request);
  if (!request.is404) return undefined;
  const routePath = findRoutePath(getPath(request));
  return routePath ? createMethodNotAllowedError(routePath, request.method) : createUnknownUrlError(request);
}

/** The router matches an empty segment as a parameter, but no operation has an empty one. `*` is the remaining path of a page. */
const hasEmptyParameter = ({ params }: FastifyRequest) =>
  Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === '');

function createMethodNotAllowedError({ shown, taken }: RoutePath, usedMethod: string): GatewayError {
  return new GatewayError<AddressCode>('method_not_allowed', {
    message: `${usedMethod} isn't supported at ${shown}. Use ${taken.filter((method) => method !== 'HEAD').join(' or ')}.`,
    headers: { allow: taken.join(', ') },
  });
}

const getPath = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** Operations that this gateway doesn't have. The base URL is right, so the hint names the operation instead. */
const unsupportedHints: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/embeddings$/, "Embeddings aren't supported."],
  [/^\/v1\/messages(?:\/|$)/, "The Anthropic Messages API isn't supported. Use /v1/chat/completions or /v1/responses."],
  [/^\/v1\/completions$/, "The legacy Completions API isn't supported. Use /v1/chat/completions."],
  [/^\/v1\/(?!v1\/)[^/]/, "This gateway doesn't have this endpoint."],
];

/** Explains any other wrong URL. Most come from base URLs without `/v1`, or with it twice. */
function createUnknownUrlError(request: FastifyRequest): GatewayError {
  const path = getPath(request);
  const candidates = [`/v1${path}`, path.replace(/^\/v1(?=\/v1\/)/, ''), trimSlashes(path)];
  const isKnown = candidates.some((one) => findRoutePath(one));
  const unsupportedHint = isKnown || path.includes('//') ? undefined : unsupportedHints.find(([pattern]) => pattern.test(path))?.[1];
  if (unsupportedHint !== undefined) {
    const operations = routePaths.filter(({ shown }) => shown.startsWith('/v1/')).map(({ shown }) => shown);
    return new GatewayError<AddressCode>('unknown_url', {
      message: `Not found. ${unsupportedHint} Available endpoints: ${operations.join(', ')}.`,
    });
  }
  const origin = `${request.protocol}://${getPrintableHost(request)}`;
  // Third-party clients append `/v1` themselves, so their base URL must not include it.
  const doubledPrefixHint = ` '/v1' appears twice. Use ${origin}/v1 as the base URL of an SDK, or ${origin} for a client that adds '/v1' itself.`;
  const formatHint = () => {
    if (path.startsWith('/v1/v1/') && isKnown) return doubledPrefixHint;
    if (/^\/v1\/?$/.test(path)) return ` This is the base URL. Operations are below it, such as ${origin}/v1/models.`;
    if (/^\/(?:v1\/)?health(?:z|check)?\/?$/.test(path)) return ' Health is reported at /livez and /readyz.';
    if (/^\/v1\/.*\/$/.test(path) && isKnown) return ` Remove the slash at the end: ${origin}${trimSlashes(path)}.`;
    return isKnown ? ` Use ${origin}/v1 as the base URL of your client.` : " Check that your client's base URL ends in '/v1'.";
  };
  return new GatewayError<AddressCode>('unknown_url', { message: `Not found.${formatHint()}` });
}

/** Returns the caller's Host header for a message, but only if it looks like a host. */
const getPrintableHost = ({ host }: FastifyRequest) => (/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : '<host>');
