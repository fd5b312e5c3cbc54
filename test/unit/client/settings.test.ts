/** Settings of the client: what each request sends, and which settings are rejected. */
import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { Modelgate, ModelgateError } from '../../../client/sdk/src/index.ts';
import { version } from '../../../client/sdk/src/routes.gen.ts';
import { chatRequest, responseRequest } from './samples.ts';
import { failure, json, openServer } from './server.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['http://gateway.example', 'https://gateway.example/v1/chat', 'http://gateway.example/v10', 'gateway.example/v1', ''])(
  "rejects a base URL that doesn't end in /v1: %o",
  (baseURL) => {
    expect(() => new Modelgate({ baseURL, apiKey: 'mg-1' })).toThrow(ModelgateError);
    expect(() => new Modelgate({ baseURL, apiKey: 'mg-1' })).toThrow(/ends in \/v1/);
  },
);

test('accepts a base URL that ends in slashes and has another path', () => {
  const { baseURL } = new Modelgate({ baseURL: 'https://host.example/models/v1//', apiKey: 'mg-1' });
  expect(baseURL).toBe('https://host.example/models/v1');
});

test('rejects a missing key immediately', () => {
  vi.stubEnv('MODELGATE_API_KEY', undefined);
  expect(() => new Modelgate({ baseURL: 'http://gateway.example/v1' })).toThrow(/MODELGATE_API_KEY/);
  expect(() => new Modelgate({ baseURL: 'http://gateway.example/v1', apiKey: ' ' })).toThrow(ModelgateError);
});

test('reads the base URL and the key from the environment by default', async () => {
  const { baseURL, asked } = await openServer(json(200, { object: 'list', data: [] }));
  vi.stubEnv('MODELGATE_BASE_URL', `${baseURL}/`);
  vi.stubEnv('MODELGATE_API_KEY', 'mg-environment\n');
  await new Modelgate().listModels();
  expect(asked[0]?.headers.authorization).toBe('Bearer mg-environment');
  vi.stubEnv('MODELGATE_BASE_URL', 'http://elsewhere.example/v1');
  await new Modelgate({ baseURL, apiKey: 'mg-option' }).listModels();
  expect(asked[1]?.headers.authorization).toBe('Bearer mg-option');
});

test('calls the right route for each method', async () => {
  const { connect, asked } = await openServer(json(200, {}));
  const client = connect();
  await client.listModels();
  await client.getModel('house/small');
  await client.createResponse(responseRequest);
  await client.createChatCompletion(chatRequest);
  await client.generateImages({ model: 'gpt-image-2', prompt: 'A cat' });
  await client.editImages({ model: 'gpt-image-2', prompt: 'A cat', images: [{ image_url: 'data:image/png;base64,AAAA' }] });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/models',
    'GET /v1/models/house%2Fsmall',
    'POST /v1/responses',
    'POST /v1/chat/completions',
    'POST /v1/images/generations',
    'POST /v1/images/edits',
  ]);
  expect(asked.map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined, ...Array(4).fill('application/json')]);
  expect(asked[0]?.body).toHaveLength(0);
});

test('prefers headers of the call to those of the client, and both to the defaults', async () => {
  const { connect, asked } = await openServer(json(200, {}));
  const client = connect({ headers: { 'X-Team': 'search', 'User-Agent': 'mine', 'x-kept': '1' } });
  await client.listModels({ headers: { 'x-team': 'ads' } });
  expect(asked[0]?.headers).toMatchObject({ 'x-team': 'ads', 'user-agent': 'mine', 'x-kept': '1', accept: 'application/json' });
  await connect().listModels();
  expect(asked[1]?.headers['user-agent']).toBe(`modelgate-client/${version}`);
});

test('keeps the settings of a client in withOptions, apart from those given, and adds its headers', async () => {
  const { connect, asked: requests } = await openServer(failure(503, {}, { 'retry-after-ms': '1' }));
  const client = connect({ apiKey: 'mg-first', maxRetries: 2, headers: { 'x-team': 'search', 'x-kept': '1' } });
  const other = client.withOptions({ maxRetries: 0, headers: { 'X-Team': 'ads' } });
  await expect(other.listModels()).rejects.toThrow();
  expect(requests).toHaveLength(1);
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer mg-first', 'x-team': 'ads', 'x-kept': '1' });
  await expect(client.listModels()).rejects.toThrow();
  expect(requests).toHaveLength(4);
  expect(requests[3]?.headers['x-team']).toBe('search');
});

test('replaces the key and the base URL in withOptions, and rejects an invalid one', async () => {
  const { baseURL, asked: requests } = await openServer(json(200, {}));
  const client = new Modelgate({ baseURL: 'http://elsewhere.example/v1', apiKey: 'mg-first' });
  await client.withOptions({ baseURL, apiKey: 'mg-second' }).listModels();
  expect(requests[0]?.headers.authorization).toBe('Bearer mg-second');
  expect(() => client.withOptions({ baseURL: 'http://elsewhere.example' })).toThrow(ModelgateError);
});

test("adds extraBody to the body it sends, and doesn't change the caller's body", async () => {
  const { connect, asked } = await openServer(json(200, {}));
  const body = { ...responseRequest };
  await connect().createResponse(body, { extraBody: { fresh_option: { deep: 1 } } });
  expect(JSON.parse(String(asked[0]?.body))).toEqual({ ...responseRequest, fresh_option: { deep: 1 } });
  expect(body).toEqual(responseRequest);
});

test("uses the caller's fetch", async () => {
  const calls: [string, RequestInit][] = [];
  const client = new Modelgate({
    baseURL: 'https://gateway.example/v1',
    apiKey: 'mg-1',
    fetch: async (url, init) => {
      calls.push([url, init]);
      return new Response('{"object":"list","data":[]}');
    },
  });
  expect(await client.listModels()).toEqual({ object: 'list', data: [] });
  expect(calls[0]?.[0]).toBe('https://gateway.example/v1/models');
  expect(calls[0]?.[1].signal).toBeInstanceOf(AbortSignal);
});

test('hides the key of a client that is inspected or serialized', () => {
  const client = new Modelgate({ baseURL: 'https://gateway.example/v1', apiKey: 'mg-secret' });
  expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain('mg-secret');
});
