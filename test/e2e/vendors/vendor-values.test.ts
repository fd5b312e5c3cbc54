/** Values that only one vendor has: sent to the upstream that accepts them, charged, and rejected for every other model with the names of those that take them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { openFake } from '../../fakes/upstream.ts';
import { startGateway } from '../../harness/gateway.ts';
import { useOpened } from '../../harness/opened.ts';

const usage = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000 };
const vendor = useOpened(() => openFake());
const gateway = useOpened(() => {
  const place = { kind: 'openai-compatible', baseUrl: vendor.url, apiKey: 'k' };
  const accepts = {
    tools: ['openrouter:web_search', 'openrouter:datetime'],
    parts: ['document_url', 'video_url'],
    toolChoices: ['any'],
    serviceTiers: ['on_demand'],
    untypedTools: true,
  };
  // A dollar for a million tokens: a thousand are a millidollar.
  const prices = { input: '1', output: '1', tools: { openrouter_web_search_call: '0.5' } };
  const model = { kind: 'text' as const, prices };
  return startGateway({
    upstreams: { router: { ...place, quirks: { accepts } }, plain: place, claude: { ...place, kind: 'anthropic' } },
    routing: { maxAttempts: 1 },
    models: [
      { ...model, id: 'routed', upstream: 'router' },
      { ...model, id: 'plain', upstream: 'plain' },
      { ...model, id: 'translated', upstream: 'claude' },
      {
        ...model,
        id: 'mixed',
        candidates: [{ upstream: 'claude' }, { upstream: 'plain', priority: 2 }, { upstream: 'router', priority: 3 }],
      },
    ],
  });
});
beforeEach(() => {
  vendor.clear();
  vendor.always(({ fields }) =>
    fields.stream === true ? stream(chatFrames({ text: 'Hi', includeUsage: true })) : json({ ...chatCompletion({ text: 'Hi' }), usage }),
  );
});

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const question = { role: 'user', content: 'Hi' };
const lookup = { name: 'look', parameters: { type: 'object', properties: {} } };

/** A request with one value of the vendor, and the field that a refusal names. */
const requests: Readonly<Record<string, readonly [body: Readonly<Record<string, unknown>>, param: string]>> = {
  'a part': [
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read' },
            { type: 'document_url', document_url: 'https://example.com/a.pdf' },
          ],
        },
      ],
    },
    'messages[0].content[1].type',
  ],
  'a tool of the vendor': [
    { messages: [question], tools: [{ type: 'openrouter:web_search', parameters: { max_results: 3 } }] },
    'tools[0].type',
  ],
  'a function without a type': [{ messages: [question], tools: [{ function: lookup }] }, 'tools[0].type'],
  'a tool choice': [{ messages: [question], tools: [{ type: 'function', function: lookup }], tool_choice: 'any' }, 'tool_choice'],
  'a service tier': [{ messages: [question], service_tier: 'on_demand' }, 'service_tier'],
};

const ask = async (body: object) => {
  const answer = await gateway.call('/chat/completions', { json: body });
  return { status: answer.status, text: await answer.text() };
};

describe.each(Object.entries(requests))('%s', (_, [body, param]) => {
  test.each(['routed', 'mixed'])('reaches the provider unchanged, whole and streamed (model %s)', async (model) => {
    expect(await ask({ model, ...body })).toMatchObject({ status: 200, text: expect.stringContaining('Hi') });
    expect(vendor.last.fields).toMatchObject(body);
    expect(await ask({ model, ...body, stream: true })).toMatchObject({ status: 200, text: expect.stringContaining('[DONE]') });
    expect(vendor.last.fields).toMatchObject(body);
    expect(vendor.requests.every(({ path }) => path.endsWith('/chat/completions'))).toBe(true);
  });

  test('returns 400 for another model, names the models that accept it, and sends nothing', async () => {
    const before = vendor.requests.length;
    const { status, text } = await ask({ model: 'plain', ...body });
    expect({ status, error: JSON.parse(text).error }).toMatchObject({
      status: 400,
      error: { param, message: expect.stringMatching(/Only these models accept it: 'routed', 'mixed'\.$/) },
    });
    expect(vendor.requests).toHaveLength(before);
  });
});

