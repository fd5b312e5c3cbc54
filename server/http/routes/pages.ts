/** Serves the OpenAPI document and the documentation, without a key and without files of other origins. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerSite, type SiteOrder } from '../../pages/site.ts';
import { baseOf, trimBase } from './base-url.ts';

export interface PagesOptions {
  /** The base URL that callers use, when their Host header does not show it. With or without `/v1`. */
  readonly baseUrl?: string;
  /** A file of docs/; default: the document of the callers' API. */
  readonly document?: string;
  /** Where `/` leads, as a relative address; default: `docs/`. */
  readonly home?: string;
  /** Which documentation is served. */
  readonly site?: SiteOrder['site'];
}

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
  // The browser caches the page but revalidates it each time: a new version shows at once, an unchanged one is a 304.
  'cache-control': 'no-cache',
};

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, body, etag }: Asset) {
  reply.headers({ ...sharedHeaders, etag });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** Splits the document where the base URL goes in: its server, its samples and its introduction. */
function readDocument(file: string): readonly string[] {
  const document = JSON.parse(readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8'));
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

/** Registers `/`, `/docs` with everything below it, and `/openapi.json`. */
export function registerPages(app: FastifyInstance, options: PagesOptions = {}): void {
  const configured = options.baseUrl === undefined ? null : trimBase(options.baseUrl);
  const documentFor = keepDocuments(readDocument(options.document ?? 'openapi.json'));
  const baseFor = (request: FastifyRequest): string => configured ?? baseOf(request);

  app.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) => reply.redirect(options.home ?? 'docs/', 302));
  registerSite(app, { site: options.site ?? 'callers', baseFor });
  app.get('/openapi.json', (request, reply) => sendAsset(request, reply.header('vary', 'host'), documentFor(baseFor(request))));
}
