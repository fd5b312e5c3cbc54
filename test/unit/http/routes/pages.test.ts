/** The OpenAPI document and its page as a browser requests them. */
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { keepDocuments, type PagesOptions, registerPages } from '../../../../server/http/routes/pages.ts';

let app: FastifyInstance;
function open(options?: PagesOptions): FastifyInstance {
  app = Fastify();
  registerPages(app, options);
  return app;
}
afterEach(() => app.close());

const documentFor = async (host: string, options?: PagesOptions) =>
  (await open(options).inject({ url: '/openapi.json', headers: { host } })).json();
const serverFor = async (host: string, options?: PagesOptions) => (await documentFor(host, options)).servers[0].url;

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
  ])('does not get %s, which is no host', async (host) => {
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

describe('A5: the document', () => {
  it('is made once for each address', () => {
    const documentFor = keepDocuments(['{"url":"', '"}']);
    expect(documentFor('http://one').body.toString()).toBe('{"url":"http://one"}');
    expect(documentFor('http://one')).toBe(documentFor('http://one'));
    expect(documentFor('http://two').etag).not.toBe(documentFor('http://one').etag);
  });

  it('is not kept for ever: after 100 other addresses it is made again', () => {
    const documentFor = keepDocuments(['<', '>']);
    const first = documentFor('http://one');
    for (let host = 0; host < 100; host++) documentFor(`http://${host}`);
    expect(documentFor('http://99')).toBe(documentFor('http://99'));
    expect(documentFor('http://one')).not.toBe(first);
    expect(documentFor('http://one').body.equals(first.body)).toBe(true);
  });
});

describe('a browser', () => {
  it('at the root is sent to the reference page', async () => {
    const { statusCode, headers } = await open().inject('/');
    expect([statusCode, headers.location]).toEqual([302, 'docs']);
  });

  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/assets/page.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/page.css', 'text/css; charset=utf-8'],
    ['/docs/assets/icon.svg', 'image/svg+xml'],
    ['/docs/assets/viewer.js', 'text/javascript; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
  ])('gets %s as %s, without a key, with nosniff and an etag', async (url, type) => {
    const { statusCode, headers } = await open().inject(url);
    expect([statusCode, headers['content-type'], headers['x-content-type-options']]).toEqual([200, type, 'nosniff']);
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  });

  it('may load resources of the page from the gateway only', async () => {
    const { headers } = await open().inject('/docs');
    const sources = String(headers['content-security-policy']).split('; ');
    expect(sources).toContain("default-src 'none'");
    expect(sources).toContain("script-src 'self'");
    expect(sources.join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
  });
});
