/** Answers wrong addresses (404) and wrong methods (405) in the contract's shape, with a hint at what was meant. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { contract } from '../../../contract/index.ts';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import { GatewayError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { withoutSlashesBehind } from '../../pages/address.ts';
import { registerSite, type SiteOrder } from '../../pages/site.ts';

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
/** An address without a parameter is meant before one that has it. */
const addressAt = (path: string) => addresses.find(({ url }) => url === path) ?? addresses.find(({ pattern }) => pattern.test(path));

/** Operations of other servers whose last segment would match an ID here, with what to do instead. */
const absent: Readonly<Record<string, string>> = {
  '/v1/responses/compact':
    "Compaction isn't supported at this endpoint. If your model's provider supports it, send POST /v1/responses with { type: 'compaction_trigger' } as the last input item. Otherwise, ask the model for a summary and continue from it.",
};

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Registers, at each address of these routes, a refusal of all other methods. */
export function rejectOtherMethods(app: FastifyInstance, routes: Routes): void {
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
  rejectOtherMethods(app, Object.values(contract));
  // More specific than `/v1/responses/{id}`, which would answer that this ID accepts no POST.
  for (const [url, message] of Object.entries(absent)) {
    app.post(url, { onRequest: async () => Promise.reject(new GatewayError<AddressCode>('unknown_url', { message })) }, async () => null);
  }
  // Rejected before the body is read; the handler never runs.
  app.addHook('onRequest', (request, _reply, done) => done(nowhere(request)));
  app.setNotFoundHandler(async () => null);
}

/** The error of a wrong address; undefined if a route matches. */
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
    message: `${used} isn't supported at ${shown}. Use ${taken.filter((method) => method !== 'HEAD').join(' or ')}.`,
    headers: { allow: taken.join(', ') },
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** Operations of other servers: their callers have the right base URL and the wrong operation. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/embeddings$/, "Embeddings aren't supported."],
  [/^\/v1\/messages(?:\/|$)/, "The Anthropic Messages API isn't supported. Use /v1/chat/completions or /v1/responses."],
  [/^\/v1\/completions$/, "The legacy Completions API isn't supported. Use /v1/chat/completions."],
  [/^\/v1\/(?!v1\/)[^/]/, "This gateway doesn't have this endpoint."],
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
      message: `Not found. ${missing} Available endpoints: ${operations.join(', ')}.`,
    });
  }
  const origin = `${request.protocol}://${hostOf(request)}`;
  // Clients of other makers append `/v1` themselves: the right base URL is then the one without it.
  const doubled = ` '/v1' appears twice. Use ${origin}/v1 as the base URL of an SDK, or ${origin} for a client that adds '/v1' itself.`;
  const hint = known ? (path.startsWith('/v1/v1/') ? doubled : ` Use ${origin}/v1 as the base URL of your client.`) : '';
  return new GatewayError<AddressCode>('unknown_url', {
    message: `Not found.${hint || " Check that your client's base URL ends in '/v1'."}`,
  });
}

/** The caller's Host header, repeated in a message only when it looks like a host. */
const hostOf = ({ host }: FastifyRequest) => (/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : '<host>');

export interface PagesOptions {
  /** The base URL that callers use, when their Host header doesn't show it. With or without `/v1`. */
  readonly baseUrl?: string;
  /** OpenAPI documents by their address, as files of docs/generated; default: those of the callers' API. */
  readonly documents?: Readonly<Record<string, string>>;
  /** Where `/` leads, as a relative address; default: `docs/`. */
  readonly home?: string;
  /** Which documentation is served. */
  readonly site?: SiteOrder['site'];
  readonly pages?: SiteOrder['pages'];
}

const callerDocuments = { '/openapi.json': 'openapi.json', '/openapi-3.2.json': 'openapi-3.2.json' };

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** A strong ETag: equal tags mean equal bytes. */
const tagOf = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

const sharedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The browser caches the page but revalidates it each time: a new version shows immediately, an unchanged one is a 304.
  'cache-control': 'no-cache',
};

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, body, etag }: Asset) {
  reply.headers({ ...sharedHeaders, etag });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** Splits the document where the base URL goes in: its server, its samples and its introduction. */
function readDocument(file: string): readonly string[] {
  const document = JSON.parse(readFileSync(new URL(`../../../docs/generated/${file}`, import.meta.url), 'utf8'));
  const [{ description, variables }] = document.servers;
  const base: string = variables.base.default;
  return JSON.stringify({ ...document, servers: [{ url: base, description }] }).split(base);
}

/** Documents in the cache. Callers choose the host, so the number is bounded; the oldest is dropped first. */
const MAX_KEPT_DOCUMENTS = 16;

/** Caches the document by base URL: it has half a megabyte, and all its readers share the bytes. */
export function keepDocuments(pieces: readonly string[]): (base: string) => Asset {
  const kept = new Map<string, Asset>();
  return (base) => {
    const found = kept.get(base);
    if (found) return found;
    const body = Buffer.from(pieces.join(base));
    const made = { type: 'application/json; charset=utf-8', body, etag: tagOf(body) };
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT_DOCUMENTS && oldest !== undefined) kept.delete(oldest);
    kept.set(base, made);
    return made;
  };
}

/** Registers `/`, `/docs` with everything below it, and the documents. */
export function registerPages(app: FastifyInstance, options: PagesOptions = {}): void {
  const configured = options.baseUrl === undefined ? null : trimBase(options.baseUrl);
  const baseFor = (request: FastifyRequest): string => configured ?? baseOf(request);

  app.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) => reply.redirect(options.home ?? 'docs/', 302));
  registerSite(app, { site: options.site ?? 'callers', baseFor, pages: options.pages });
  for (const [url, file] of Object.entries(options.documents ?? callerDocuments)) {
    // Read at the first request, because it is a megabyte.
    let documents: ReturnType<typeof keepDocuments> | null = null;
    app.get(url, (request, reply) => {
      documents ??= keepDocuments(readDocument(file));
      return sendAsset(request, reply.header('vary', 'host'), documents(baseFor(request)));
    });
  }
}

/** `/livez`: the process answers. `/readyz`: it accepts requests. Neither asks an upstream. */
export function registerHealth(app: FastifyInstance, gateway: Gateway, describeOverload: () => string | null): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isStopping = isClosing || gateway.isStopping;
    if (isStopping || !(await gateway.isReady())) {
      const message = isStopping ? 'The gateway is shutting down.' : "The gateway isn't ready: its store doesn't respond.";
      const { status, body } = new GatewayError<AddressCode>('overloaded', { message });
      return reply.code(status).header('retry-after', '1').send(body);
    }
    const overload = describeOverload();
    const details = [...gateway.details(), ...(overload === null ? [] : [overload])];
    return { status: 'ok', ...(details.length > 0 && { details }) };
  });
}

/** A host name or an address, with an optional port; no character that could end a URL, a sample or a JSON string. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Removes `/v1` and slashes from the end of a configured base URL. */
export const trimBase = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');

function listeningHost({ socket }: FastifyRequest): string {
  const address = socket.localAddress ?? '127.0.0.1';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** From the Host header when it is valid, otherwise from the socket. */
export function baseOf(request: FastifyRequest): string {
  const host = request.headers.host ?? '';
  return `${request.protocol}://${HOST.test(host) ? host : listeningHost(request)}`;
}
