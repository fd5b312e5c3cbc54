/** Serves the documentation: files of one built folder, read at their first request and packed once. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressCode } from '../../contract/operation-errors.ts';
import { GatewayError } from '../errors.ts';
import { addressTo, chosenEncoding, type Encoding, pathIn, rootFrom, wantsHtml, withoutSlashesBehind } from './address.ts';
import { isImmutableName, typeOf } from './mount.ts';

/** It is built with links from the root of the site, and with a list of all pages. */
export const MISSING = '404.html';

/** How many pages are offered. */
const MAX_OFFERED = 6;
/** Callers choose the address, and it is compared with that of each page. */
const MAX_COMPARED_CHARS = 100;

/** Draws the page for a path; `root` leads from there to the root of the site. */
export type DrawMissing = (path: string, root: string) => string;

export function openMissingPage(folder: string): DrawMissing {
  const [before = '', list = '', behind = ''] = readFileSync(join(folder, MISSING), 'utf8').split(/<!-- \/?pages -->/);
  const items = list.split(/(?=<li>)/).map((html): Item => ({ html, path: /href="([^"]*)"/.exec(html)?.[1] ?? '' }));
  const nearestTo = (path: string): readonly Item[] => {
    const wanted = pairsIn(path);
    const ranked = items.map((item) => ({ item, likeness: likenessOf(wanted, pairsIn(item.path)) }));
    return ranked
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_OFFERED)
      .map(({ item }) => item);
  };
  return (path, root) => {
    // A folder without a page of its own has all of its pages.
    const below = items.filter((item) => item.path.startsWith(`${withoutSlashesBehind(path)}/`));
    const offered = below.length > 0 ? below : nearestTo(path);
    return withRoot([before, ...offered.map(({ html }) => html), behind].join(''), root);
  };
}

interface Item {
  readonly html: string;
  readonly path: string;
}

/** Anchors and addresses of other places stay. */
const withRoot = (html: string, root: string): string => html.replace(/(?<= (?:href|src|data-root)=")(?![#/]|[a-z]+:)(?:\.\/)?/g, root);

/** Pairs of letters that follow each other: a typo changes few of them. */
function pairsIn(path: string): ReadonlySet<string> {
  const plain = path.slice(-MAX_COMPARED_CHARS).toLowerCase();
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, index) => plain.slice(index, index + 2)));
}

/** The share of pairs that both have (Dice). */
function likenessOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const both = [...some].filter((pair) => others.has(pair)).length;
  return (2 * both) / (some.size + others.size || 1);
}

export interface SiteOrder {
  readonly site: 'callers' | 'operators';
  /** The address of the gateway as this reader sees it, for the samples. */
  readonly baseFor: (request: FastifyRequest) => string;
  /** Where the console or the portal is, from the root of the site; absent: this listener has neither. */
  readonly pages?: string | undefined;
  /** The folder of the built files; by default the one in the package. */
  readonly folder?: string;
}

const ROOT = '/docs/';
const built = fileURLToPath(new URL('../../docs/site/dist', import.meta.url));

/** Only its own files: no inline script or style, nothing from another origin, no frame around it. */
const policy = [
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

const headers = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;
const A_YEAR = 'public, max-age=31536000, immutable';

/** Registers `/docs` and everything below it. */
export function registerSite(app: FastifyInstance, { site, baseFor, pages, folder = join(built, site) }: SiteOrder): void {
  const names = new Set(namesIn(folder));
  // By its own address it is no page.
  const drawMissing = names.delete(MISSING) ? openMissingPage(folder) : null;
  const files = new Map<string, Promise<SiteFile>>();
  app.get('/docs', (_request, reply) => reply.redirect('docs/', 308));
  app.get('/docs/gateway.json', (request, reply) =>
    reply.headers({ ...headers, 'cache-control': 'no-store', vary: 'host' }).send({ base: baseFor(request), pages: pages ?? null }),
  );
  app.get('/docs/*', async (request, reply) => {
    if (names.size === 0) return sendNotBuilt(reply);
    const path = pathIn(request);
    const name = nameOf(path, names);
    if (name === undefined) {
      if (drawMissing === null || !wantsHtml(request))
        throw new GatewayError<AddressCode>('unknown_url', { message: 'Page not found in the documentation.' });
      return sendHtml(reply.code(404), drawMissing(path, rootFrom(request, ROOT)));
    }
    if (addressOf(name) !== path) return reply.redirect(addressTo(request, ROOT, addressOf(name)), 308);
    const file = files.get(name) ?? openFile(join(folder, name));
    files.set(name, file);
    return sendFile(request, reply, await file);
  });
}

/** A file with what is made of it at first use. */
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The file that is meant, in whatever form. The list of files is closed: no path leads out of it. */
function nameOf(path: string, names: ReadonlySet<string>): string | undefined {
  const plain = withoutSlashesBehind(path);
  const meant = plain === '' ? ['index.html'] : [plain, `${plain}.html`, `${plain}/index.html`];
  return meant.find((name) => names.has(name) && typeOf(name) !== undefined);
}

/** `guides/codex.html` is at `guides/codex`, and the index of a folder at the folder with its slash. */
const addressOf = (name: string): string => name.replace(/(^|\/)index\.html$|\.html$/, '$1');

const packers: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

async function sendFile(request: FastifyRequest, reply: FastifyReply, { name, plain, hash, packed }: SiteFile): Promise<FastifyReply> {
  const encoding = chosenEncoding(request.headers['accept-encoding']);
  const etag = `"${hash}${encoding === null ? '' : `-${encoding}`}"`;
  reply.headers({ ...headers, etag, vary: 'accept-encoding', 'cache-control': isImmutableName(name) ? A_YEAR : 'no-cache' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(typeOf(name) ?? 'application/octet-stream');
  if (encoding === null) return reply.send(plain);
  const body = packed.get(encoding) ?? packers[encoding](plain);
  packed.set(encoding, body);
  return reply.header('content-encoding', encoding).send(await body);
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Modelgate</title>
<p>The documentation of this gateway was not built. In its folder, run <code>npm run docs</code> and start it again.</p>
</html>
`;

const sendNotBuilt = (reply: FastifyReply): FastifyReply => sendHtml(reply.code(503), NOT_BUILT);

const sendHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html);
