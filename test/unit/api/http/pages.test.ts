/** The OpenAPI document and its page as a browser requests them. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createDocumentCache, type DocumentsOptions, registerDocuments } from '../../../../server/api/http/documents.ts';
import { registerSite } from '../../../../server/api/pages/site.ts';

let app: FastifyInstance;
function open(options?: DocumentsOptions): FastifyInstance {
  app = Fastify();
  registerDocuments(app, options);
  return app;
}
afterEach(() => app.close());

const documentFor = async (host: string, options?: DocumentsOptions) =>
  (await open(options).inject({ url: '/openapi.json', headers: { host } })).json();
const serverFor = async (host: string, options?: DocumentsOptions) => (await documentFor(host, options)).servers[0].url;

describe('a reader of the document', () => {
  it('gets the address of the request in the server entry, the introduction and each sample', async () => {
    const document = await documentFor('gate.example.com:8443');
    expect(document.servers[0].url).toBe('http://gate.example.com:8443');
    expect(document.info.description).toContain('http://gate.example.com:8443/v1');
    const samples = document.paths['/v1/models'].get['x-codeSamples'];
    expect(samples.map(({ source }: { source: string }) => source.includes('http://gate.example.com:8443/v1'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(JSON.stringify(document)).not.toContain('127.0.0.1:8080');
  });

  it.each([
    ['/openapi.json', '3.1.0'],
    ['/openapi-3.2.json', '3.2.0'],
  ])('finds at %s the document in OpenAPI %s, with the address of the request', async (url, version) => {
    const document = (await open().inject({ url, headers: { host: 'gate.example.com' } })).json();
    expect(document.openapi).toBe(version);
    expect(document.servers[0].url).toBe('http://gate.example.com');
  });

  it('gets an IPv6 address in brackets', async () => {
    expect(await serverFor('[::1]:8080')).toBe('http://[::1]:8080');
  });

  it.each([
    'a"},{"url":"http://evil.example',
    'evil.example/path',
    'user@evil.example',
    'a b',
    '<script>',
    "o'clock",
    `${'a'.repeat(300)}.example`,
  ])("doesn't get %s, which isn't a host", async (host) => {
    expect(await serverFor(host)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it.each(['https://gate.example.com', 'https://gate.example.com/', 'https://gate.example.com/v1'])(
    'gets the configured address %s, whatever the host header is',
    async (baseUrl) => {
      expect(await serverFor('other.example', { baseUrl })).toBe('https://gate.example.com');
    },
  );

  it('gets an empty 304 for the etag of the current version', async () => {
    const first = await open().inject('/openapi.json');
    const second = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(first.headers.etag) } });
    expect([second.statusCode, second.body]).toEqual([304, '']);
  });

  it('gets a new version for another host with the etag of the first', async () => {
    const first = await open().inject({ url: '/openapi.json', headers: { host: 'one.example' } });
    const second = await app.inject({
      url: '/openapi.json',
      headers: { host: 'other.example', 'if-none-match': String(first.headers.etag) },
    });
    expect(second.statusCode).toBe(200);
    expect(second.headers.vary).toBe('host');
  });
});

describe('A5: the document cache', () => {
  it('builds the document once per address', () => {
    const documentFor = createDocumentCache(['{"url":"', '"}']);
    expect(documentFor('http://one').body.toString()).toBe('{"url":"http://one"}');
    expect(documentFor('http://one')).toBe(documentFor('http://one'));
    expect(documentFor('http://two').etag).not.toBe(documentFor('http://one').etag);
  });

  it('evicts a document after 100 other addresses', () => {
    const documentFor = createDocumentCache(['<', '>']);
    const first = documentFor('http://one');
    for (let host = 0; host < 100; host++) documentFor(`http://${host}`);
    expect(documentFor('http://99')).toBe(documentFor('http://99'));
    expect(documentFor('http://one')).not.toBe(first);
    expect(documentFor('http://one').body.equals(first.body)).toBe(true);
  });
});

describe('a browser', () => {
  it('gets a redirect from the root to the documentation', async () => {
    const { statusCode, headers } = await open().inject('/');
    expect([statusCode, headers.location]).toEqual([302, 'docs/']);
  });

  it('gets a redirect from the old address to the first page, relative to any prefix', async () => {
    const { statusCode, headers } = await open().inject('/docs');
    expect([statusCode, headers.location]).toEqual([308, 'docs/']);
  });

  it.each([
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/guides/codex', 'text/html; charset=utf-8'],
    ['/docs/guides/codex.md', 'text/markdown; charset=utf-8'],
    ['/docs/errors/', 'text/html; charset=utf-8'],
    ['/docs/llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/search.json', 'application/json; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/openapi-3.2.json', 'application/json; charset=utf-8'],
  ])('gets %s as %s, without a key, with nosniff and an etag', async (url, type) => {
    const { statusCode, headers } = await open().inject(url);
    expect([statusCode, headers['content-type'], headers['x-content-type-options']]).toEqual([200, type, 'nosniff']);
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  });

  it('gets a page packed as it likes, each form with a tag of its own, and 304 for the tag', async () => {
    const get = (encoding: string, tag?: string) =>
      app.inject({
        url: '/docs/guides/codex',
        headers: { 'accept-encoding': encoding, ...(tag !== undefined && { 'if-none-match': tag }) },
      });
    open();
    const answers = await Promise.all(['br', 'gzip', 'identity', 'br;q=0, gzip'].map((encoding) => get(encoding)));
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined, 'gzip']);
    const [packed, gzipped, plain] = answers;
    expect(brotliDecompressSync(packed?.rawPayload ?? Buffer.alloc(0)).equals(plain?.rawPayload ?? Buffer.alloc(0))).toBe(true);
    expect(gunzipSync(gzipped?.rawPayload ?? Buffer.alloc(0)).equals(plain?.rawPayload ?? Buffer.alloc(0))).toBe(true);
    expect(new Set([packed, gzipped, plain].map((answer) => answer?.headers.etag)).size).toBe(3);
    const again = await get('br', String(packed?.headers.etag));
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('keeps files with a hash in their names for a year, and asks again for pages', async () => {
    const page = await open().inject('/docs/guides/codex');
    expect(page.headers['cache-control']).toBe('no-cache');
    const script = /src="\.\.\/(assets\/[^"]+)"/.exec(page.body)?.[1];
    expect((await app.inject(`/docs/${script}`)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('gets the address of this gateway for the samples', async () => {
    const own = await open().inject({ url: '/docs/gateway.json', headers: { host: 'gate.example:81' } });
    expect([own.json(), own.headers['cache-control']]).toEqual([{ base: 'http://gate.example:81', pages: null }, 'no-store']);
    await app.close();
    const there = open({ baseUrl: 'https://host.example/ai/v1', pages: '../portal/' });
    expect((await there.inject('/docs/gateway.json')).json()).toEqual({ base: 'https://host.example/ai', pages: '../portal/' });
  });

  it.each([
    ['/docs/errors', 'errors/'],
    ['/docs/guides/codex/', '../../guides/codex'],
    ['/docs/guides/codex///?q=1', '../../../../guides/codex?q=1'],
    ['/docs/guides/codex.html', '../guides/codex'],
    ['/docs/guides/codex.md/', '../../guides/codex.md'],
    ['/docs/errors/index', '../errors/'],
    ['/docs/errors/index.html', '../errors/'],
    ['/docs/index.html', './'],
  ])('gets a redirect from %s to the one address of that page, relative to any prefix', async (url, location) => {
    const { statusCode, headers } = await open().inject(url);
    expect([statusCode, headers.location]).toEqual([308, location]);
    const page = await app.inject(new URL(location, `http://host${url}`).pathname);
    expect(page.statusCode).toBe(200);
  });

  it.each([
    ['/docs/nothing', './'],
    ['/docs/guides/codecs', '../'],
    ['/docs/guides/codex/nothing/', '../../../'],
    ['/docs/404', './'],
  ])('gets a page with status 404 at %s, whose links lead from there', async (url, root) => {
    const { statusCode, headers, body } = await open().inject({ url, headers: { accept: 'text/html' } });
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const script = /src="([^"]+\.js|[^"]+\.mjs)"/.exec(body)?.[1] ?? '';
    expect(script.startsWith(root)).toBe(true);
    expect((await app.inject(new URL(script, `http://host${url}`).pathname)).statusCode).toBe(200);
  });

  it.each([
    ['/docs/guide/codecs', 'guides/codex'],
    ['/docs/error/invalid-api-key', 'errors/invalid_api_key'],
    ['/docs/reference/', 'reference/createResponse'],
  ])('finds at %s a link to %s among a few pages', async (url, page) => {
    const { body } = await open().inject({ url, headers: { accept: 'text/html' } });
    const list = /<ul class="nearest">(.*?)<\/ul>/s.exec(body)?.[1] ?? '';
    expect(list).toContain(`/${page}"`);
    expect(list.split('<li>').length).toBeLessThan(30);
  });

  it.each([
    '/docs/nothing',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/guides',
    '/docs/assets',
    '/docs/guides/',
  ])('gets the error of the contract at %s', async (url) => {
    const { statusCode } = await open().inject(url);
    expect(statusCode).toBeGreaterThanOrEqual(404);
  });

  it('loads resources of a page from the gateway only', async () => {
    const { headers } = await open().inject('/docs/');
    const sources = String(headers['content-security-policy']).split('; ');
    expect(sources).toContain("default-src 'none'");
    expect(sources).toContain("script-src 'self'");
    expect(sources).toContain("font-src 'self'");
    expect(sources.join(' ')).not.toMatch(/https?:|\*|unsafe|data:/);
  });

  it("gets the build command where the documentation isn't built", async () => {
    app = Fastify();
    registerSite(app, { site: 'callers', getBase: () => '', folder: '/nowhere' });
    const { statusCode, body } = await app.inject('/docs/');
    expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run docs')]);
  });
});
