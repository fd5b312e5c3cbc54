/** The scenarios of the simulator, by the header and by the phrase, on every operation that has them. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { scenarios } from '../../server/providers/simulator/scenarios.ts';
import { drawPng } from '../fakes/images.ts';
import { openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  const routing = { maxAttempts: 3, breaker: { failures: 5 } };
  gateway = await startGateway({ routing, upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0, slowMs: 40, stallMs: 200 } } });
});
afterAll(() => gateway.close());

const asks = {
  chat: (prompt: string) => ['/chat/completions', { model: 'gpt-5.4', messages: [{ role: 'user', content: prompt }] }] as const,
  responses: (prompt: string) => ['/responses', { model: 'gpt-5.4', input: prompt }] as const,
  images: (prompt: string) => ['/images/generations', { model: 'gpt-image-2', prompt }] as const,
};
type As = keyof typeof asks;
const kinds = ['chat', 'responses', 'images'] as const;

interface Asked {
  readonly as?: As;
  readonly stream?: boolean;
  readonly prompt?: string;
  readonly more?: object;
  readonly key?: string;
}

/** Requests the scenario by the header, which leaves the prompt unchanged. */
function ask(scenario: string, { as = 'chat', stream = false, prompt = 'Say hello.', more = {}, key }: Asked = {}): Promise<Response> {
  const [path, json] = asks[as](prompt);
  const headers = { 'x-modelgate-scenario': scenario };
  return gateway.call(path, { json: { ...json, ...more, ...(stream && { stream }) }, headers, ...(key !== undefined && { key }) });
}

const errorOf = async (answer: Response): Promise<ErrorBody['error']> => ErrorBody.parse(await answer.json()).error;
const clientOf = (scenario: string, maxRetries = 0): OpenAI =>
  new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries, defaultHeaders: { 'x-modelgate-scenario': scenario } });

/** The result of each scenario, for JSON and for a stream. A scenario without a line here fails. */
const outcomes: Readonly<
  Record<
    string,
    { readonly written: string; readonly whole: number; readonly stream: 'upstream_error' | 'upstream_timeout' | 'good' | number }
  >
> = {
  'error STATUS [retry-after SECONDS]': { written: 'error 503 retry-after 9', whole: 503, stream: 503 },
  'retry-after SECONDS': { written: 'retry-after 7', whole: 429, stream: 429 },
  'fail-twice [STATUS]': { written: 'fail-twice 503', whole: 503, stream: 503 },
  'cut [EVENTS]': { written: 'cut', whole: 502, stream: 'upstream_error' },
  stall: { written: 'stall', whole: 504, stream: 'upstream_timeout' },
  slow: { written: 'slow', whole: 200, stream: 'good' },
  late: { written: 'late', whole: 200, stream: 'good' },
  'malformed-sse': { written: 'malformed-sse', whole: 502, stream: 'upstream_error' },
  'malformed-json': { written: 'malformed-json', whole: 502, stream: 'upstream_error' },
  tools: { written: 'tools', whole: 200, stream: 'good' },
  refusal: { written: 'refusal', whole: 200, stream: 'good' },
  long: { written: 'long', whole: 200, stream: 'good' },
};
const tools = { tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }] };
const flatTools = { tools: [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } }] };
const toolsFor = (as: As, written: string): object => (written !== 'tools' || as === 'images' ? {} : as === 'chat' ? tools : flatTools);

