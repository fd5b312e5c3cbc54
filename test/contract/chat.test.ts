/** POST /v1/chat/completions without a stream: from the simulator by the contract, from a vendor byte by byte. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChatCompletion } from '../../contract/chat/completion.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type BehindVendor, bytesOf, openBehindVendor, vendorKey } from '../harness/vendor.ts';

const messages = [{ role: 'user', content: 'say hello' }];
const chat = { model: 'gpt-5.4', messages };

describe('over the simulator', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  async function complete(more: Record<string, unknown>): Promise<ChatCompletion> {
    const answer = await gateway.call('/chat/completions', { json: { ...chat, ...more } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    return ChatCompletion.parse(await answer.json());
  }

  test('returns the text in the first choice', async () => {
    const { choices, model, usage } = await complete({});
    expect(choices).toMatchObject([{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]);
    expect(model).toBe('gpt-5.4');
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  test('serves every listed ID of a model that the catalog lists for text', async () => {
    const list = (await (await gateway.call('/models')).json()) as { data: { id: string }[] };
    for (const { id } of list.data.filter(({ id }) => !id.includes('image'))) expect((await complete({ model: id })).model).toBe(id);
  });
});

describe('over a provider', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-5.4', kind: 'text' },
      { id: 'house', kind: 'text', upstreamModel: 'gpt-real' },
    ];
    vendor = await openBehindVendor({
      upstream: { fields: { allow: ['x_new_field', 'x_future', 'x', 'x_deep', '__proto__', 'constructor'] } },
      settings: { models },
    });
  });
  afterAll(() => vendor.close());

  /** Valid JSON that no parser and writer would reproduce. */
  const odd =
    '{ "model" : "gpt-5.4",\n\t"messages":[{"role":"user","content":"\\/ \\"model\\": \\ud83c\\udf0d é"}],' +
    '"temperature":1.0, "seed":12345678901234567890,"x_new_field":{"weight":1E-2,"list":[ ]},"store":false }';

  test('forwards the request unchanged, down to the last space', async () => {
    expect((await vendor.post('/chat/completions', odd)).status).toBe(200);
    expect(vendor.fake.last.body.toString()).toBe(odd);
  });

  test.each([
    ['has a model inside another field', odd.replace('"list"', '"model":"inner","list"')],
    ['writes letters as escapes', odd.replace('é', '\\u00e9 \\u0041')],
    ['sets a field to what it must not be', odd.replace('{ ', '{ "reasoning" : null , ')],
  ])('keeps numbers and escapes also where the request %s', async (_title, text) => {
    expect((await vendor.post('/chat/completions', text)).status).toBe(200);
    const plain = (json: string) => json.replace(/"reasoning" : null , /, '').replace(/\s+/g, '');
    expect(plain(vendor.fake.last.body.toString())).toBe(plain(text));
  });

  test('forwards the response unchanged, down to the last space', async () => {
    const answer = await vendor.post('/chat/completions', JSON.stringify(chat));
    const bytes = await bytesOf(answer);
    expect(bytes.equals(vendor.fake.last.sent)).toBe(true);
    ChatCompletion.parse(JSON.parse(bytes.toString()));
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  });

  test('forwards an unknown field that the operator allows, and null as null', async () => {
    const more = {
      reasoning_effort: null,
      x_future: [1, { a: null }],
      safety_identifier: 'u1',
      metadata: { team: 'search' },
      service_tier: 'default',
    };
    await vendor.post('/chat/completions', JSON.stringify({ ...chat, ...more }));
    expect(vendor.fake.last.json).toEqual({ ...chat, ...more, store: false });
  });

  test.each([
    ['reasoning alone', { reasoning: { effort: 'high' } }, { reasoning_effort: 'high' }],
    ['both', { reasoning: { effort: 'high' }, reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    ['reasoning without an effort', { reasoning: {} }, {}],
    ['reasoning as null', { reasoning: null }, {}],
  ])('sends the right `reasoning_effort` for a caller that sends %s', async (_title, sent, expected) => {
    expect((await vendor.post('/chat/completions', JSON.stringify({ ...chat, ...sent }))).status).toBe(200);
    expect(vendor.fake.last.json).toEqual({ ...chat, ...expected, store: false });
  });

  test("sends its own key and the request ID upstream, and neither the caller's key nor headers", async () => {
    const headers = { cookie: 'session=1', 'openai-organization': 'org-caller', 'x-forwarded-for': '203.0.113.9', 'x-api-key': 'mine' };
    const answer = await vendor.post('/chat/completions', JSON.stringify(chat), { ...headers, 'user-agent': 'caller/1.0' });
    const { last } = vendor.fake;
    expect(last.headers).toMatchObject({
      authorization: `Bearer ${vendorKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'x-request-id': answer.headers.get('x-request-id'),
    });
    for (const name of Object.keys(headers)) expect(last.headers).not.toHaveProperty(name);
    expect(last.rawHeaders.join('\n')).not.toMatch(new RegExp(`caller|${vendor.gateway.key}`));
    expect(last.rawHeaders.filter((name) => /^(authorization|content-length|content-type)$/i.test(name))).toHaveLength(3);
  });

  test("keeps the provider's headers from the caller", async () => {
    const answer = await vendor.post('/chat/completions', JSON.stringify(chat));
    const ours = ['x-modelgate-attempts', 'x-modelgate-cost', 'x-request-id'];
    const expected = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', ...ours];
    expect([...answer.headers.keys()].sort()).toEqual(expected);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test('renames only the model, in the request and in the response', async () => {
    const content = 'is "model":"house" or gpt-real better?';
    const body = `{"messages":[{"role":"user","content":${JSON.stringify(content)}}],"temperature":1.0,"model": "house"}`;
    vendor.fake.next(json(chatCompletion({ model: 'gpt-real-2026-03-05', text: 'I am gpt-real, "model":"gpt-real".' })));
    const answer = await bytesOf(await vendor.post('/chat/completions', body));
    const written = `{"store":false,${body.slice(1)}`;
    expect(vendor.fake.last.body.toString()).toBe(written.replace('"model": "house"', '"model": "gpt-real"'));
    expect(answer.toString()).toBe(vendor.fake.last.sent.toString().replace('"model":"gpt-real-2026-03-05"', '"model":"house"'));
  });

  test('renames the model in the parsed response too', async () => {
    const answer = ChatCompletion.parse(await (await vendor.post('/chat/completions', JSON.stringify({ ...chat, model: 'house' }))).json());
    expect(vendor.fake.last.fields.model).toBe('gpt-real');
    expect(answer.model).toBe('house');
  });

  /** Two parsers may read different models from one body, so the vendor must get only the one that was checked. */
  const doubled = [
    ['twice', '{"model":"unknown-to-us","messages":MESSAGES,"model":"MODEL"}'],
    ['twice, the good one first', '{"model":"MODEL","messages":MESSAGES,"model":"MODEL"}'],
    ['behind an escape', '{"mod\\u0065l":"MODEL","messages":MESSAGES}'],
    ['behind an escape and plainly', '{"model":"unknown-to-us","messages":MESSAGES,"mod\\u0065l":"MODEL"}'],
    ['plainly, and behind an escape in a message', '{"model":"MODEL","messages":MESSAGES,"x":{"\\u006dodel":"y"}}'],
    ['with spaces and escapes in its value', '{"messages":MESSAGES, "model" :\n "\\u0068ouse"}'],
  ] as const;

  test.each(doubled)('forwards a body that names its model %s with only the checked model', async (_title, body) => {
    for (const model of ['gpt-5.4', 'house']) {
      const text = body.replaceAll('MODEL', model).replace('MESSAGES', JSON.stringify(messages));
      expect((await vendor.post('/chat/completions', text)).status).toBe(200);
      const sent = vendor.fake.last.body.toString();
      const isHouse = (JSON.parse(text) as { model: string }).model === 'house';
      expect(vendor.fake.last.fields).toMatchObject({ model: isHouse ? 'gpt-real' : 'gpt-5.4', messages });
      expect(sent.match(/"(m|\\u006d)od(e|\\u0065)l"\s*:\s*"(gpt|house|unknown|\\u0068)/g)).toHaveLength(1);
    }
  });

  /** The hold is computed from the value that the gateway reads; a vendor that read the other one could use a thousand times as much. */
  const priced = [
    ['max_tokens', '"max_tokens":100000,"messages":MESSAGES,"max_tokens":7', 7],
    ['max_completion_tokens', '"max_completion_tokens":100000,"messages":MESSAGES,"max_completion_tokens":7', 7],
    ['n', '"n":8,"messages":MESSAGES,"n":1', 1],
    ['n behind an escape', '"\\u006e":8,"messages":MESSAGES,"n":1', 1],
    ['n in odd spaces', '"n" :\n8,"messages":MESSAGES,\t"n" : 1', 1],
  ] as const;
  test.each(priced)('forwards a body that has %s twice with only the value of the hold', async (title, fields, value) => {
    const text = `{"model":"gpt-5.4",${fields.replace('MESSAGES', JSON.stringify(messages))}}`;
    expect((await vendor.post('/chat/completions', text)).status).toBe(200);
    const [name = ''] = title.split(' ');
    expect(vendor.fake.last.fields).toMatchObject({ [name]: value, messages });
    expect(vendor.fake.last.body.toString().match(/"(?:max_tokens|max_completion_tokens|n|\\u006e)"\s*:/g)).toEqual([`"${name}":`]);
  });

  test('forwards a body unchanged that has a priced field once, and its name again in a tool', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { n: { type: 'integer' } } } } }];
    const text = `{ "n": 1.0, "model":"gpt-5.4",  "tools":${JSON.stringify(tools)},"messages":${JSON.stringify(messages)}}`;
    expect((await vendor.post('/chat/completions', text)).status).toBe(200);
    expect(vendor.fake.last.body.toString()).toContain('"n": 1.0, "model":"gpt-5.4",  "tools"');
  });

  test('forwards `__proto__` and `constructor` as plain fields that change no object', async () => {
    const text = `{"__proto__":{"model":"x","stream":true},"constructor":{"prototype":{}},"model":"house","messages":${JSON.stringify(messages)}}`;
    expect((await vendor.post('/chat/completions', text)).status).toBe(200);
    expect(vendor.fake.last.body.toString()).toContain('"__proto__":{"model":"x","stream":true}');
    expect(vendor.fake.last.headers.accept).toBe('application/json');
    expect({}).not.toHaveProperty('stream');
  });

  test.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['objects with numbers as names', `${'{"0":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ])('returns 200 or 400 for a field of 50,000 nested %s', async (_title, deep) => {
    for (const head of ['"model":"gpt-5.4"', '"model":"house","model":"house"', '"model":"house","stream":true,"stream_options":null']) {
      const answer = await vendor.post('/chat/completions', `{${head},"messages":${JSON.stringify(messages)},"x_deep":${deep}}`);
      expect([200, 400]).toContain(answer.status);
      await answer.arrayBuffer();
    }
  });

  test('logs usage, model and upstream, and neither content nor keys', async () => {
    const answer = await vendor.post(
      '/chat/completions',
      JSON.stringify({ ...chat, messages: [{ role: 'user', content: 'a private matter' }] }),
    );
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({
      route: '/v1/chat/completions',
      method: 'POST',
      status: 200,
      end: 'completed',
      model: 'gpt-5.4',
      upstream: 'vendor',
      inputTokens: 11,
      outputTokens: 7,
    });
    expect(JSON.stringify(vendor.gateway.lines)).not.toMatch(/private|Grüße|sk-vendor/);
  });

  test('forwards a response without usage', async () => {
    vendor.fake.next(json(chatCompletion({ usage: null })));
    const answer = await vendor.post('/chat/completions', JSON.stringify(chat));
    expect(ChatCompletion.parse(await answer.json()).usage).toBeUndefined();
    expect(await vendor.gateway.lineOf(answer)).not.toHaveProperty('inputTokens');
  });

  test('forwards a response with odd usage, and logs whole numbers only', async () => {
    vendor.fake.next(
      json(chatCompletion({ usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: null } })),
    );
    expect((await vendor.post('/chat/completions', JSON.stringify(chat))).status).toBe(200);
  });
});
