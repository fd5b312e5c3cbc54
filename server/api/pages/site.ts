/** Serves the documentation from a built folder. Each file is read at its first request and compressed once. */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { chooseEncoding, type Encoding, wantsHtml } from './encoding.ts';
import { NOT_FOUND_PAGE, openNotFoundPage } from './not-found-page.ts';
import { findContentType, isImmutableName } from './page-folder.ts';
import { getPagePath, getRelativeRoot, getRelativeUrl, trimSlashes } from './relative-url.ts';

export interface SiteOptions {
  readonly site: 'callers' | 'operators';
  /** Returns the gateway's base URL as this reader sees it, for the samples. */
  readonly getBase: (request: FastifyRequest) => string;
  /** The URL of the console or portal, relative to the site's root. Omitted if this listener serves neither. */
  readonly pages?: string | undefined;
  /** The folder of the built files. Defaults to the package's. */
  readonly folder?: string;
}

const DOCS_ROOT = '/docs/';
const distFolder = fileURLToPath(new URL('../../../docs/site/dist', import.meta.url));

/** Allows only the site's own files: no inline script or style, nothing from other origins, no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Registers `/docs` and everything below it. */
export function registerSite(app: FastifyInstance, { site, getBase, pages, folder = join(distFolder, site) }: SiteOptions): void {
  const names = new Set(listFileNames(folder));
  // The 404 page isn't served at its own URL.
  const renderNotFound = names.delete(NOT_FOUND_PAGE) ? openNotFoundPage(folder) : null;
  const files = new Map<string, Promise<SiteFile>>();
  app.get('/docs', (_request, reply) => reply.redirect('docs/', 308));
  app.get('/docs/gateway.json', (request, reply) =>
    reply.headers({ ...securityHeaders, 'cache-control': 'no-store', vary: 'host' }).send({ base: getBase(request), pages: pages ?? null }),
  );
  app.get('/docs/*', async (request, reply) => {
    if (names.size === 0) return sendNotBuilt(reply);
    const path = getPagePath(request);
    const name = findFileName(path, names);
    if (name === undefined) {
      if (renderNotFound === null || !wantsHtml(request))
        throw new GatewayError<AddressCode>('unknown_url', { message: 'Page not found in the documentation.' });
      return sendHtml(reply.code(404), renderNotFound(path, getRelativeRoot(request, DOCS_ROOT)));
    }
    if (toUrlPath(name) !== path) return reply.redirect(getRelativeUrl(request, DOCS_ROOT, toUrlPath(name)), 308);
    const file = files.get(name) ?? openFile(join(folder, name));
    files.set(name, file);
    return sendFile(request, reply, await file);
  });
}

/** A file and its compressed variants, created on first use. */
interface SiteFile {
  readonly name: string;
  readonly plain: Buffer;
  readonly hash: string;
  readonly packed: Map<Encoding, Promise<Buffer>>;
}

async function openFile(path: string): Promise<SiteFile> {
  const plain = await readFile(path);
  return { name: path, plain, hash: createHash('sha256').update(plain).digest('base64url').slice(0, 22), packed: new Map() };
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Finds the file for a path in any form. The list of files is closed, so no path leads out of the folder. */
function findFileName(path: string, names: ReadonlySet<string>): string | undefined {
  const trimmedPath = trimSlashes(path);
  const candidates = trimmedPath === '' ? ['index.html'] : [trimmedPath, `${trimmedPath}.html`, `${trimmedPath}/index.html`];
  return candidates.find((name) => names.has(name) && findContentType(name) !== undefined);
}

/** `guides/codex.html` is served at `guides/codex`, and a folder's index at the folder with a trailing slash. */
const toUrlPath = (name: string): string => name.replace(/(^|\/)index\.html$|\.html$/, '$1');

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

async function sendFile(request: FastifyRequest, reply: FastifyReply, { name, plain, hash, packed }: SiteFile): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const etag = `"${hash}${encoding === null ? '' : `-${encoding}`}"`;
  reply.headers({
    ...securityHeaders,
    etag,
    vary: 'accept-encoding',
    'cache-control': isImmutableName(name) ? IMMUTABLE_CACHE_CONTROL : 'no-cache',
  });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(findContentType(name) ?? 'application/octet-stream');
  if (encoding === null) return reply.send(plain);
  const body = packed.get(encoding) ?? compressors[encoding](plain);
  packed.set(encoding, body);
  return reply.header('content-encoding', encoding).send(await body);
}

const NOT_BUILT_HTML = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Modelgate</title>
<p>The documentation of this gateway was not built. In its folder, run <code>npm run docs</code> and start it again.</p>
</html>
`;

const sendNotBuilt = (reply: FastifyReply): FastifyReply => sendHtml(reply.code(503), NOT_BUILT_HTML);

const sendHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .headers({ ...securityHeaders, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html);