describe.each(scenarios.map(({ form, isOfText }) => ({ form, isOfText })))('$form', ({ form, isOfText }) => {
  const { written = '', whole = 0, stream = 0 } = outcomes[form] ?? {};

  test.each(kinds)('returns the same status for header and phrase on %s', async (as) => {
    const own = as === 'images' && written === 'refusal' ? 400 : as === 'images' && isOfText ? 400 : whole;
    const more = toolsFor(as, written);
    // Two prompts, so that neither continues the count of the other.
    const byHeader = await ask(written, { as, more });
    const [path, json] = asks[as](`simulate: ${written}`);
    const byPhrase = await gateway.call(path, { json: { ...json, ...more } });
    expect([byHeader.status, byPhrase.status]).toEqual([own, own]);
    for (const answer of [byHeader, byPhrase]) expect(await gateway.lineOf(answer)).toMatchObject({ attempts: 1 });
  });

  test.each(['chat', 'responses'] as const)('fails or completes a stream as the scenario describes on %s', async (as) => {
    const answer = await ask(written, { as, stream: true, more: toolsFor(as, written), prompt: 'Count to 20.' });
    const text = await answer.text();
    if (typeof stream === 'number') return expect(answer.status).toBe(stream);
    expect(answer.status).toBe(200);
    const [code] = /(?<=")(?:upstream_error|upstream_timeout)(?=")/.exec(text) ?? [];
    expect(code).toBe(stream === 'good' ? undefined : stream);
    expect(/"finish_reason":"(?:stop|tool_calls)"|event: response.completed/.test(text)).toBe(stream === 'good');
  });
});

test("sends the headers of an error's status, and the chosen wait", async () => {
  const expected = { 401: ['www-authenticate', 'Bearer'], 405: ['allow', 'POST'], 429: ['retry-after', '1'], 503: ['retry-after', '1'] };
  for (const [status, [name = '', value]] of Object.entries(expected)) {
    const answer = await ask(`error ${status}`);
    expect([answer.status, answer.headers.get(name)]).toEqual([Number(status), value]);
  }
  for (const scenario of ['retry-after 7', 'error 500 retry-after 7']) {
    const { headers } = await ask(scenario);
    expect([headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual(['7', '7000']);
  }
});

test('responds at the third attempt for `fail-twice`, counted per caller', async () => {
  const answer = await clientOf('fail-twice', 2).chat.completions.create({
    model: 'gpt-5.4',
    messages: [{ role: 'user', content: 'say third time lucky' }],
  });
  expect(answer.choices[0]?.message.content).toBe('third time lucky');
  const { key } = await gateway.newKey({ account: 'another' });
  const statuses = [];
  for (const own of [gateway.key, key, gateway.key, key, gateway.key, key, gateway.key])
    statuses.push((await ask('fail-twice 503', { prompt: 'count me', key: own })).status);
  expect(statuses).toEqual([503, 503, 503, 503, 200, 200, 503]);
});

test.each([0, 1, 3, 9])('ends a stream with an error after the events of `cut %d`', async (events) => {
  const answer = await ask(`cut ${events}`, { stream: true, prompt: 'Count to 20.' });
  if (events === 0) return expect(answer.status).toBe(502);
  const frames = (await answer.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  expect(frames.filter((frame) => frame.includes('"choices"'))).toHaveLength(events);
  expect(frames.at(-1)).toContain('"upstream_error"');
});

test('omits the closing event of a stream for a `cut` number beyond it', async () => {
  const text = await (await ask('cut 9999', { stream: true, prompt: 'say hello' })).text();
  expect(text).toContain('"upstream_error"');
  expect(text).not.toContain('[DONE]');
});

test('calls a tool for `tools` whatever the prompt, and responds with its result', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Say hello.' }];
  const client = clientOf('tools');
  const called = await client.chat.completions.create({
    model: 'gpt-5.4',
    messages,
    tools: [{ type: 'function', function: { name: 'look_up' } }],
  });
  const [call] = called.choices[0]?.message.tool_calls ?? [];
  expect(call).toMatchObject({ type: 'function', function: { name: 'look_up' } });
  messages.push(
    { role: 'assistant', tool_calls: call ? [call] : [] },
    { role: 'tool', tool_call_id: call?.id ?? '', content: 'forty-two' },
  );
  const last = await client.chat.completions.create({
    model: 'gpt-5.4',
    messages,
    tools: [{ type: 'function', function: { name: 'look_up' } }],
  });
  expect(last.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringContaining('forty-two') } });
});

