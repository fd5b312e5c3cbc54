import { describe, expect, it } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { codexRequest, liteRequest, patch, patchGrammar } from '../../fixtures/responses/codex-requests.ts';
import { refusalOf, responsesTurn } from './upstream-reading.ts';

/** The chat request for a responses request; both must fit the contract. */
function sent(body: object): Record<string, unknown> {
  ResponseRequest.parse({ model: 'm', input: 'hi', ...body });
  const written = chatUpstreamDialect.writeRequest(responsesTurn({ ...body }));
  expect(ChatCompletionRequest.safeParse(written).error).toBeUndefined();
  return { ...written };
}
const messages = (input: readonly object[], rest: object = {}) => sent({ input, ...rest }).messages;
const rejected = (body: object) => refusalOf(() => sent(body));

const user = (text: string) => ({ role: 'user', content: text });
const made = (id: string, name: string, text: string) => ({ id, type: 'function', function: { name, arguments: text } });
const call = (call_id: string, name = 'f') => ({ type: 'function_call', call_id, name, arguments: '{}' });
const output = (call_id: string, given: unknown = 'ok') => ({ type: 'function_call_output', call_id, output: given });
const toolOf = (name: string, rest: object = {}) => ({ type: 'function', name, ...rest });
const named = (name: string) => ({ type: 'function', function: { name } });

describe('the request of a coding agent to a chat upstream', () => {
  it('has calls together, their results after them, then other messages', () => {
    expect(sent(codexRequest).messages).toEqual([
      { role: 'system', content: 'You are a coding agent.' },
      user('Fix a.txt'),
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          made('call_1', 'exec_command', '{"cmd":"ls"}'),
          made('call_2', 'apply_patch', JSON.stringify({ input: patch })),
          made('call_3', 'multi_agent_v1__close_agent', '{"id":"a"}'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Done.' },
      { role: 'tool', tool_call_id: 'call_3', content: 'closed' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'high' } }] },
      user('Hurry.'),
    ]);
  });

  it('has tools as functions: custom ones with one string, those of a namespace with both names', () => {
    const { tools } = ChatCompletionRequest.parse(sent(codexRequest));
    expect(tools?.map((tool) => (tool.type === 'function' ? tool.function.name : tool.type))).toEqual([
      'exec_command',
      'apply_patch',
      'multi_agent_v1__close_agent',
    ]);
    const applyPatch = tools?.[1]?.type === 'function' ? tools[1].function : undefined;
    expect(applyPatch?.description).toContain(patchGrammar);
    expect(applyPatch?.parameters).toMatchObject({ required: ['input'], properties: { input: { type: 'string' } } });
  });

  it('has its settings, without its metadata', () => {
    const { messages: _, tools: __, ...rest } = sent(codexRequest);
    expect(rest).toEqual({
      model: 'up-model',
      stream: true,
      stream_options: { include_usage: true },
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning_effort: 'medium',
      verbosity: 'low',
      prompt_cache_key: 'thread_1',
    });
  });

  it('has the tools of its input', () => {
    const written = ChatCompletionRequest.parse(sent(liteRequest));
    expect(written.tools?.map((tool) => (tool.type === 'function' ? tool.function.name : tool.type))).toEqual([
      'functions__exec',
      'functions__exec_command',
    ]);
    expect(written.messages).toEqual([user('say hi')]);
  });

  it('has the full tool name for a call without a namespace', () => {
    const past = [
      { type: 'custom_tool_call', call_id: 'a', name: 'exec', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'y' },
    ];
    expect(sent({ ...liteRequest, input: [...liteRequest.input, ...past] }).messages).toEqual([
      user('say hi'),
      { role: 'assistant', content: null, tool_calls: [made('a', 'functions__exec', '{"input":"x"}')] },
      { role: 'tool', tool_call_id: 'a', content: 'y' },
    ]);
  });
});