test.each([
  ['another value of the same field', { service_tier: 'huge' }, 'service_tier'],
  ['another field beside it', { service_tier: 'on_demand', temperature: 9 }, 'temperature'],
  ['a part of another kind', { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] }, 'messages[0].content[0].type'],
  ['a function without a type that is wrong otherwise', { tools: [{ function: { parameters: {} } }] }, 'tools[0].function.name'],
])('rejects %s for the model that accepts provider values', async (_, fields, param) => {
  const { status, text } = await ask({ model: 'routed', messages: [question], ...fields });
  expect([status, JSON.parse(text).error.param]).toEqual([400, param]);
  expect(JSON.parse(text).error.message).not.toContain('Only these models');
});

describe.each([
  ['reasoning_effort', { reasoning_effort: 'huge' }],
  ['reasoning.effort', { reasoning: { effort: 'huge' } }],
  ['verbosity', { verbosity: 'chatty' }],
  ['response_format.type', { response_format: { type: 'regex', pattern: '[0-9]+' } }],
  [
    'messages[0].content[0].image_url.detail',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: PIXEL, detail: '4k' } }] }] },
  ],
])('a value that is newer than the contract: %s', (param, fields) => {
  test.each(['plain', 'mixed'])('reaches an upstream that supports chat itself (model %s)', async (model) => {
    expect(await ask({ model, messages: [question], ...fields })).toMatchObject({ status: 200 });
    expect(vendor.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  });

  test('returns 400 when it must be translated, and for a number', async () => {
    for (const body of [
      { ...fields, model: 'translated' },
      { model: 'plain', reasoning_effort: 5 },
    ]) {
      const { status, text } = await ask({ messages: [question], ...body });
      const at = body.model === 'plain' ? ['invalid_type', 'reasoning_effort'] : ['invalid_value', param];
      expect([status, JSON.parse(text).error.code, JSON.parse(text).error.param]).toEqual([400, ...at]);
    }
    expect(vendor.requests).toEqual([]);
  });
});

test('rejects them for a responses caller', async () => {
  const answer = await gateway.call('/responses', { json: { model: 'routed', input: 'Hi', service_tier: 'on_demand' } });
  expect(answer.status).toBe(400);
  await answer.text();
});

describe('money', () => {
  const searching = { model: 'routed', messages: [question], tools: [{ type: 'openrouter:web_search' }] };
  const balanceOf = async (accountId: string) => (await gateway.gateway.money?.ledger.getBalance(accountId))?.balance;
  const paid = (key: string, body: object) =>
    gateway.call('/chat/completions', { key, json: body }).then(async (answer) => [answer.status, await answer.text()]);

  test("charges a provider's tool once per request that offers it, beside the tokens", async () => {
    const { key, accountId } = await gateway.newKey({ account: 'searcher', balance: 20_000_000n });
    expect(await paid(key, searching)).toEqual([200, expect.any(String)]);
    // 0.5 for the call, 0.001 for a thousand tokens.
    expect(await balanceOf(accountId)).toBe(20_000_000n - 501_000n);
  });

  test('omits a tool without a price free of charge, and rejects it when tool_choice requires it', async () => {
    const { key, accountId } = await gateway.newKey({ account: 'clock', balance: 20_000_000n });
    const clock = { ...searching, tools: [{ type: 'openrouter:datetime' }] };
    const [status, text] = await paid(key, { ...clock, tool_choice: 'required' });
    expect([status, JSON.parse(String(text)).error.param]).toEqual([400, 'tools[0]']);
    expect(await balanceOf(accountId)).toBe(20_000_000n);
    expect(await paid(key, clock)).toEqual([200, expect.any(String)]);
    expect(await balanceOf(accountId)).toBe(20_000_000n - 1_000n);
  });

  test('charges an accepted tier like the model, and rejects another one', async () => {
    const { key, accountId } = await gateway.newKey({ account: 'tiers', balance: 20_000_000n });
    expect(await paid(key, { model: 'routed', messages: [question], service_tier: 'on_demand' })).toEqual([200, expect.any(String)]);
    expect(await balanceOf(accountId)).toBe(20_000_000n - 1_000n);
    expect((await paid(key, { model: 'routed', messages: [question], service_tier: 'priority' }))[0]).toBe(400);
  });
});
