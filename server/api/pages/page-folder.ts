/** Serves the console and the portal as static files from memory. A URL without a file name returns the page itself. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressCode } from '../../../contract/operation-errors.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { chooseEncoding, type Encoding, wantsHtml } from './encoding.ts';
import { getPagePath, getRelativeUrl, trimSlashes } from './relative-url.ts';

interface PageFolderOptions {
  /** The first path segment. */
  readonly at: 'console' | 'portal';
  /** The folder of the built files. Defaults to the package's. */
  readonly folder?: string;
}

const distFolders: Readonly<Record<PageFolderOptions['at'], string>> = {
  console: fileURLToPath(new URL('../../../client/pages/dist/operator', import.meta.url)),
  portal: fileURLToPath(new URL('../../../client/pages/dist/portal', import.meta.url)),
};

/** Allows nothing from other origins, no inline script or style, no framing, and no text that becomes HTML. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const deniedFeatures = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'microphone', 'payment', 'usb'];

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': deniedFeatures.map((name) => `${name}=()`).join(', '),
} as const;

const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Registers `/console/*` or `/portal/*`. */
export function registerPageFolder(app: FastifyInstance, { at, folder = distFolders[at] }: PageFolderOptions): void {
  // Read on the first request, because the files have a megabyte. All at once, so that an upgrade can't mix two versions.
  let files: PageFolder | null | undefined;
  const root = `/${at}/`;
  app.get(`/${at}`, (_request, reply) => reply.redirect(`${at}/`, 302));
  app.get(`/${at}/*`, (request, reply) => {
    const path = getPagePath(request);
    // The API below the portal has its own 404 errors.
    if (path === 'v1' || path.startsWith('v1/')) throw createNotFoundError();
    if (files === undefined) files = readPageFolder(folder);
    if (files === null) return sendNotBuilt(reply);
    if (path === INDEX_FILE) return reply.redirect(getRelativeUrl(request, root, ''), 308);
    if (path !== trimSlashes(path)) return reply.redirect(getRelativeUrl(request, root), 308);
    const file = files.get(isFileName(path) ? path : INDEX_FILE);
    const index = files.get(INDEX_FILE);
    if (file !== undefined) return sendFile(request, reply, file);
    // The page itself shows that this URL doesn't exist.
    if (index !== undefined && wantsHtml(request)) return sendFile(request, reply.code(404), index);
    throw createNotFoundError();
  });
}

const createNotFoundError = (): GatewayError => new GatewayError<AddressCode>('unknown_url', { message: 'Not found.' });

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const { encoding, variant } = chooseVariant(file, request.headers['accept-encoding']);
  reply.headers({
    ...securityHeaders,
    etag: variant.etag,
    vary: 'accept-encoding',
    'cache-control': file.isImmutable ? IMMUTABLE_CACHE_CONTROL : 'no-cache',
  });
  if (request.headers['if-none-match']?.includes(variant.etag)) return reply.code(304).send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(variant.body);
}

function chooseVariant(
  { plain, packed }: PageFile,
  acceptHeader?: string,
): { readonly encoding: Encoding | null; readonly variant: EncodedFile } {
  const encoding = chooseEncoding(acceptHeader, Object.keys(packed) as Encoding[]);
  return { encoding, variant: (encoding !== null && packed[encoding]) || plain };
}

const NOT_BUILT_HTML = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Modelgate</title>
<p>The console and the portal aren't built. Run <code>npm run pages</code>, then restart the gateway.</p>
</html>
`;

const sendNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ ...securityHeaders, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(NOT_BUILT_HTML);

interface EncodedFile {
  readonly body: Buffer;
  readonly etag: string;
}

interface PageFile {
  readonly type: string;
  readonly plain: EncodedFile;
  readonly packed: { readonly [E in Encoding]?: EncodedFile };
  /** Whether the name contains a content hash, so that the file never changes. */
  readonly isImmutable: boolean;
}
/** By path below the folder, with slashes. */
type PageFolder = ReadonlyMap<string, PageFile>;

const INDEX_FILE = 'index.html';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.yaml': 'text/yaml; charset=utf-8',
  '.yml': 'text/yaml; charset=utf-8',
  '.service': 'text/plain; charset=utf-8',
  '.conf': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const encodingSuffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Undefined for a file that isn't served. */
export const findContentType = (path: string): string | undefined => contentTypes[extname(path)];

/** Whether the name contains a content hash, like file names by Vite and Rolldown. */
export const isImmutableName = (path: string): boolean => /(?:^|\/)assets\/.+-[\w-]{8,}\.\w+$/.test(path);

/** Whether the path is a file's. Checks known extensions, since a model ID may contain a dot too. */
const isFileName = (path: string): boolean => Object.hasOwn(contentTypes, extname(path));

/** Null if there's no index, because the pages weren't built. */
function readPageFolder(folder: string): PageFolder | null {
  const names = listFileNames(folder);
  const files = new Map(names.filter(isFileName).map((name) => [name, readPage(folder, name, names)] as const));
  return files.has(INDEX_FILE) ? files : null;
}

function listFileNames(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readPage(folder: string, name: string, names: readonly string[]): PageFile {
  const readVariant = (suffix = ''): EncodedFile => {
    const body = readFileSync(join(folder, name + suffix));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  const hasVariant = (encoding: Encoding): boolean => names.includes(name + encodingSuffixes[encoding]);
  return {
    type: contentTypes[extname(name)] ?? 'application/octet-stream',
    plain: readVariant(),
    packed: {
      ...(hasVariant('br') && { br: readVariant(encodingSuffixes.br) }),
      ...(hasVariant('gzip') && { gzip: readVariant(encodingSuffixes.gzip) }),
    },
    isImmutable: isImmutableName(name),
  };
}
