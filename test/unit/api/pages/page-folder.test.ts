/** The web pages as a browser gets them: compressed, with a content security policy, and one page for every path. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { registerPageFolder } from '../../../../server/api/pages/page-folder.ts';
import { GatewayError } from '../../../../server/primitives/errors.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const index = '<!doctype html><title>Console</title>';
const script = 'console.log("a page");'.repeat(50);
const SCRIPT = 'assets/index-B1x9_kQz.js';

function builtFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, SCRIPT), script);
  writeFileSync(join(folder, `${SCRIPT}.br`), brotliCompressSync(script));
  writeFileSync(join(folder, `${SCRIPT}.gz`), gzipSync(script));
  writeFileSync(join(folder, 'assets/icon.svg'), '<svg/>');
  return folder;
}

function open(folder = builtFolder()) {
  const app = fastify();
  onTestFinished(() => app.close());
  // As the admin listener does for its other routes.
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof GatewayError ? error.status : 500).send());
  registerPageFolder(app, { at: 'portal', folder });
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
}

test.each(['/portal/', '/portal/models', '/portal/models/gpt-5.4', '/portal/requests/req_1?from=2027'])(
  'serves the page at %s',
  async (url) => {
    const { statusCode, body, headers } = await open()(url);
    expect([statusCode, body, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      index,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
  },
);

test('lets clients cache a file with a hash in its name for a year, and makes them revalidate any other', async () => {
  const get = open();
  const hashed = await get(`/portal/${SCRIPT}`);
  expect([hashed.body, hashed.headers['content-type']]).toEqual([script, 'text/javascript; charset=utf-8']);
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await get('/portal/assets/icon.svg')).headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' });
  const again = await get('/portal/', { 'if-none-match': String((await get('/portal/')).headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test.each([
  { accepted: 'gzip, deflate, br, zstd', encoding: 'br', unpack: brotliDecompressSync },
  { accepted: 'gzip', encoding: 'gzip', unpack: gunzipSync },
  { accepted: 'br;q=0, gzip;q=0.5', encoding: 'gzip', unpack: gunzipSync },
  { accepted: 'identity', encoding: undefined, unpack: (bytes: Buffer) => bytes },
])('encodes a file as $encoding for accept-encoding $accepted', async ({ accepted, encoding, unpack }) => {
  const { headers, rawPayload } = await open()(`/portal/${SCRIPT}`, { 'accept-encoding': accepted });
  expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
  expect(unpack(rawPayload).toString()).toBe(script);
});

test('sends the content security policy and the security headers with every file', async () => {
  const get = open();
  for (const url of ['/portal/', `/portal/${SCRIPT}`]) {
    const { headers } = await get(url);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  }
});

describe('the folder', () => {
  test.each(['/portal/assets/none.js', '/portal/none.css', '/portal/v1', '/portal/v1/nothing', `/portal/${SCRIPT}.map`])(
    'returns 404 for %s',
    async (url) => {
      expect((await open()(url)).statusCode).toBe(404);
    },
  );

  test.each(['/portal/../../package.json', '/portal/..%2f..%2fpackage.json', '/portal/%2e%2e/package.json', '/portal//etc/passwd.txt'])(
    'serves no file outside itself: %s',
    async (url) => {
      const { statusCode, body } = await open()(url);
      expect(statusCode === 404 || body === index).toBe(true);
    },
  );
});

test.each([
  ['/portal', 302, 'portal/'],
  ['/portal/models/', 308, '../models'],
  ['/portal/models/a%2Fb/?from=2027', 308, '../../models/a%2Fb?from=2027'],
  ['/portal//other.example/', 308, '../..//other.example'],
  ['/portal/index.html', 308, './'],
])('redirects %s, relative to any prefix', async (url, status, location) => {
  const { statusCode, headers } = await open()(url);
  expect([statusCode, headers.location]).toEqual([status, location]);
});

test('returns the page with status 404 for a missing file in a browser, which says so', async () => {
  const { statusCode, body } = await open()('/portal/old-page.html', { accept: 'text/html,*/*;q=0.8' });
  expect([statusCode, body]).toEqual([404, index]);
});

test.each(['an empty folder', 'no folder'])('names the command that builds pages if none are built (%s)', async (what) => {
  const folder = temporaryFolder();
  const { statusCode, body, headers } = await open(what === 'no folder' ? join(folder, 'none') : folder)('/portal/keys');
  expect(statusCode).toBe(503);
  expect(body).toContain('npm run pages');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});
