/** Stored responses: read, deleted and paged through by the account that made them, and by no other. */
import OpenAI, { NotFoundError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Modelgate } from '../../client/sdk/src/index.ts';
import type { InputItemList } from '../../contract/responses/stored.ts';
import { openApp } from '../../server/api/app.ts';
import { openGateway } from '../../server/gateway/gateway.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

interface Answer {
  readonly id: string;
  readonly output: readonly { readonly id: string }[];
}

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  gateway = await startGateway(behind(fake.url));
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

async function create(more: Record<string, unknown> = {}): Promise<Answer> {
  const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', ...more } });
  expect(answer.status).toBe(200);
  // The gateway under test checks its answers against the contract.
  return (await answer.json()) as Answer;
}

const read = (path: string, key?: string) => gateway.call(`/responses/${path}`, key === undefined ? {} : { key });
const remove = (id: string, key?: string) => gateway.call(`/responses/${id}`, { method: 'DELETE', ...(key !== undefined && { key }) });

async function list(id: string, query = ''): Promise<InputItemList> {
  const answer = await read(`${id}/input_items${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as InputItemList;
}
const textsOf = ({ data }: InputItemList) => data.map(({ content }) => JSON.stringify(content).match(/"text":"([^"]*)"/)?.[1]);

describe('a caller who reads a stored response', () => {
  test('gets the response unchanged', async () => {
    const made = await create({ instructions: 'Be brief.', metadata: { team: 'search' } });
    const answer = await read(made.id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await answer.json()).toEqual(made);
  });

  test('gets the response of the last event of a stream', async () => {
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', stream: true } });
    const last = (await answer.text()).split('\n').findLast((line) => line.includes('"response.completed"') && line.startsWith('data:'));
    const { response } = JSON.parse(last?.slice('data:'.length) ?? '');
    expect(await (await read(response.id)).json()).toEqual(response);
  });

  test('gets the same error for an unknown, an unstored and a deleted one', async () => {
    const unstored = await create({ store: false });
    const deleted = await create();
    expect((await remove(deleted.id)).status).toBe(200);
    for (const id of ['resp_none', unstored.id, deleted.id]) {
      for (const answer of [await read(id), await read(`${id}/input_items`), await remove(id)]) {
        const { error } = await expectRefusal(answer, { code: 'response_not_found' });
        expect(error.message.replace(id, 'ID')).toBe("Response 'ID' not found. This account has no stored response with this ID.");
      }
    }
  });

  test("F45, G12: gets the error for an unknown ID from another account, and can't delete it", async () => {
    const { id } = await create({ input: 'A secret.' });
    const { key } = await gateway.newKey({ account: 'other' });
    for (const ask of [read, (path: string, own: string) => read(`${path}/input_items`, own), remove]) {
      const [foreign, unknown] = [await ask(id, key), await ask('resp_none', key)];
      const [one, other] = [
        await expectRefusal(foreign, { code: 'response_not_found' }),
        await expectRefusal(unknown, { code: 'response_not_found' }),
      ];
      expect(one.error.message.replace(id, 'resp_none')).toBe(other.error.message);
    }
    expect((await read(id)).status).toBe(200);
  });

  test.each([null, 'mg-wrong'])('needs a key (%s)', async (key) => {
    const { id } = await create();
    await expectRefusal(await gateway.call(`/responses/${id}`, { key }), { code: 'invalid_api_key' });
    await expectRefusal(await gateway.call(`/responses/${id}`, { key, method: 'DELETE' }), { code: 'invalid_api_key' });
  });

  test('sends stream=false and include without an error', async () => {
    const { id } = await create();
    expect((await read(`${id}?stream=false&include[]=reasoning.encrypted_content`)).status).toBe(200);
  });

  test('gets 400 for an id that is too long, and 404 for odd ids', async () => {
    await expectRefusal(await read('r'.repeat(513)), { code: 'string_above_max_length', param: 'response_id' });
    for (const id of ['r'.repeat(512), '%2F', '%00', '__proto__', "'; DROP TABLE responses; --"]) {
      await expectRefusal(await read(encodeURI(id)), { code: 'response_not_found' });
    }
  });

  test('G1: finds it after a restart, with the same input items', async () => {
    const { id } = await create({ input: 'Remember this.' });
    const before = await list(id);
    const second = await openGateway(gateway.gateway.config, gateway.gateway.log);
    const app = await openApp(second);
    const headers = { authorization: `Bearer ${gateway.key}` };
    const [response, items] = await Promise.all(
      ['', '/input_items'].map((end) => app.inject({ url: `/v1/responses/${id}${end}`, headers })),
    );
    await app.close();
    await second.close();
    expect(response?.json().id).toBe(id);
    expect(items?.json()).toEqual(before);
  });
});

describe('a caller who deletes a stored response', () => {
  test('sends a content type without a body, as the OpenAI SDK for Python does', async () => {
    const { id } = await create();
    const answer = await gateway.call(`/responses/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(200);
  });

  test('gets a confirmation, and can neither read nor continue it', async () => {
    const { id, output } = await create();
    const answer = await remove(id);
    expect([answer.status, await answer.json()]).toEqual([200, { id, object: 'response', deleted: true }]);
    await expectRefusal(await read(id), { code: 'response_not_found' });
    const next = { model: 'gpt-5.4', input: 'And?', previous_response_id: id };
    await expectRefusal(await gateway.call('/responses', { json: next }), {
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    const reference = { model: 'gpt-5.4', input: [{ type: 'item_reference', id: output[0]?.id }] };
    await expectRefusal(await gateway.call('/responses', { json: reference }), { code: 'item_not_found', param: 'input[0].id' });
  });
});

