/** Status 403: a valid key without permission, by its group, operations, models, address, or for storing. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { drawPng } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { holdDate } from '../harness/held-clock.ts';
import { expectRefusal } from '../harness/refusal.ts';

const models = [
  { id: 'house/small', kind: 'text' },
  { id: 'house/large', kind: 'text', groups: ['vip'] },
  { id: 'plain', kind: 'text', groups: ['default'], protocols: ['chat'] },
  { id: 'house/brush', kind: 'image' },
  { id: 'fine-brush', kind: 'image', groups: ['vip'] },
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ models, billing: 'off' });
});
afterAll(() => gateway.close());

const image = { image_url: `data:image/png;base64,${drawPng().toString('base64')}` };
const requests = {
  createChatCompletion: { kind: 'text', path: '/chat/completions', body: { messages: [{ role: 'user', content: 'hi' }] } },
  createResponse: { kind: 'text', path: '/responses', body: { input: 'hi' } },
  generateImages: { kind: 'image', path: '/images/generations', body: { prompt: 'a cat' } },
  editImages: { kind: 'image', path: '/images/edits', body: { prompt: 'a hat', images: [image] } },
} as const;
type Operation = keyof typeof requests;
const operations = Object.keys(requests) as Operation[];
const anything = { operations: null, models: null, mayStore: true };

const call = (operation: Operation, model: string, { key, ...more }: { key: string; [field: string]: unknown }) =>
  gateway.call(requests[operation].path, { key, json: { model, ...requests[operation].body, ...more } });
const vipModel = { text: 'house/large', image: 'fine-brush' } as const;

describe.each(operations)('%s', (operation) => {
  const { [operation]: request } = requests;
  const vip = vipModel[request.kind];
  const other = operations.find((each) => each !== operation) ?? operation;

  test("rejects a model that isn't for the caller's group, also on a stream, and serves a caller of its group", async () => {
    const { key } = gateway;
    for (const stream of [false, true]) {
      const answer = await call(operation, vip, { key, stream });
      await expectRefusal(answer, {
        code: 'permission_denied',
        param: 'model',
        says: `'${vip}'`,
      });
    }
    const ofVip = await gateway.newKey({ account: 'important', group: 'vip' });
    expect((await call(operation, vip, { key: ofVip.key })).status).toBe(200);
  });

  test('rejects an operation that the key lacks, and serves one that it has', async () => {
    const { key } = await gateway.newKey({ permissions: { ...anything, operations: [other] } });
    const model = request.kind === 'text' ? 'house/small' : 'house/brush';
    await expectRefusal(await call(operation, model, { key }), { code: 'permission_denied' });
    const own = await gateway.newKey({ permissions: { ...anything, operations: [operation] } });
    expect((await call(operation, model, { key: own.key })).status).toBe(200);
  });

  test("rejects a model that the key doesn't name, and serves one that a pattern matches", async () => {
    const model = request.kind === 'text' ? 'house/small' : 'house/brush';
    for (const patterns of [[], ['plain'], ['house'], ['*/']]) {
      const { key } = await gateway.newKey({ permissions: { ...anything, models: patterns } });
      const answer = await call(operation, model, { key });
      await expectRefusal(answer, { code: 'permission_denied', param: 'model', says: `'${model}'` });
    }
    const { key } = await gateway.newKey({ permissions: { ...anything, models: ['plain', 'house/*'] } });
    expect((await call(operation, model, { key })).status).toBe(200);
    // A pattern extends nothing: the group still counts.
    await expectRefusal(await call(operation, vip, { key }), { code: 'permission_denied', param: 'model' });
  });

  test('returns `model_not_found` and `invalid_type` as usual to a key without permissions', async () => {
    const { key } = await gateway.newKey({ permissions: { operations: [], models: [], mayStore: false } });
    await expectRefusal(await call(operation, 'nowhere', { key }), { code: 'model_not_found', param: 'model' });
    const body = await gateway.call(request.path, { key, json: { ...request.body, model: 5 } });
    await expectRefusal(body, { code: 'invalid_type', param: 'model' });
  });
});

test('F49: lists and shows exactly the models that a key can call, for random permissions', async () => {
  const ids = models.map(({ id }) => id);
  const wanted = fc.record({
    operations: fc.option(fc.subarray(operations), { freq: 2 }),
    models: fc.option(fc.uniqueArray(fc.constantFrom(...ids, 'house/*', '*brush', '*', 'h*e/s*', '*l*'), { maxLength: 3 }), { freq: 2 }),
  });
  const isServed = async (model: string, key: string): Promise<boolean> => {
    const fitting = operations.filter((operation) => requests[operation].kind === models.find(({ id }) => id === model)?.kind);
    const answers = await Promise.all(fitting.map((operation) => call(operation, model, { key })));
    for (const { status } of answers) expect([200, 403]).toContain(status);
    return answers.some(({ status }) => status === 200);
  };
  for (const [turn, permissions] of fc.sample(wanted, { numRuns: 12, seed: 49 }).entries()) {
    const group = turn % 2 === 0 ? 'default' : 'vip';
    const { key } = await gateway.newKey({ account: `of ${group}`, group, permissions: { ...permissions, mayStore: true } });
    const list = await gateway.call('/models', { key });
    expect(list.status).toBe(200);
    const { data } = (await list.json()) as { data: { id: string }[] };
    const served: string[] = [];
    for (const id of ids) if (await isServed(id, key)) served.push(id);
    const single = await Promise.all(ids.map((id) => gateway.call(`/models/${encodeURIComponent(id)}`, { key })));
    expect(single.map(({ status }) => status)).toEqual(ids.map((id) => (served.includes(id) ? 200 : 404)));
    expect(
      data.map(({ id }) => id),
      JSON.stringify({ group, permissions }),
    ).toEqual(served);
  }
});

