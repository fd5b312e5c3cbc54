/** Serves the OpenAPI documents and the documentation. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerSite, type SiteOptions } from '../pages/site.ts';
import { getOrigin, trimBaseUrl } from './origin.ts';

export interface DocumentsOptions {
  /** The callers' base URL, if their Host header doesn't show it. With or without `/v1`. */
  readonly baseUrl?: string;
  /** OpenAPI documents by URL path, as files of docs/generated. Defaults to the callers' API. */
  readonly documents?: Readonly<Record<string, string>>;
  /** Where `/` redirects to, as a relative URL. Defaults to `docs/`. */
  readonly home?: string;
  /** The documentation to serve. */
  readonly site?: SiteOptions['site'];
  readonly pages?: SiteOptions['pages'];
}

const callerDocuments = { '/openapi.json': 'openapi.json', '/openapi-3.2.json': 'openapi-3.2.json' };

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** A strong ETag: equal tags mean equal bytes. */
const computeEtag = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

const sharedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The browser caches the page but revalidates it each time: a new version shows immediately, and an unchanged one is a 304.
  'cache-control': 'no-cache',
};

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, body, etag }: Asset) {
  reply.headers({ ...sharedHeaders, etag });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** Splits the document where the base URL goes: in its server, samples and introduction. */
function readDocument(file: string): readonly string[] {
  const document = JSON.parse(readFileSync(new URL(`../../../docs/generated/${file}`, import.meta.url), 'utf8'));
  const [{ description, variables }] = document.servers;
  const base: string = variables.base.default;
  return JSON.stringify({ ...document, servers: [{ url: base, description }] }).split(base);
}

/** Maximum cached documents. Callers choose the host, so the number is bounded; the oldest is dropped first. */
const MAX_CACHED_DOCUMENTS = 16;

/** Caches the document by base URL: it has half a megabyte, and all readers share the bytes. */
export function createDocumentCache(pieces: readonly string[]): (base: string) => Asset {
  const cache = new Map<string, Asset>();
  return (base) => {
    const cachedAsset = cache.get(base);
    if (cachedAsset) return cachedAsset;
    const body = Buffer.from(pieces.join(base));
    const asset = { type: 'application/json; charset=utf-8', body, etag: computeEtag(body) };
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED_DOCUMENTS && oldest !== undefined) cache.delete(oldest);
    cache.set(base, asset);
    return asset;
  };
}

/** Registers `/`, everything below `/docs`, and the OpenAPI documents. */
export function registerDocuments(app: FastifyInstance, options: DocumentsOptions = {}): void {
  const configuredBase = options.baseUrl === undefined ? null : trimBaseUrl(options.baseUrl);
  const getDocumentBase = (request: FastifyRequest): string => configuredBase ?? getOrigin(request);

  app.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) => reply.redirect(options.home ?? 'docs/', 302));
  registerSite(app, { site: options.site ?? 'callers', getBase: getDocumentBase, pages: options.pages });
  for (const [url, file] of Object.entries(options.documents ?? callerDocuments)) {
    // Read on the first request, because it's a megabyte.
    let getDocument: ReturnType<typeof createDocumentCache> | null = null;
    app.get(url, (request, reply) => {
      getDocument ??= createDocumentCache(readDocument(file));
      return sendAsset(request, reply.header('vary', 'host'), getDocument(getDocumentBase(request)));
    });
  }
}
