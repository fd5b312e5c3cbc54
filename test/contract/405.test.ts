/** Status 405: every path names the methods that it takes, also without a key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../contract/index.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal, headerOf } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const paths = [...new Set(Object.values(contract).map(({ path }) => path))];
const routes = paths.map((path) => ({
  path: path.replace(/:\w+/, 'resp_1'),
  taken: Object.values(contract)
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
}));
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

describe.each(routes)('$path', ({ path, taken }) => {
  test.each(methods.filter((method) => !taken.includes(method)))('rejects %s with the methods that the path accepts', async (method) => {
    const [answer] = await talk(gateway.origin, request([`${method} ${path} HTTP/1.1`, 'connection: close']));
    if (!answer) throw new Error('no answer');
    await expectRefusal(answer, {
      code: 'method_not_allowed',
      says: new RegExp(`^${method} isn't supported at /\\S+\\. Use ${taken.filter((one) => one !== 'HEAD').join(' or ')}\\.$`),
    });
    expect(headerOf(answer, 'allow')).toBe(taken.join(', '));
  });

  test("ignores a query, and doesn't read the body", async () => {
    const body = { method: 'PUT', body: 'not json', headers: { 'content-type': 'text/plain' } };
    await expectRefusal(await fetch(`${gateway.origin}${path}?x=1`, body), { code: 'method_not_allowed' });
  });
});

test('sends no CORS headers, since keys belong on servers', async () => {
  const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
  const asked = await fetch(`${gateway.baseURL}/responses`, { method: 'OPTIONS', headers });
  const called = await gateway.call('/models', { headers: { origin: 'https://example.com' } });
  for (const answer of [asked, called]) expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
