/** Serves a built bundle as the gateway does: with the content security policy, and `index.html` for every path without a dot. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Bundle, bundles, getOutputPath } from '../../client/pages/build/bundles.ts';

/** Only files of the own origin, no inline code or style, no text that becomes markup. */
export const contentPolicy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "connect-src 'self'", "font-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

const types: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };

export interface PageServer {
  /** The URL of the first page. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** `api` answers requests outside of the bundle, with status and body. */
export async function servePages(bundle: Bundle, api: (method: string, path: string) => readonly [number, unknown]): Promise<PageServer> {
  const { base } = bundles[bundle];
  const server = createServer(async (request, reply) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    if (!path.startsWith(base)) {
      const [status, body] = api(request.method ?? '', path);
      reply.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_of_the_test' }).end(JSON.stringify(body));
      return;
    }
    const file = path.includes('.') ? path.slice(base.length) : 'index.html';
    const bytes = await readFile(join(getOutputPath(bundle), file)).catch(() => null);
    if (bytes === null) return void reply.writeHead(404).end();
    reply
      .writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': contentPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server)}${base}`, close: () => closeServer(server) };
}

// `as`: a server that listens on a port has such an address.
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
