/** Azure OpenAI and Claude in Foundry behind the gateway: their addresses and keys, the content filter's fields, and their errors, for both callers. */
import OpenAI from 'openai';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AzureReply, type AzureRules, azure, azureFailure, verdicts } from '../../fakes/azure.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { readFrames } from '../../fakes/frames.ts';
import { drawPng } from '../../fakes/images.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { expectText } from './read-text.ts';

const key = 'azure-key-0123456789';
const strict: AzureRules = { key, deployments: ['deployment', 'two', 'claude', 'pictures'], versions: ['2024-10-21'] };
const place = (more: object = {}) => ({ azure: { resource: 'contoso', ...more }, apiKey: key });

let fake: Fake;
let gateway: TestGateway;
let sdk: OpenAI;
beforeAll(async () => {
  fake = await openFake();
  const { origin } = new URL(fake.url);
  const prices = { input: '1', cachedInput: '0.1', output: '10' };
  const deployed = { upstreamModel: 'deployment', kind: 'text', prices } as const;
  gateway = await startGateway({
    upstreams: {
      chat: { kind: 'openai', baseUrl: `${origin}/openai/v1`, protocols: ['chat', 'images'], ...place() },
      responses: { kind: 'openai', baseUrl: `${origin}/openai/v1`, protocols: ['responses'], ...place() },
      dated: { kind: 'openai', baseUrl: `${origin}/openai`, protocols: ['chat', 'images'], ...place({ apiVersion: '2024-10-21' }) },
      'dated-chat': {
        kind: 'openai-compatible',
        baseUrl: `${origin}/openai`,
        quirks: { hints: false, reasoningEffort: 'ignore' },
        ...place({ apiVersion: '2024-10-21' }),
      },
      compatible: { kind: 'openai-compatible', baseUrl: `${origin}/openai/v1`, ...place() },
      claude: { kind: 'anthropic', baseUrl: `${origin}/anthropic/v1`, ...place() },
    },
    routing: { maxAttempts: 2 },
    models: [
      ...['chat', 'responses', 'dated', 'dated-chat', 'compatible'].map((upstream) => ({
        ...deployed,
        id: upstream,
        upstream,
      })),
      { ...deployed, id: 'claude', upstream: 'claude', upstreamModel: 'claude' },
      { id: 'two', kind: 'text', prices, candidates: [{ upstream: 'chat' }, { upstream: 'compatible', priority: 2 }] },
      ...['chat', 'dated'].map((upstream) => ({
        id: `pictures-${upstream}`,
        kind: 'image',
        upstream,
        upstreamModel: 'pictures',
        prices: { images: { default: '0.04' } },
      })),
    ],
  });
  sdk = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  return async () => {
    await gateway.close();
    await fake.close();
  };
});
afterEach(() => fake.clear());

const serve = (reply?: AzureReply): void => void fake.always(azure(strict, reply));
const messages = [{ role: 'user' as const, content: 'Hi' }];
const chat = (model: string, more: object = {}) => gateway.call('/chat/completions', { json: { model, messages, ...more } });

test.each(['chat', 'responses', 'dated', 'dated-chat', 'compatible', 'claude'])(
  'returns text to chat and Responses callers over %s',
  async (model) => {
    serve({ text: 'Yes, I do.' });
    await expectText(sdk, model, 'Yes, I do.');
  },
);

describe('addresses', () => {
  test.each([
    ['chat', '/openai/v1/chat/completions', 'api-key'],
    ['responses', '/openai/v1/responses', 'api-key'],
    ['dated', '/openai/deployments/deployment/chat/completions?api-version=2024-10-21', 'api-key'],
    ['claude', '/anthropic/v1/messages', 'x-api-key'],
  ])('sends calls of %s to %s, with the key in %s alone', async (model, url, header) => {
    serve();
    expect((await chat(model)).status).toBe(200);
    const { headers } = fake.last;
    expect(fake.last.url).toBe(url);
    expect(['authorization', 'api-key', 'x-api-key'].filter((name) => headers[name] !== undefined)).toEqual([header]);
  });

  test.each(['pictures-chat', 'pictures-dated'])('sends images and edits over %s to their own paths', async (model) => {
    serve();
    const drawn = await sdk.images.generate({ model, prompt: 'A cat.' });
    expect(drawn.data).toHaveLength(1);
    const image = new File([drawPng()], 'a.png', { type: 'image/png' });
    expect((await sdk.images.edit({ model, prompt: 'Red.', image })).data).toHaveLength(1);
    const [made, edited] = fake.requests.map(({ url }) => url);
    const prefix = model === 'pictures-chat' ? '/openai/v1' : '/openai/deployments/pictures';
    const query = model === 'pictures-chat' ? '' : '?api-version=2024-10-21';
    expect([made, edited]).toEqual([`${prefix}/images/generations${query}`, `${prefix}/images/edits${query}`]);
  });

  test('logs the API version of a URL that Azure rejects with 404', async () => {
    fake.next(azureFailure(404, { code: '404', message: 'Resource not found' }));
    const answer = await chat('dated');
    expect(answer.status).toBe(502);
    const id = answer.headers.get('x-request-id');
    expect(await gateway.lineWhere((line) => line.id === id && line.request !== undefined)).toMatchObject({
      request: expect.stringMatching(/\/openai\/deployments\/deployment\/chat\/completions\?api-version=2024-10-21$/),
    });
  });
});