test('returns 400 with the reason for `tools` without tools, and text scenarios for images', async () => {
  expect(await errorOf(await ask('tools'))).toMatchObject({ code: 'invalid_value', param: 'tools' });
  expect(await errorOf(await ask('long', { as: 'images' }))).toMatchObject({ message: expect.stringContaining("'long'") });
  expect(await errorOf(await ask('refusal', { as: 'images' }))).toMatchObject({ code: 'moderation_blocked' });
});

test('follows a scenario in an image edit by form', async () => {
  const edit = (scenario: string) => {
    const body = new FormData();
    body.set('model', 'gpt-image-2');
    body.set('prompt', 'Paint it red.');
    body.set('image', new Blob([drawPng(64, 64)], { type: 'image/png' }), 'a.png');
    return gateway.call('/images/edits', { body, headers: { 'x-modelgate-scenario': scenario } });
  };
  expect((await edit('error 418')).status).toBe(418);
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await edit('fail-twice')).status);
  expect(statuses).toEqual([500, 500, 200]);
});

test('returns a refusal for `refusal`, and 2,000 words or up to the output limit for `long`', async () => {
  const rejected = await clientOf('refusal').chat.completions.create({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] });
  expect(rejected.choices[0]?.message).toMatchObject({ content: null, refusal: expect.stringContaining('refusal') });
  const long = await clientOf('long').responses.create({ model: 'gpt-5.4', input: 'Hi' });
  expect(long.output_text.split(' ')).toHaveLength(2_000);
  const short = await clientOf('long').responses.create({ model: 'gpt-5.4', input: 'Hi', max_output_tokens: 16 });
  expect(short.incomplete_details).toEqual({ reason: 'max_output_tokens' });
});

test.each(['storm', '', 'error 200', 'error 429 soon', 'cut off', 'slow, late'])(
  'returns 400 with a list of all scenarios for the unknown scenario `%s`',
  async (scenario) => {
    const error = await errorOf(await ask(scenario));
    expect(error).toMatchObject({ code: 'invalid_value', param: null });
    for (const { form } of scenarios) expect(error.message).toContain(form);
  },
);

test('prefers the header to the phrase', async () => {
  expect((await ask('error 418', { prompt: 'simulate: error 500' })).status).toBe(418);
});

test('returns the requested failure without a balance, but `insufficient_balance` for a good response', async () => {
  const { key, accountId } = await gateway.newKey({ account: 'poor', balance: 0n });
  expect((await errorOf(await ask('slow', { key }))).code).toBe('insufficient_balance');
  const failing = ['error 401', 'error 500', 'retry-after 3', 'fail-twice', 'cut', 'stall', 'malformed-json', 'malformed-sse'];
  for (const scenario of failing) expect((await errorOf(await ask(scenario, { key }))).message).not.toContain('balance');
  const text = await (await ask('cut 3', { key, stream: true })).text();
  expect(text).toContain('"upstream_error"');
  expect(await gateway.gateway.money?.ledger.getBalance(accountId)).toMatchObject({ balance: 0n, held: 0n });
});

test('charges nothing for a simulated failure, and holds nothing', async () => {
  const { key, accountId } = await gateway.newKey({ account: 'payer', balance: 1_000_000n });
  for (const scenario of ['error 500', 'cut', 'malformed-json']) await (await ask(scenario, { key, stream: true })).text();
  expect(await gateway.gateway.money?.ledger.getBalance(accountId)).toMatchObject({ balance: 1_000_000n, held: 0n });
});

test("ignores the header for a real upstream, and doesn't forward it", async () => {
  const fake = await openFake();
  const vendors = { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } };
  const other = await startGateway({ upstreams: vendors });
  try {
    const [path, json] = asks.chat('Say hello.');
    const answer = await other.call(path, { json, headers: { 'x-modelgate-scenario': 'error 500' } });
    expect(answer.status).toBe(200);
    expect(fake.requests.at(-1)?.headers).not.toHaveProperty('x-modelgate-scenario');
  } finally {
    await other.close();
    await fake.close();
  }
});