test('hides stored responses from a key without their operations, whether they exist or not', async () => {
  const { key } = await gateway.newKey({ permissions: { ...anything, operations: ['createResponse'] } });
  const { id } = (await (await call('createResponse', 'house/small', { key })).json()) as { id: string };
  for (const each of [id, 'resp_none']) {
    for (const [path, method] of [
      ['', 'GET'],
      ['', 'DELETE'],
      ['/input_items', 'GET'],
    ] as const) {
      const answer = await gateway.call(`/responses/${each}${path}`, { key, method });
      await expectRefusal(answer, { code: 'permission_denied' });
    }
  }
  const reader = await gateway.newKey({ permissions: { ...anything, operations: ['getResponse'] } });
  expect((await gateway.call(`/responses/${id}`, { key: reader.key })).status).toBe(200);
});

describe.each(['house/small', 'plain'])("a key that can't store, over %s", (model) => {
  const noStore = () => gateway.newKey({ permissions: { ...anything, mayStore: false } });

  test('fails with store: true', async () => {
    const { key } = await noStore();
    for (const stream of [false, true]) {
      const answer = await call('createResponse', model, { key, store: true, stream });
      await expectRefusal(answer, { code: 'permission_denied', param: 'store' });
    }
  });

  test.each([{}, { store: null }, { store: false }])("gets a response for %j that isn't stored", async (store) => {
    const { key } = await noStore();
    const answer = await call('createResponse', model, { key, ...store });
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as { id: string; store: boolean };
    expect(body.store).toBe(false);
    await expectRefusal(await gateway.call(`/responses/${body.id}`, { key }), { code: 'response_not_found' });
    const stream = await (await call('createResponse', model, { key, ...store, stream: true })).text();
    expect(stream).toContain('"store":false');
    expect(stream).not.toContain('"store":true');
  });

  test('continues a response that another key of its account stored', async () => {
    const first = (await (await call('createResponse', model, { key: gateway.key })).json()) as { id: string };
    const { key } = await noStore();
    const answer = await call('createResponse', model, { key, previous_response_id: first.id });
    expect(await answer.json()).toMatchObject({ store: false, previous_response_id: first.id });
  });
});

describe('a key with address ranges', () => {
  const elsewhere = { ipRanges: ['203.0.113.0/24'] };

  test('fails from another address before the body is read, and no response or log line names an address', async () => {
    const { key } = await gateway.newKey(elsewhere);
    for (const path of ['/models', '/responses/resp_1', ...operations.map((operation) => requests[operation].path)]) {
      const method = path === '/models' || path.includes('resp_') ? 'GET' : 'POST';
      const answer = await gateway.call(path, { key, method, ...(method === 'POST' && { body: '{"model":' }) });
      const body = await expectRefusal(answer, { code: 'permission_denied', says: 'address' });
      const line = await gateway.lineOf(answer);
      expect(line).toMatchObject({ status: 403, code: 'permission_denied' });
      expect(JSON.stringify([body, line])).not.toMatch(/127\.0\.0|203\.0\.113|::1/);
    }
  });

  test('F48: fails from another address, whatever a header claims', async () => {
    const { key } = await gateway.newKey(elsewhere);
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'client-ip', 'cf-connecting-ip', 'true-client-ip']) {
      const value = name === 'forwarded' ? 'for=203.0.113.7' : '203.0.113.7';
      await expectRefusal(await gateway.call('/models', { key, headers: { [name]: value } }), { code: 'permission_denied' });
    }
  });

  test('works from an address in its ranges', async () => {
    const { key } = await gateway.newKey({ ipRanges: ['203.0.113.0/24', '127.0.0.0/8'] });
    expect((await gateway.call('/models', { key })).status).toBe(200);
  });

  test('F48: works behind a trusted proxy by the address that the proxy saw', async () => {
    const behindProxy = await startGateway({ models, billing: 'off', server: { trustedProxies: ['127.0.0.1'] } });
    try {
      const { key } = await behindProxy.newKey(elsewhere);
      const from = (forwarded: string) => behindProxy.call('/models', { key, headers: { 'x-forwarded-for': forwarded } });
      expect((await from('203.0.113.7')).status).toBe(200);
      expect((await from('198.51.100.1, 203.0.113.7')).status).toBe(200);
      await expectRefusal(await from('203.0.113.7, 198.51.100.1'), { code: 'permission_denied' });
      await expectRefusal(await from('203.0.113.7, nonsense'), { code: 'permission_denied' });
      await expectRefusal(await behindProxy.call('/models', { key }), { code: 'permission_denied' });
    } finally {
      await behindProxy.close();
    }
  });
});

test('applies a change of a key in use within two seconds', async () => {
  const date = holdDate();
  const held = await startGateway({ models, billing: 'off' });
  onTestFinished(() => held.close());
  const { key, id } = await held.newKey();
  const ask = async () => (await held.call('/responses', { key, json: { model: 'house/small', input: 'hi' } })).status;
  expect(await ask()).toBe(200);
  await held.editKey(id, { permissions: { ...anything, models: ['plain'] } });
  date.pass(1_999);
  expect(await ask()).toBe(403);
});
