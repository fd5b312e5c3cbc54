/** `startGateway` with answers that a test has written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext, runInThisContext } from 'node:vm';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StartedGateway, type StartOptions, startGateway } from '../../server/operate/testing.ts';
import { readPage } from '../samples/samples.ts';

const model = 'gpt-5.4';
const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }] as const;
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }] as const;
const responseTools = [{ type: 'function', name: 'get_weather', parameters, strict: false }] as const;
const call = { name: 'get_weather', arguments: { city: 'Oslo' } };

async function start(options: StartOptions): Promise<{ gateway: StartedGateway; openai: OpenAI }> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.stop().catch(() => undefined));
  return { gateway, openai: new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 0 }) };
}

const chat = async (openai: OpenAI, content = 'Hi'): Promise<string | null | undefined> => {
  const completion = await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] });
  return completion.choices[0]?.message.content;
};

test('plays a tool call, a text, and an error in this order', async () => {
  const { gateway, openai } = await start({ answers: [{ toolCalls: [call] }, { text: 'Sunny.' }, { error: 'rate_limit_exceeded' }] });
  const first = await openai.chat.completions.create({ model, messages: [...messages], tools: [...tools] });
  const [toolCall] = first.choices[0]?.message.tool_calls ?? [];
  expect(first.choices[0]?.finish_reason).toBe('tool_calls');
  expect(toolCall).toMatchObject({ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } });
  const result = { role: 'tool', tool_call_id: String(toolCall?.id), content: 'sunny' } as const;
  const conversation = [...messages, { role: 'assistant' as const, tool_calls: toolCall ? [toolCall] : [] }, result];
  const second = await openai.chat.completions.create({ model, messages: conversation, tools: [...tools] });
  expect(second.choices[0]?.message.content).toBe('Sunny.');
  await expect(chat(openai)).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect(await chat(openai)).toContain('built-in simulator');
  expect(gateway.requests.map(({ operation }) => operation)).toEqual(Array(4).fill('createChatCompletion'));
  const [, request] = gateway.requests;
  expect(request?.operation === 'createChatCompletion' && request.body.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ]);
  expect(request?.body).toMatchObject({ model, messages: conversation });
});

test('streams scripted answers with their reasoning and usage over responses', async () => {
  const usage = { inputTokens: 100, cachedTokens: 60, outputTokens: 20, reasoningTokens: 5 };
  const { openai } = await start({ answers: [{ reasoning: 'Norway is far north.', text: 'Cold.', toolCalls: [call], usage }] });
  const stream = openai.responses.stream({ model, input: 'Weather?', tools: [...responseTools], reasoning: { effort: 'low' } });
  const response = await stream.finalResponse();
  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
  expect(response.output_text).toBe('Cold.');
  expect(response.usage).toMatchObject({
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
  });
});

describe('a scripted answer', () => {
  test.each([
    ['model', { model: 'gpt-5.4' }],
    ['operation', { operation: 'createChatCompletion' }],
    ['text of the input', { input: 'weather' }],
    ['pattern for the input', { input: /^what is/i }],
    ['pattern of another VM context', { input: runInNewContext('/^what is/i') }],
    ['tool result', { hasToolResult: false }],
  ] as const)('serves requests with its %s', async (_, when) => {
    const never = { text: 'never', when: { model: 'gpt-5.5', operation: 'createResponse', input: /snow/, hasToolResult: true } } as const;
    const { openai } = await start({ answers: [never, { text: 'chosen', when }] });
    expect(await chat(openai, 'What is the weather?')).toBe('chosen');
  });

  test('serves as many requests as times says', async () => {
    const { openai } = await start({ answers: [{ text: 'twice', times: 2 }, { text: 'once' }] });
    expect([await chat(openai), await chat(openai), await chat(openai)]).toEqual(['twice', 'twice', 'once']);
  });
});

test('cuts a stream, delays a response, and returns the given image', async () => {
  const png = Buffer.from('not drawn').toString('base64');
  const { openai } = await start({
    answers: [{ text: 'One two three four', cutAfter: 2 }, { images: [png] }, { text: 'late', delayMs: 200 }],
  });
  const image = await openai.images.generate({ model: 'gpt-image-2', prompt: 'A house' });
  expect(image.data).toEqual([{ b64_json: png }]);
  const stream = await openai.chat.completions.create({ model, messages: [...messages], stream: true });
  const reading = async (): Promise<void> => {
    for await (const _ of stream);
  };
  await expect(reading()).rejects.toThrow();
  const startedAt = performance.now();
  expect(await chat(openai)).toBe('late');
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);
});

test('adds answers with next, and forgets answers and requests with reset', async () => {
  const { gateway, openai } = await start({});
  gateway.next({ text: 'first' });
  expect(await chat(openai)).toBe('first');
  gateway.next({ text: 'forgotten' });
  gateway.reset();
  expect(gateway.requests).toEqual([]);
  expect(await chat(openai)).toContain('built-in simulator');
  expect(() => gateway.next({ error: 'no_such_code' })).toThrow('error');
});

test('charges nothing for a scripted error, and the scripted usage for an answer', async () => {
  const { gateway, openai } = await start({
    answers: [{ error: 'upstream_error' }, { text: 'Hi', usage: { inputTokens: 1_000_000, outputTokens: 1 } }],
  });
  const spent = async (): Promise<unknown> => {
    const response = await fetch(`${gateway.baseUrl}/account`, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
    return Object(await response.json()).balance.balance;
  };
  const before = await spent();
  await expect(chat(openai)).rejects.toMatchObject({ status: 502 });
  expect(await spent()).toBe(before);
  await chat(openai);
  expect(Number(before) - Number(await spent())).toBeGreaterThan(1);
});

describe('strict', () => {
  test('rejects unknown fields, unknown tools, and requests without an answer', async () => {
    const { openai } = await start({ strict: true, answers: [{ text: 'one' }, { toolCalls: [call] }] });
    const misspelled = { model, messages: [...messages], temprature: 1 };
    await expect(openai.chat.completions.create(misspelled)).rejects.toMatchObject({ code: 'unknown_parameter', param: 'temprature' });
    expect(await chat(openai)).toBe('one');
    await expect(chat(openai)).rejects.toMatchObject({ code: 'invalid_value', param: 'tools' });
    await expect(chat(openai)).rejects.toMatchObject({ code: 'unsupported_value' });
  });

  test('throws at a reset if an answer was not used, and rejects requests without one, also with an empty list', async () => {
    const { gateway, openai } = await start({ strict: true });
    expect(await chat(openai)).toContain('built-in simulator');
    gateway.next({ text: 'once' });
    expect(() => gateway.reset()).toThrow('once');
    expect(() => gateway.reset()).not.toThrow();
    await expect(chat(openai)).rejects.toMatchObject({ code: 'unsupported_value' });
    const { openai: other } = await start({ strict: true, answers: [] });
    await expect(chat(other)).rejects.toMatchObject({ code: 'unsupported_value' });
  });

  test('throws at the stop if an answer was not used', async () => {
    const { gateway, openai } = await start({ strict: true, answers: [{ text: 'used' }, { text: 'left over' }] });
    await chat(openai);
    await expect(gateway.stop()).rejects.toThrow('left over');
  });
});

test('ends the delay of a response at a stop', async () => {
  const { gateway } = await start({ answers: [{ text: 'late', delayMs: 600_000 }] });
  const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json', 'idempotency-key': 'kept' };
  const body = JSON.stringify({ model, messages });
  const call = fetch(`${gateway.baseUrl}/chat/completions`, { method: 'POST', headers, body });
  await expect.poll(() => gateway.requests.length).toBe(1);
  await Promise.allSettled([gateway.stop(), call]);
});

test('rejects an answer that is invalid, and names its field', async () => {
  const answers = [{ text: 'Hi' }, { txt: 'Hi' }];
  await expect(startGateway({ answers })).rejects.toThrow('answers[1].txt');
  await expect(startGateway({ answers: [{ text: 'Hi', error: 'upstream_error' }] })).rejects.toThrow('answers[0].error');
  await expect(startGateway({ answers: [{ images: ['AAAA'], usage: { outputTokens: 1 } }] })).rejects.toThrow('answers[0].images');
  await expect(startGateway({ replay: 'folder', answers: [{ text: 'Hi' }] })).rejects.toThrow("'replay' can't be combined");
});

test('records calls, and replays them without an upstream', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-recordings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const recording = await start({ record: folder, answers: [{ text: 'from the first run' }] });
  expect(await chat(recording.openai)).toBe('from the first run');
  await recording.gateway.stop();
  const { openai } = await start({ replay: folder });
  expect(await chat(openai)).toBe('from the first run');
  await expect(chat(openai, 'Something else')).rejects.toMatchObject({ code: 'unsupported_value' });
});

test("runs each line of the guide's table for users of other mocks", async () => {
  const rows = readPage('docs/guides/testing-with-a-gateway.md').split('## Coming from')[1]?.split('\n\n')[1]?.split('\n').slice(2) ?? [];
  const lines = rows.flatMap((row) => [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, line]) => line));
  expect(lines).toHaveLength(17);
  const started: StartedGateway[] = [];
  onTestFinished(() => Promise.allSettled(started.map((one) => one.stop())).then(() => undefined));
  const calls = mkdtempSync(join(tmpdir(), 'modelgate-calls-'));
  onTestFinished(() => rmSync(calls, { recursive: true }));
  const startHere = async ({ record, replay, ...options }: StartOptions): Promise<StartedGateway> => {
    const gateway = await startGateway({ ...options, ...(record && { record: calls }), ...(replay && { replay: calls }) });
    started.push(gateway);
    return gateway;
  };
  const program = lines.map((line) => (line?.includes('.reset()') ? `try { ${line} } catch (error) { unused.push(error.message) }` : line));
  const unused: string[] = [];
  const run = runInThisContext(`async (startGateway, process, unused) => { let gateway; ${program.join(';')} }`);
  await run(startHere, { env: {} }, unused);
  expect(unused).toEqual([expect.stringContaining('Sunny.')]);
});
