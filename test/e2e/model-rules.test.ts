/** What models accept: calls of both protocols over fakes of Claude and Gemini that reject what the models do. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../../server/primitives/fields.ts';
import { claudeModels, geminiModels, strictClaude, strictGemini } from '../fakes/model-rules.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { codexHeaders, usualRequest } from '../harness/codex-request.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const codexInput = usualRequest.input as readonly unknown[];
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const models = [...claudeModels, ...geminiModels];
const text = { id: 'x', kind: 'text' } as const;

let anthropic: Fake;
let gemini: Fake;
let other: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  [anthropic, gemini, other] = await Promise.all([openFake(), openFake(), openFake()]);
  gateway = await startGateway({
    upstreams: {
      anthropic: { kind: 'anthropic', baseUrl: anthropic.url, apiKey: 'sk-a' },
      gemini: { kind: 'gemini', baseUrl: gemini.url, apiKey: 'sk-g' },
      local: { kind: 'openai-compatible', baseUrl: other.url },
    },
    models: [
      ...claudeModels.map((id) => ({ ...text, id, upstream: 'anthropic' })),
      ...geminiModels.map((id) => ({ ...text, id, upstream: 'gemini' })),
      { ...text, id: 'kimi-k2.5', upstream: 'local' },
      { ...text, id: 'claude-opus-9', upstream: 'anthropic' },
      {
        ...text,
        id: 'limited',
        upstream: 'anthropic',
        upstreamModel: 'claude-opus-4-7',
        accepts: { efforts: ['low'], unsupported: ['stop'] },
      },
    ],
  });
});
beforeEach(() => {
  for (const fake of [anthropic, gemini, other]) fake.clear();
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([anthropic, gemini, other].map((fake) => fake.close()));
});

function plays(reply: Parameters<typeof strictClaude>[1]): void {
  for (const fake of [anthropic, gemini]) fake.clear();
  anthropic.always((request) => strictClaude(request, reply));
  gemini.always((request) => strictGemini(request, reply));
}

const messages = [{ role: 'user' as const, content: 'Rate Oslo.' }];
const chat = (json: object) => gateway.call('/chat/completions', { json: { messages, ...json } });
const ignoredIn = (answer: Response): readonly string[] => answer.headers.get('x-modelgate-dropped')?.split(', ') ?? [];

describe.each(models)('%s', (model) => {
  test.each(efforts)('completes a tool loop of Codex with the effort %s', async (effort) => {
    const ask = (input: readonly unknown[]) =>
      gateway.call('/responses', {
        json: { ...usualRequest, model, input, stream: true, reasoning: { effort, summary: 'auto' } },
        headers: codexHeaders,
      });
    plays({ calls: [{ id: 'toolu_1', name: 'exec_command', arguments: '{"cmd":"ls"}' }] });
    const first = await ask(codexInput);
    const called = await first.text();
    expect([first.status, called.includes('response.completed')]).toEqual([200, true]);
    const callId = /"call_id":"([^"]+)"/.exec(called)?.[1];
    plays({ text: 'Done.' });
    const call = { type: 'function_call', call_id: callId, name: 'exec_command', arguments: '{"cmd":"ls"}' };
    const second = await ask([...codexInput, call, { type: 'function_call_output', call_id: callId, output: 'a.txt' }]);
    expect([second.status, (await second.text()).includes('Done.')]).toEqual([200, true]);
  });

  test.each([true, false])('answers a chat SDK with temperature 0, a forced tool and a schema with ranges (stream: %s)', async (stream) => {
    plays({ text: '{"score":7,"tags":["a","b"]}' });
    const schema = {
      type: 'object',
      properties: {
        score: { type: 'integer', minimum: 1, maximum: 10, description: 'How good it is.' },
        tags: { type: 'array', minItems: 2, items: { type: 'string', maxLength: 9 } },
      },
      required: ['score'],
    };
    const format = { type: 'json_schema', json_schema: { name: 'rating', schema } } as const;
    const answer = await chat({ model, temperature: 0, top_p: 0.9, response_format: format, max_tokens: 200_000, stream });
    expect(answer.status, await answer.text()).toBe(200);
    plays({ calls: [{ id: 'toolu_1', name: 'rate', arguments: '{"score":7}' }] });
    const tools = [{ type: 'function', function: { name: 'rate', parameters: schema, strict: true } }];
    const forced = await chat({ model, reasoning_effort: 'high', tools, tool_choice: 'required', stream });
    expect(forced.status, await forced.text()).toBe(200);
  });

  test('continues a message of the assistant', async () => {
    plays({ text: 'Go on.' });
    const answer = await chat({ model, messages: [...messages, { role: 'assistant', content: 'It is' }] });
    expect(answer.status, await answer.text()).toBe(200);
  });
});

test.each([
  ['claude-haiku-4-5-20251001', 'medium', { thinking: { type: 'enabled', budget_tokens: 8192 } }],
  ['claude-opus-4-5-20251101', 'xhigh', { thinking: { type: 'enabled', budget_tokens: 16_000 }, output_config: { effort: 'high' } }],
  ['claude-sonnet-4-6', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
  ['claude-opus-4-7', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }],
  ['claude-opus-4-7', 'none', { thinking: { type: 'disabled' } }],
  ['claude-opus-5-5', 'none', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ['claude-sonnet-5-5', 'none', { thinking: { type: 'between_tools' } }],
  ['claude-opus-9', 'none', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ['limited', 'max', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ['gemini-2.5-pro', 'none', { thinkingBudget: 1024 }],
  ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
  ['gemini-3-flash-preview', 'minimal', { thinkingLevel: 'MINIMAL' }],
  ['gemini-3.1-pro-preview', 'none', { thinkingLevel: 'LOW' }],
  ['gemini-3.7-flash', 'minimal', { thinkingLevel: 'LOW' }],
  ['gemini-3.7-flash', 'max', { thinkingLevel: 'HIGH' }],
])('sends %s the effort %s as %j', async (model, effort, sent) => {
  plays({ text: 'Yes.' });
  expect((await chat({ model, reasoning_effort: effort })).status).toBe(200);
  const [{ fields } = { fields: {} as Fields }] = [...anthropic.requests, ...gemini.requests];
  const { thinking, output_config, generationConfig } = fields;
  const config = generationConfig as { readonly thinkingConfig?: object } | undefined;
  expect(config?.thinkingConfig ?? { thinking, ...(output_config !== undefined && { output_config }) }).toEqual(sent);
});

test.each([
  ['required', ['rate', 'rank']],
  [{ type: 'function', function: { name: 'rate' } }, ['rate']],
  [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'rate' } }] } }, ['rate']],
])('asks a model that rejects forced tools for a call, with tool_choice %j', async (choice, offered) => {
  plays({ text: 'Yes.' });
  const tools = ['rate', 'rank'].map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
  const answer = await chat({ model: 'claude-opus-5-5', tools, tool_choice: choice });
  expect(answer.status, await answer.text()).toBe(200);
  const { tools: sentTools, tool_choice: sentChoice, system } = anthropic.last.fields;
  expect((sentTools as readonly Fields[]).map(({ name }) => name)).toEqual(offered);
  expect([sentChoice, system]).toMatchObject([{ type: 'auto' }, [{ text: 'Respond with a call of a tool.' }]]);
});

describe('x-modelgate-dropped', () => {
  beforeEach(() => plays({ text: 'Yes.' }));
  const tools = [{ type: 'function', function: { name: 'f' } }];

  test.each([
    ['claude-opus-4-7', { temperature: 0, top_p: 0.5 }, ['temperature', 'top_p']],
    ['claude-opus-4-7', { temperature: 1 }, []],
    ['claude-sonnet-4-6', { temperature: 0.5, top_p: 0.5 }, ['top_p']],
    ['claude-haiku-4-5-20251001', { temperature: 0, reasoning_effort: 'high' }, ['reasoning_effort']],
    ['claude-haiku-4-5-20251001', { max_tokens: 500, reasoning_effort: 'high' }, ['reasoning_effort']],
    ['claude-opus-5-5', { tools, tool_choice: 'required' }, ['tool_choice']],
    ['gemini-3.7-flash', { temperature: 0 }, ['temperature']],
    ['gemini-3.7-flash', { tools, parallel_tool_calls: false }, ['parallel_tool_calls']],
    ['gemini-3.7-flash', { tools, parallel_tool_calls: true }, []],
    ['claude-opus-4-7', { tools, parallel_tool_calls: false }, []],
    ['limited', { stop: 'a' }, ['stop']],
    ['kimi-k2.5', { temperature: 0, top_p: 0.5 }, ['temperature', 'top_p']],
  ])('lists for %s with %j the fields %j', async (model, fields, dropped) => {
    const answer = await chat({ model, ...fields });
    expect([answer.status, ignoredIn(answer)]).toEqual([200, dropped]);
    for (const name of ['temperature', 'top_p'])
      if (dropped.includes(name)) expect(other.requests.at(-1)?.fields ?? {}).not.toHaveProperty(name);
  });

  test('returns 400 for a value that no model accepts', async () => {
    await expectRefusal(await chat({ model: 'claude-sonnet-4-6', temperature: 1.5 }), {
      code: 'unsupported_parameter',
      param: 'temperature',
    });
  });
});

test('lists the fields that a model rejects as dropped in GET /v1/protocol', async () => {
  const answer = await gateway.call('/protocol?model=claude-opus-4-7');
  const { data } = (await answer.json()) as { data: [{ upstreams: [{ operations: { operation: string; dropped: string[] }[] }] }] };
  const chatFields = data[0].upstreams[0].operations.find(({ operation }) => operation === 'createChatCompletion');
  expect(chatFields?.dropped).toEqual(expect.arrayContaining(['temperature', 'top_p']));
});
