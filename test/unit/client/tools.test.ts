/** runTools: what it sends, and where it ends. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  AbortError,
  type LocalTool,
  ModelgateError,
  outputText,
  runTools,
  type StandardSchema,
  tool,
} from '../../../client/sdk/src/index.ts';
import { responseRequest } from './samples.ts';
import { type Answering, json, openServer, type TestServer } from './server.ts';

const City = z.object({ city: z.string() });
const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather.',
  schema: City,
  run: ({ city }, { callId }) => ({ city, callId, degrees: 7 }),
});

const call = (name: string, written: string, id = 'call_1') => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: written,
});
const said = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const answer = (output: readonly object[], status = 'completed'): Answering =>
  json(200, { id: 'resp_1', object: 'response', created_at: 1, status, model: 'gpt-5.4', output });
const bodiesOf = ({ asked }: TestServer) => asked.map(({ body }) => JSON.parse(String(body)));

test('runs the calls of a round, and sends their results with all earlier items', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
  const calls = [call('get_weather', '{"city":"Oslo"}', 'call_1'), call('get_weather', '{"city":"Rome"}', 'call_2')];
  const server = await openServer(answer([reasoning, ...calls]), answer([said('Seven degrees in both.')]));
  const rounds: number[] = [];
  const response = await runTools(
    server.connect(),
    { ...responseRequest, instructions: 'Be brief.' },
    {
      tools: [weather],
      onRound: ({ output }) => rounds.push(output.length),
    },
  );
  expect(outputText(response)).toBe('Seven degrees in both.');
  expect(rounds).toEqual([3, 1]);
  const [first, second] = bodiesOf(server);
  expect(first).toMatchObject({ instructions: 'Be brief.', input: [{ type: 'message', role: 'user', content: 'Hi' }] });
  expect(first.tools).toEqual([
    {
      type: 'function',
      name: 'get_weather',
      description: 'Tells the weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
      strict: false,
    },
  ]);
  const result = (id: string, city: string) => ({
    type: 'function_call_output',
    call_id: id,
    output: JSON.stringify({ city, callId: id, degrees: 7 }),
  });
  expect(second).toEqual({ ...first, input: [...first.input, reasoning, ...calls, result('call_1', 'Oslo'), result('call_2', 'Rome')] });
  expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
});

test('stops a model that keeps calling tools after maxRounds, by default 10', async () => {
  const server = await openServer(answer([call('get_weather', '{"city":"Oslo"}')]));
  await expect(runTools(server.connect(), responseRequest, { tools: [weather], maxRounds: 3 })).rejects.toThrow(/after 3 requests/);
  expect(server.asked).toHaveLength(3);
  await expect(runTools(server.connect(), responseRequest, { tools: [weather] })).rejects.toThrow(ModelgateError);
  expect(server.asked).toHaveLength(13);
});

test.each([
  ['{"city":5}', /^Error: What the model wrote does not fit the schema: city: /],
  ['{"ci', /^Error: The model did not write JSON: \{"ci$/],
])("returns an error to the model for arguments that don't fit the schema, and runs no tool: %s", async (written, told) => {
  const server = await openServer(answer([call('get_weather', written)]), answer([said('Sorry.')]));
  const strict: LocalTool = tool({ name: 'get_weather', schema: City, run: () => expect.unreachable() });
  await runTools(server.connect(), responseRequest, { tools: [strict] });
  expect(bodiesOf(server)[1].input.at(-1)).toMatchObject({ type: 'function_call_output', output: expect.stringMatching(told) });
});

test('ends the loop on an error thrown by a tool, and rethrows it unchanged', async () => {
  const server = await openServer(answer([call('get_weather', '{"city":"Oslo"}')]));
  const mistake = new Error('of the caller');
  const failing = tool({ name: 'get_weather', schema: City, run: () => Promise.reject(mistake) });
  await expect(runTools(server.connect(), responseRequest, { tools: [failing] })).rejects.toBe(mistake);
  expect(server.asked).toHaveLength(1);
});

test.each([
  ['calls a tool of the caller', [call('get_weather', '{"city":"Oslo"}'), call('mine', '{}', 'call_2')], 'completed'],
  ['makes a custom tool call', [{ type: 'custom_tool_call', call_id: 'call_1', name: 'get_weather', input: 'x' }], 'completed'],
  ['was cut off within a call', [call('get_weather', '{"ci')], 'incomplete'],
])('stops at a response that %s', async (_what, output, status) => {
  const server = await openServer(answer(output, status));
  const mine = { type: 'function', name: 'mine' } as const;
  const response = await runTools(server.connect(), { ...responseRequest, tools: [mine] }, { tools: [weather] });
  expect(response.output).toEqual(output);
  expect(bodiesOf(server)[0].tools.map(({ name }: { name: string }) => name)).toEqual(['mine', 'get_weather']);
  expect(server.asked).toHaveLength(1);
});

test.each([['required'], [{ type: 'function', name: 'get_weather' } as const]])(
  'sends a tool_choice that forces a call in the first round only: %o',
  async (choice) => {
    const server = await openServer(answer([call('get_weather', '{"city":"Oslo"}')]), answer([said('Rain.')]));
    await runTools(server.connect(), { ...responseRequest, tool_choice: choice as 'required' }, { tools: [weather] });
    expect(bodiesOf(server).map(({ tool_choice }) => tool_choice)).toEqual([choice, 'auto']);
  },
);

test('passes the signal to tools, and ends the loop on it', async () => {
  const server = await openServer(answer([call('get_weather', '{"city":"Oslo"}')]));
  const controller = new AbortController();
  const signals: unknown[] = [];
  const slow = tool({
    name: 'get_weather',
    schema: City,
    run: (_, { signal }) => {
      signals.push(signal);
      controller.abort();
    },
  });
  await expect(runTools(server.connect(), responseRequest, { tools: [slow], signal: controller.signal })).rejects.toThrow(AbortError);
  expect(signals).toEqual([controller.signal]);
  expect(server.asked).toHaveLength(1);
});

test('requires `parameters` for a schema without a JSON schema', async () => {
  const schema: StandardSchema<{ city: string }> = {
    '~standard': { version: 1, vendor: 'none', validate: () => ({ value: { city: 'Oslo' } }) },
  };
  expect(() => tool({ name: 'get_weather', schema, run: String })).toThrow(/get_weather needs `parameters`/);
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const { definition } = tool({ name: 'get_weather', schema, parameters, strict: true, run: String });
  expect(definition).toMatchObject({ parameters, strict: true });
});

test('sends null for a tool that returns undefined', async () => {
  const server = await openServer(answer([call('ping', '')]), answer([said('Done.')]));
  await runTools(server.connect(), responseRequest, { tools: [tool({ name: 'ping', schema: z.object({}), run: () => {} })] });
  expect(bodiesOf(server)[1].input.at(-1).output).toBe('null');
});
