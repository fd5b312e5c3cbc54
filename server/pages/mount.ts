/** Serves the console and the portal: static pages from memory, each address below them without a file name is the page itself. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressCode } from '../../contract/operation-errors.ts';
import { GatewayError } from '../errors.ts';
import { addressTo, chosenEncoding, type Encoding, pathIn, wantsHtml, withoutSlashesBehind } from './address.ts';

interface PagesOrder {
  /** The first part of their addresses. */
  readonly at: 'console' | 'portal';
  /** The folder of the built files; by default the one in the package. */
  readonly folder?: string;
}

const built: Readonly<Record<PagesOrder['at'], string>> = {
  console: fileURLToPath(new URL('../../client/pages/dist/operator', import.meta.url)),
  portal: fileURLToPath(new URL('../../client/pages/dist/portal', import.meta.url)),
};

/** Nothing from another origin, no inline script or style, no frame around it, and no text that becomes HTML. */
const policy = [
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

const features = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'microphone', 'payment', 'usb'];

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': features.map((name) => `${name}=()`).join(', '),
} as const;

const A_YEAR = 'public, max-age=31536000, immutable';

/** Registers `/console/*` or `/portal/*`. The files are read here, once. */
export function registerPageFolder(app: FastifyInstance, { at, folder = built[at] }: PagesOrder): void {
  const files = readPageFolder(folder);
  const root = `/${at}/`;
  app.get(`/${at}`, (_request, reply) => reply.redirect(`${at}/`, 302));
  app.get(`/${at}/*`, (request, reply) => {
    const path = pathIn(request);
    // The API below the portal answers what it does not have by itself.
    if (path === 'v1' || path.startsWith('v1/')) throw nothingHere();
    if (files === null) return sendNotBuilt(reply);
    if (path === INDEX) return reply.redirect(addressTo(request, root, ''), 308);
    if (path !== withoutSlashesBehind(path)) return reply.redirect(addressTo(request, root), 308);
    const file = files.get(isFileName(path) ? path : INDEX);
    const index = files.get(INDEX);
    if (file !== undefined) return sendFile(request, reply, file);
    // The page itself says that it has none at this address.
    if (index !== undefined && wantsHtml(request)) return sendFile(request, reply.code(404), index);
    throw nothingHere();
  });
}

const nothingHere = (): GatewayError => new GatewayError<AddressCode>('unknown_url', { message: 'Not found.' });

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const { encoding, variant } = chosenOf(file, request.headers['accept-encoding']);
  reply.headers({ ...headers, etag: variant.etag, vary: 'accept-encoding', 'cache-control': file.isImmutable ? A_YEAR : 'no-cache' });
  if (request.headers['if-none-match']?.includes(variant.etag)) return reply.code(304).send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(variant.body);
}

function chosenOf({ plain, packed }: PageFile, accepted?: string): { readonly encoding: Encoding | null; readonly variant: Variant } {
  const encoding = chosenEncoding(accepted, Object.keys(packed) as Encoding[]);
  return { encoding, variant: (encoding !== null && packed[encoding]) || plain };
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Modelgate</title>
<p>The pages of this gateway were not built. In its folder, run <code>npm run pages</code> and start it again.</p>
</html>
`;

const sendNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(NOT_BUILT);

interface Variant {
  readonly body: Buffer;
  readonly etag: string;
}

interface PageFile {
  readonly type: string;
  readonly plain: Variant;
  readonly packed: { readonly [E in Encoding]?: Variant };
  /** Whether its name holds a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
}
/** By path below the folder, with slashes. */
type PageFolder = ReadonlyMap<string, PageFile>;

const INDEX = 'index.html';

const types: Readonly<Record<string, string>> = {
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
const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Undefined for a file that is not served. */
export const typeOf = (path: string): string | undefined => types[extname(path)];

/** Whether a name holds a hash of the content, as Vite and Rolldown name files. */
export const isImmutableName = (path: string): boolean => /(?:^|\/)assets\/.+-[\w-]{8,}\.\w+$/.test(path);

/** Whether the address is that of a file; an id of a model may have a dot too. */
const isFileName = (path: string): boolean => Object.hasOwn(types, extname(path));

/** Null where there is no index: the pages were not built. */
function readPageFolder(folder: string): PageFolder | null {
  const names = namesIn(folder);
  const files = new Map(names.filter(isFileName).map((name) => [name, readPage(folder, name, names)] as const));
  return files.has(INDEX) ? files : null;
}

function namesIn(folder: string): string[] {
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
  const read = (suffix = ''): Variant => {
    const body = readFileSync(join(folder, name + suffix));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  const has = (encoding: Encoding): boolean => names.includes(name + suffixes[encoding]);
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    plain: read(),
    packed: { ...(has('br') && { br: read(suffixes.br) }), ...(has('gzip') && { gzip: read(suffixes.gzip) }) },
    isImmutable: isImmutableName(name),
  };
}
