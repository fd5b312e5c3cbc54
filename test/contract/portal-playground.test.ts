/** The playground of the portal: calls with the key of the session, checked and charged as under `/v1`, and only with the cookie. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { pageHeaders, signInAtPortal } from '../harness/console.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Played {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}
const play = (path: string, body: unknown, { headers = pageHeaders, signal }: Played, at = gateway) =>
  fetch(`${at.origin}/portal/v1/playground${path}`, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });

const asked = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }] };
const drawing = { model: 'gpt-image-2', prompt: 'a lighthouse', size: '1024x1024', quality: 'low' };

const bodyOf = async (answer: Response) => JSON.parse(await answer.text());
const refusalOf = async (answer: Response) => ({ status: answer.status, error: (await bodyOf(answer)).error });

describe('each operation responds as under /v1', () => {
  test.each([
    ['/responses', { model: 'gpt-5.4', input: 'Say hello.' }, 'response'],
    ['/chat/completions', asked, 'chat.completion'],
    ['/images/generations', drawing, undefined],
  ])('serves %s', async (path, body, object) => {
    const headers = { ...pageHeaders, cookie: await signInAtPortal(gateway, gateway.key) };
    const answer = await play(path, body, { headers });
    const answered = await bodyOf(answer);
    expect({ status: answer.status, object: answered.object, error: answered.error ?? null }).toEqual({ status: 200, object, error: null });
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const same = await gateway.call(path, { json: body });
    expect(Object.keys(answered).sort()).toEqual(Object.keys(await bodyOf(same)).sort());
  });

  test('accepts data URLs for /images/edits, and no form', async () => {
    const cookie = await signInAtPortal(gateway, gateway.key);
    const made = await bodyOf(await play('/images/generations', drawing, { headers: { ...pageHeaders, cookie } }));
    const images = [{ image_url: `data:image/png;base64,${made.data[0].b64_json}` }];
    const edited = await play('/images/edits', { ...drawing, images }, { headers: { ...pageHeaders, cookie } });
    expect({ status: edited.status, pictures: (await bodyOf(edited)).data.length }).toEqual({ status: 200, pictures: 1 });
    const form = new FormData();
    form.set('prompt', 'x');
    const { 'content-type': _, ...others } = pageHeaders;
    const sent = await fetch(`${gateway.origin}/portal/v1/playground/images/edits`, {
      method: 'POST',
      headers: { ...others, cookie },
      body: form,
    });
    expect(await refusalOf(sent)).toMatchObject({ status: 403, error: { code: 'permission_denied' } });
  });

  test('sends the event types of /v1 in a stream, and ends with [DONE]', async () => {
    const headers = { ...pageHeaders, cookie: await signInAtPortal(gateway, gateway.key) };
    const body = { model: 'gpt-5.4', input: 'Say hello.', stream: true };
    const typesOf = (text: string) => [...new Set([...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type))];
    const played = await play('/responses', body, { headers });
    expect(played.headers.get('content-type')).toContain('text/event-stream');
    const transcript = await played.text();
    expect(typesOf(transcript)).toEqual(typesOf(await (await gateway.call('/responses', { json: body })).text()));
    expect(transcript.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });
});

test('charges a call once, to the key of the session, with a receipt', async () => {
  const { key, id } = await gateway.newKey({ account: 'player', balance: 5_000_000n });
  const headers = { ...pageHeaders, cookie: await signInAtPortal(gateway, key) };
  const answer = await play('/chat/completions', asked, { headers });
  expect(answer.status).toBe(200);
  const requestId = answer.headers.get('x-request-id');
  const cost = answer.headers.get('x-modelgate-cost');
  const list = await bodyOf(await gateway.call('/usage', { key }));
  expect(list.data).toHaveLength(1);
  expect(list.data[0]).toMatchObject({ request_id: requestId, key_id: id, charged: cost });
  const receipt = await fetch(`${gateway.origin}/portal/v1/playground/usage/${requestId}`, { headers });
  expect(await bodyOf(receipt)).toEqual(await bodyOf(await gateway.call(`/usage/${requestId}`, { key })));
});

describe('each rule applies as under /v1', () => {
  const anything = { models: null, operations: null, mayStore: true };
  test.each([
    ['a model that the key cannot call', { permissions: { ...anything, models: ['gpt-5-mini'] } }, asked],
    ['an operation that the key cannot call', { permissions: { ...anything, operations: ['createResponse'] } }, asked],
    ['a model that does not exist', {}, { ...asked, model: 'gpt-none' }],
    ['an invalid body', {}, { ...asked, temperature: 9 }],
    ['an account without money', { account: 'empty', balance: 0n }, asked],
  ])('rejects %s', async (name, order, body) => {
    const { key } = await gateway.newKey(order);
    const headers = { ...pageHeaders, cookie: await signInAtPortal(gateway, key) };
    const played = await refusalOf(await play('/chat/completions', body, { headers }));
    expect(played, name).toEqual(await refusalOf(await gateway.call('/chat/completions', { json: body, key })));
    expect(played.status).toBeGreaterThanOrEqual(400);
  });

  test('counts calls of the playground and of /v1 against the request rate of the key', async () => {
    const { key } = await gateway.newKey({
      limits: { requestsPerMinute: { limit: 1, mode: 'enforce' }, tokensPerMinute: null, concurrency: null },
    });
    const headers = { ...pageHeaders, cookie: await signInAtPortal(gateway, key) };
    expect((await gateway.call('/chat/completions', { json: asked, key })).status).toBe(200);
    expect(await refusalOf(await play('/chat/completions', asked, { headers }))).toMatchObject({ status: 429 });
  });
});

describe('only a page with the cookie can call', () => {
  test.each([
    ['a call without a cookie', pageHeaders, 401],
    ['a call with a key in the header', { ...pageHeaders, authorization: 'KEY' }, 401],
    ['an invalid cookie', { ...pageHeaders, cookie: '__Host-modelgate-portal=x' }, 401],
    ['a call from another site', { ...pageHeaders, cookie: 'COOKIE', 'sec-fetch-site': 'cross-site' }, 403],
    [
      'a call without the header of the pages',
      { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: 'COOKIE' },
      403,
    ],
    ['a body of another content type', { ...pageHeaders, 'content-type': 'text/plain', cookie: 'COOKIE' }, 403],
  ])('rejects %s', async (_, given, status) => {
    const known: Record<string, string> = { KEY: `Bearer ${gateway.key}`, COOKIE: await signInAtPortal(gateway, gateway.key) };
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, known[value] ?? value]));
    for (const path of ['/responses', '/chat/completions', '/images/generations', '/images/edits'])
      expect((await play(path, asked, { headers })).status, path).toBe(status);
  });
});

describe('with a provider', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    vendor = await openBehindVendor();
  });
  afterAll(() => vendor.close());

  test('closes the connection to the provider when the browser stops a stream', async () => {
    const headers = { ...pageHeaders, cookie: await signInAtPortal(vendor.gateway, vendor.gateway.key) };
    vendor.fake.next(stream(chatFrames({ text: ['one ', 'two ', 'three'] }), { stopAfter: { frames: 2 }, ending: 'stall' }));
    const leaving = new AbortController();
    const answer = await play('/chat/completions', { ...asked, stream: true }, { headers, signal: leaving.signal }, vendor.gateway);
    await answer.body?.getReader().read();
    leaving.abort();
    await vendor.fake.hangUp(0);
    expect(vendor.fake.requests[0]).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
  });
});
