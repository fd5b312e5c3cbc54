/** Each optional field of a text call, over each kind of upstream, is sent, refused, or named in the answer. */
import { describe, expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { type Body, type Caller, type Fate, pass, type UpstreamKind, upstreamKinds } from './fates.ts';

/** Values of a field that have an effect, and the other fields that they need. */
interface Sample {
  readonly values: readonly unknown[];
  readonly beside?: Body;
}
const of = (...values: readonly unknown[]): Sample => ({ values });

const format = { type: 'json_schema', name: 'form', schema: { type: 'object' } };
const chatTool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const flatTool = { type: 'function', name: 'look', parameters: { type: 'object' } };

const both: Readonly<Record<string, Sample>> = {
  stream: of(true),
  stream_options: { values: [{ include_obfuscation: true }], beside: { stream: true } },
  temperature: of(0, 0.5, 1.5),
  top_p: of(0.5),
  presence_penalty: of(1, -1),
  frequency_penalty: of(1, -1),
  metadata: of({ team: 'a' }),
  prompt_cache_key: of('a'),
  prompt_cache_retention: of('24h'),
  prompt_cache_options: of({ mode: 'explicit' }, { ttl: '1h' }),
  safety_identifier: of('a'),
  service_tier: of('flex', 'priority'),
  user: of('a'),
  moderation: of({ model: 'a' }),
};

const chat: Readonly<Record<string, Sample>> = {
  ...both,
  store: of(true),
  max_tokens: of(5, 500),
  max_completion_tokens: of(5, 500),
  n: of(2),
  stop: of('a', ['a', 'b']),
  logit_bias: of({ 1: 5 }),
  logprobs: of(true),
  top_logprobs: { values: [3], beside: { logprobs: true } },
  seed: of(0, 7, 7.5),
  tools: of([chatTool]),
  tool_choice: { values: ['none', 'required', { type: 'function', function: { name: 'look' } }], beside: { tools: [chatTool] } },
  parallel_tool_calls: { values: [false], beside: { tools: [chatTool] } },
  functions: of([{ name: 'look' }]),
  function_call: { values: ['none', { name: 'look' }], beside: { functions: [{ name: 'look' }] } },
  response_format: of({ type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'form', schema: { type: 'object' } } }),
  // `none` is the default of models that cannot reason, so it is not named.
  reasoning_effort: of('minimal', 'low', 'high', 'max'),
  reasoning: of({ effort: 'low' }),
  verbosity: of('low', 'high'),
  modalities: { values: [['text', 'audio']], beside: { audio: { voice: 'a', format: 'mp3' } } },
  audio: of({ voice: 'a', format: 'mp3' }),
  prediction: of({ type: 'content', content: 'a' }),
  web_search_options: of({}, { search_context_size: 'low' }),
};

const responses: Readonly<Record<string, Sample>> = {
  ...both,
  instructions: of('a'),
  max_output_tokens: of(500),
  max_tool_calls: of(3),
  top_logprobs: { values: [3], beside: { include: ['message.output_text.logprobs'] } },
  truncation: of('auto'),
  context_management: of([{ type: 'compaction' }]),
  include: of(['message.output_text.logprobs'], ['file_search_call.results'], ['something.newer']),
  text: of({ verbosity: 'low' }, { format }, { format: { type: 'json_object' } }),
  reasoning: of({ effort: 'low' }, { context: 'a' }, { mode: 'a' }),
  tools: of([flatTool], [{ type: 'web_search' }], [{ type: 'code_interpreter' }]),
  tool_choice: { values: ['none', 'required', { type: 'function', name: 'look' }], beside: { tools: [flatTool] } },
  parallel_tool_calls: { values: [false], beside: { tools: [flatTool] } },
};

/** Fields that are never sent and never named: the gateway handles them itself, or they are metadata of the client. */
const ownFields = ['previous_response_id', 'store', 'background', 'client_metadata'];

const callers = {
  chat: { hello: { model: 'm', messages: [{ role: 'user', content: 'hello' }] }, schema: ChatCompletionRequest, samples: chat },
  responses: { hello: { model: 'm', input: 'hello' }, schema: ResponseRequest, samples: responses },
} as const;
/** Translates a call that the contract must allow. */
function passValid(caller: Caller, upstream: UpstreamKind, value: Body): Fate | null {
  callers[caller].schema.parse(value);
  return pass(caller, upstream, value);
}

/** Whether one of the names is this field or a part of it. */
const isNamed = (names: readonly string[], field: string): boolean =>
  names.some((name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`));

describe.each(['chat', 'responses'] as const)('the optional fields of a %s call', (caller) => {
  const { hello, schema, samples } = callers[caller];
  const required = Object.keys(hello);

  test('of the contract all have a value here', () => {
    const own = caller === 'responses' ? ownFields : [];
    expect([...Object.keys(samples), ...own].sort()).toEqual(
      Object.keys(schema.shape)
        .filter((name) => !required.includes(name))
        .sort(),
    );
  });

  describe.each(upstreamKinds)('over %s', (upstream) => {
    test.each(Object.entries(samples))('%s is sent, refused or named', (field, { values, beside = {} }) => {
      const without = passValid(caller, upstream, { ...hello, ...beside });
      for (const value of values) {
        const fate = passValid(caller, upstream, { ...hello, ...beside, [field]: value });
        const isLoud = fate === null || fate.sent !== without?.sent || isNamed(fate.ignored, field);
        expect({ field, value, isLoud }).toEqual({ field, value, isLoud: true });
      }
    });

    test('a field that is absent, null or has its default is not named', () => {
      const plain = { ...hello, temperature: null, user: null, metadata: {}, service_tier: 'auto' };
      const idle = caller === 'chat' ? { seed: null, store: false, n: 1, web_search_options: null } : { truncation: 'disabled', text: {} };
      expect(passValid(caller, upstream, { ...plain, ...idle })?.ignored).toEqual([]);
      expect(passValid(caller, upstream, hello)?.ignored).toEqual([]);
    });
  });
});

test('over chat reasoning.summary is not sent and is named; over anthropic it is not named', () => {
  const body = { ...callers.responses.hello, reasoning: { effort: 'high', summary: 'auto' } };
  expect(passValid('responses', 'chat', body)?.ignored).toEqual(['reasoning.summary']);
  expect(passValid('responses', 'anthropic', body)?.ignored).toEqual([]);
});