describe('the request of a responses caller to a chat upstream', () => {
  it('has several rounds of tool calls in order', () => {
    const input = [
      { role: 'user', content: 'go' },
      ...[call('a'), output('a'), call('b'), call('c'), output('c', 'C'), output('b', 'B')],
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'Do' },
          { type: 'output_text', text: 'ne' },
        ],
      },
      { role: 'user', content: 'thanks' },
    ];
    expect(messages(input, { instructions: 'Be kind.' })).toEqual([
      { role: 'system', content: 'Be kind.' },
      user('go'),
      { role: 'assistant', content: null, tool_calls: [made('a', 'f', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
      { role: 'assistant', content: null, tool_calls: [made('b', 'f', '{}'), made('c', 'f', '{}')] },
      { role: 'tool', tool_call_id: 'c', content: 'C' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      { role: 'assistant', content: 'Done' },
      user('thanks'),
    ]);
  });

  it('has images, files, audio and earlier refusals', () => {
    const content = [
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
      { type: 'input_file', file_id: 'file_1' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    ];
    const past = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] };
    expect(messages([{ role: 'user', content }, past])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
          { type: 'file', file: { file_id: 'file_1' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        ],
      },
      { role: 'assistant', content: null, refusal: 'No.' },
    ]);
  });

  it('F08: has structured output, limits and hints under their chat names', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const body = {
      max_output_tokens: 20,
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.1,
      user: 'u',
      metadata: { a: 'b' },
      store: true,
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
      reasoning: { effort: 'xhigh' },
      truncation: 'auto',
      text: { format: { type: 'json_schema', name: 'n', schema, strict: true } },
    };
    expect(sent(body)).toEqual({
      model: 'up-model',
      messages: [user('hi')],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
      max_completion_tokens: 20,
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.1,
      user: 'u',
      metadata: { a: 'b' },
      logprobs: true,
      top_logprobs: 2,
      reasoning_effort: 'xhigh',
    });
    expect(sent({ text: { format: { type: 'json_object' } } }).response_format).toEqual({ type: 'json_object' });
  });

  it.each([
    [undefined, false],
    [null, false],
    [false, false],
    [true, true],
  ])('always has strict: %s becomes %s', (strict, meant) => {
    const schema = { type: 'object', properties: {} };
    const written = sent({
      tools: [toolOf('f', { strict, parameters: schema })],
      text: { format: { type: 'json_schema', name: 'n', schema, strict } },
    });
    expect(written.tools).toEqual([{ type: 'function', function: { name: 'f', parameters: schema, strict: meant } }]);
    expect(written.response_format).toMatchObject({ json_schema: { strict: meant } });
  });

  it.each([
    ['none', 'none'],
    ['auto', 'auto'],
    ['required', 'required'],
    [{ type: 'function', name: 'f' }, named('f')],
    [{ type: 'custom', name: 'c' }, named('ns__c')],
    [
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'custom', name: 'c' },
          { type: 'function', name: 'f' },
        ],
      },
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named('ns__c'), named('f')] } },
    ],
  ])('has the tool choice %j translated', (tool_choice, written) => {
    const tools = [toolOf('f'), { type: 'namespace', name: 'ns', tools: [{ type: 'custom', name: 'c' }] }, { type: 'web_search' }];
    expect(sent({ tools, tool_choice }).tool_choice).toEqual(written);
  });

  it('has no tool fields when no tools are left', () => {
    expect(
      sent({ tools: [{ type: 'web_search' }, { type: 'mcp', server_label: 's' }], tool_choice: 'auto', parallel_tool_calls: false }),
    ).toEqual({
      model: 'up-model',
      messages: [user('hi')],
    });
  });

  it('has long tool names shortened the same way each time', () => {
    const tools = [{ type: 'namespace', name: 'n'.repeat(40), tools: [toolOf('t'.repeat(40)), toolOf(`${'t'.repeat(40)}2`)] }];
    const names = () =>
      ChatCompletionRequest.parse(sent({ tools })).tools?.map((tool) => (tool.type === 'function' ? tool.function.name : ''));
    expect(names()).toEqual(names());
    expect(new Set(names()).size).toBe(2);
  });
});

describe('a field that a chat upstream lacks', () => {
  const asking = (content: readonly object[], role = 'user') => ({ input: [{ role, content }] });

  it.each([
    ['input[0].type', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    ['input[0].content[0]', asking([{ type: 'input_image', image_url: 'https://a.example/b.png' }], 'developer')],
    ['input[1].output[0].file_url', { input: [call('a'), output('a', [{ type: 'input_file', file_url: 'https://a.example/b.pdf' }])] }],
  ])('is rejected with its path: %s', (param, body) => {
    expect(rejected(body)).toBe(`unsupported_parameter ${param}`);
  });

  it('F13: is no reason for unpaired calls: a call without one result is rejected', () => {
    expect(rejected({ previous_response_id: 'resp_1', input: [call('a')] })).toBe('invalid_value input[0].call_id');
    expect(rejected({ input: [call('a'), output('a'), output('a')] })).toBe('invalid_value input[2].call_id');
  });

  it('is left out when it is a finished search, reasoning or a default', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } };
    const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'secret' }], encrypted_content: 'x' };
    expect(messages([search, thought, { role: 'user', content: 'hi' }], { background: false })).toEqual([user('hi')]);
  });
});