describe('a caller who lists the input items of a response', () => {
  test('reads a string input as a user message whose id stays the same', async () => {
    const { id } = await create({ input: 'My name is Ada.' });
    const page = await list(id);
    const item = {
      id: expect.stringMatching(/^msg_[0-9a-f]{48}$/),
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'My name is Ada.' }],
    };
    expect(page).toEqual({ object: 'list', data: [item], first_id: page.data[0]?.id, last_id: page.data[0]?.id, has_more: false });
    expect(await list(id)).toEqual(page);
  });

  test('reads the whole chain with its responses, newest first, or oldest first on request', async () => {
    const first = await create({ input: 'One' });
    const second = await create({ input: [{ role: 'developer', content: 'Two' }], previous_response_id: first.id });
    const page = await list(second.id);
    expect(page.data.map(({ type, role }) => [type, role])).toEqual([
      ['message', 'developer'],
      ['message', 'assistant'],
      ['message', 'user'],
    ]);
    expect(page.data[1]?.id).toBe(first.output[0]?.id);
    expect((await list(second.id, '?order=asc')).data).toEqual(page.data.toReversed());
    expect((await list(first.id)).data).toHaveLength(1);
  });

  test('reads each item once over all pages, also with duplicate ids', async () => {
    const words = Array.from({ length: 25 }, (_, index) => `word ${index}`);
    const { id } = await create({
      input: words.map((content, index) => ({ role: 'user', content, ...(index % 3 === 0 && { id: 'msg_same' }) })),
    });
    const seen: (string | undefined)[] = [];
    let page = await list(id, '?limit=10&order=asc');
    seen.push(...textsOf(page));
    while (page.has_more) {
      page = await list(id, `?limit=10&order=asc&after=${page.last_id}`);
      seen.push(...textsOf(page));
    }
    expect(seen).toEqual(words);
    expect(textsOf(await list(id))).toEqual(words.toReversed().slice(0, 20));
    expect(await list(id, `?after=${page.last_id}&order=asc`)).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });

  test('sees tool calls and results with ids of their own, unchanged otherwise', async () => {
    const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };
    const result = { type: 'function_call_output', call_id: 'call_1', output: '42' };
    const { id } = await create({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'Go' }] }, call, result] });
    const { data } = await list(id, '?order=asc');
    expect(data.slice(1)).toEqual([
      { ...call, id: expect.stringMatching(/^fc_/) },
      { ...result, id: expect.stringMatching(/^item_/) },
    ]);
    expect(new Set(data.map((item) => item.id)).size).toBe(3);
  });

  test.each([
    ['limit=0', 'integer_below_min_value', 'limit'],
    ['limit=101', 'integer_above_max_value', 'limit'],
    ['limit=ten', 'invalid_type', 'limit'],
    ['limit=1&limit=2', 'invalid_type', 'limit'],
    ['order=newest', 'invalid_value', 'order'],
    ['after=msg_none', 'invalid_value', 'after'],
    ['after=5', 'invalid_value', 'after'],
  ] as const)('gets 400 with the field for %s', async (query, code, param) => {
    const { id } = await create();
    await expectRefusal(await read(`${id}/input_items?${query}`), { code, param });
  });
});

test('reads, lists and deletes with the OpenAI SDK', async () => {
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  const made = await client.responses.create({
    model: 'gpt-5.4',
    input: [...'abc'].map((content) => ({ role: 'user' as const, content })),
  });
  expect((await client.responses.retrieve(made.id)).output_text).toBe(made.output_text);
  const ids: (string | undefined)[] = [];
  for await (const { id } of client.responses.inputItems.list(made.id, { limit: 2, order: 'asc' })) ids.push(id);
  expect(new Set(ids).size).toBe(3);
  await client.responses.delete(made.id);
  await expect(client.responses.retrieve(made.id)).rejects.toThrow(NotFoundError);
});

test('reads, lists and deletes with the typed client, with any characters in an ID', async () => {
  const client = new Modelgate({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  const made = await client.createResponse({ model: 'gpt-5.4', input: 'Hi' });
  expect(await client.getResponse(made.id)).toEqual(made);
  const { data, last_id } = await client.listInputItems(made.id, { limit: 1, order: 'asc', after: undefined });
  expect(data).toHaveLength(1);
  expect((await client.listInputItems(made.id, { after: last_id ?? '' })).data).toEqual([]);
  expect(await client.deleteResponse(made.id)).toEqual({ id: made.id, object: 'response', deleted: true });
  await expect(client.getResponse('a/b?c=$&')).rejects.toThrow("'a/b?c=$&'");
});