test('sends a version of 2024 only the fields it supports, from both callers', async () => {
  serve({ text: 'Yes.' });
  const hints = { metadata: { a: 'b' }, prompt_cache_key: 'k', store: true };
  const asked = [
    chat('dated-chat', {
      ...hints,
      max_completion_tokens: 100,
      reasoning_effort: 'low',
      messages: [{ role: 'developer', content: 'Be brief.' }, ...messages],
    }),
    gateway.call('/responses', {
      json: {
        model: 'dated-chat',
        ...hints,
        store: false,
        input: 'Hi',
        instructions: 'Be brief.',
        max_output_tokens: 100,
        reasoning: { effort: 'low' },
      },
    }),
  ];
  for (const answer of await Promise.all(asked))
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Yes.')]);
  for (const { fields } of fake.requests)
    expect(fields).toMatchObject({ max_tokens: 100, messages: [{ role: 'system' }, { role: 'user' }] });
});

describe('the content filter', () => {
  test("shows its verdicts to chat callers, whole and streamed, and sends no chunk with only the prompt's verdict", async () => {
    serve({ text: 'Yes.' });
    expect(await (await chat('chat')).json()).toMatchObject({ choices: [{ content_filter_results: verdicts }] });
    const frames = readFrames(await (await chat('chat', { stream: true })).text());
    expect(frames[0]?.data).toMatchObject({ choices: [{ content_filter_results: verdicts, delta: { role: 'assistant' } }] });
  });

  test('accepts a chunk that reports a filter failure', async () => {
    const failed = { error: { code: 'content_filter_error', message: 'The contents are not filtered' } };
    const [first, ...rest] = chatFrames({ text: 'Yes.', extra: null });
    const data = {
      ...(first?.data as object),
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Oh. ' }, content_filter_results: failed }],
    };
    fake.next(stream([{ data }, ...rest]));
    const answer = await sdk.chat.completions.stream({ model: 'chat', messages }).finalChatCompletion();
    expect(answer.choices[0]?.message.content).toBe('Oh. Yes.');
  });

  test('accepts verdicts in chunks without a delta from a filter that runs in parallel', async () => {
    const frames = chatFrames({ text: 'Yes.', extra: null });
    const late = { index: 0, finish_reason: null, content_filter_results: verdicts, content_filter_offsets: { check_offset: 0 } };
    const told = frames.slice(0, -2).concat({ data: { ...(frames[0]?.data as object), choices: [late] } }, frames.slice(-2));
    fake.next(stream(told)).next(stream(told));
    const answer = await sdk.chat.completions.stream({ model: 'chat', messages }).finalChatCompletion();
    expect(answer.choices[0]?.message.content).toBe('Yes.');
    expect((await sdk.responses.stream({ model: 'chat', input: 'Hi' }).finalResponse()).output_text).toBe('Yes.');
  });
});

test.each([
  ['a chat', () => chat('two', { stream: true })],
  ['a responses', () => gateway.call('/responses', { json: { model: 'two', input: 'Hi', stream: true } })],
])('tries another upstream for %s caller when only the verdict on the prompt has arrived', async (_, ask) => {
  const good = azure(strict, { text: 'Yes.' });
  const prelude = { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: [] };
  fake.next(stream([{ data: prelude }, { data: { error: { code: 'server_error', message: 'no' } } }])).next(good);
  const answer = await ask();
  expect(answer.headers.get('x-modelgate-attempts')).toMatch(/chat;.*compatible;status=200/);
  expect(await answer.text()).toContain('Yes.');
});

describe('Grok', () => {
  const grok = (prompt_tokens_details: object, total_tokens = 10) => ({
    model: 'grok-4',
    choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens, prompt_tokens_details },
  });
  const charged = async (answer: Response) =>
    (await endedCharge(gateway.gateway.money?.ledger ?? expect.fail('no ledger'), answer.headers.get('x-request-id') ?? '')).charged;

  test.each([10, 173])('counts cached tokens beside its input, all of them reported and charged (total %i)', async (total) => {
    fake.next(json({ id: 'x', created: 1, ...grok({ cached_tokens: 163, text_tokens: 7 }, total) }));
    const answer = await chat('compatible');
    expect(await answer.json()).toMatchObject({
      usage: { prompt_tokens: 170, completion_tokens: 3, total_tokens: 173, prompt_tokens_details: { cached_tokens: 163 } },
    });
    // 7 at 1, 163 at 0.1 and 3 at 10 millionths of a dollar each.
    expect(await charged(answer)).toBe(54n);
  });

  test("charges cached tokens once when they're part of the input", async () => {
    fake.next(json({ id: 'x', created: 1, ...grok({ cached_tokens: 5, text_tokens: 7 }) }));
    const answer = await chat('compatible');
    expect(await answer.json()).toMatchObject({ usage: { prompt_tokens: 7, prompt_tokens_details: { cached_tokens: 5 } } });
    expect(await charged(answer)).toBe(33n);
  });
});

test('G13: hides what Azure reports about a rejected key from the caller and the log', async () => {
  fake.next(azureFailure(401, { code: '401', message: `Access denied due to invalid subscription key ${key}.` }));
  const answer = await chat('chat');
  expect(answer.status).toBe(502);
  expect(await answer.text()).not.toContain(key);
  expect(JSON.stringify(gateway.lines)).not.toContain(key);
  onTestFinished(() => fake.clear());
});
