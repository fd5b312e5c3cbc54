import { describe, expect, it } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { codexRequest, liteRequest, patch } from '../../fixtures/responses/codex-requests.ts';
import { chatTurn, refusalOf, responsesTurn } from './upstream-reading.ts';

const hello = [{ role: 'user', content: 'hi' }];

/** The responses request for a chat request; both must fit the contract. */
function sent(body: object): Record<string, unknown> {
  ChatCompletionRequest.parse({ model: 'm', messages: hello, ...body });
  return checked(responsesUpstreamDialect.writeRequest(chatTurn({ ...body })));
}

function checked(written: object): Record<string, unknown> {
  expect(ResponseRequest.safeParse(written).error).toBeUndefined();
  return { ...written };
}

const bare = { model: 'up-model', store: false, include: ['reasoning.encrypted_content'] };
const asked = { type: 'message', role: 'user', content: 'hi' };

describe('the request of a chat caller to a responses upstream', () => {
  it('has store: false', () => {
    expect(sent({ store: true, stream: true, stream_options: { include_usage: true } })).toEqual({ ...bare, input: [asked], stream: true });
  });

  it('has messages as items in their order, without ids', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'x' },
          { type: 'text', text: 'y' },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: '1' },
      { role: 'developer', content: 'Now in French.' },
      { role: 'assistant', content: null, refusal: 'Non.' },
      { role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } }] },
    ];
    expect(sent({ messages }).input).toEqual([
      { type: 'message', role: 'system', content: 'Be brief.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'select 1' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'x' },
          { type: 'input_text', text: 'y' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'c2', output: '1' },
      { type: 'message', role: 'developer', content: 'Now in French.' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'Non.' }] },
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' }],
      },
    ]);
  });

  it('has flat tools, with strict: false as the default of chat', () => {
    const parameters = { type: 'object', properties: {} };
    const grammar = { syntax: 'lark', definition: 'start: /.+/' };
    const tools = [
      { type: 'function', function: { name: 'f', description: 'd', parameters } },
      { type: 'function', function: { name: 'g', parameters, strict: true } },
      { type: 'custom', custom: { name: 'sql', format: { type: 'grammar', grammar } } },
    ];
    const choice = { mode: 'auto', tools: [{ type: 'custom', custom: { name: 'sql' } }] };
    expect(sent({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: choice }, parallel_tool_calls: false })).toMatchObject({
      tools: [
        { type: 'function', name: 'f', description: 'd', parameters, strict: false },
        { type: 'function', name: 'g', parameters, strict: true },
        { type: 'custom', name: 'sql', format: { type: 'grammar', ...grammar } },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'sql' }] },
      parallel_tool_calls: false,
    });
    const named = { type: 'function', function: { name: 'f' } };
    expect(sent({ tools, tool_choice: named }).tool_choice).toEqual({ type: 'function', name: 'f' });
    expect(sent({ tools, tool_choice: 'required' }).tool_choice).toBe('required');
  });

  it('F08: has structured output, limits and hints under their names of responses', () => {
    const schema = { type: 'object' };
    const body = {
      max_completion_tokens: 5,
      temperature: 0,
      top_p: 1,
      logprobs: true,
      top_logprobs: 2,
      reasoning_effort: 'low',
      verbosity: 'high',
      user: 'u',
      prompt_cache_key: 'k',
      metadata: { a: 'b' },
      service_tier: 'flex',
      seed: 7,
      moderation: { model: 'mod' },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema, description: 'd' } },
    };
    expect(sent(body)).toEqual({
      ...bare,
      input: [asked],
      max_output_tokens: 16,
      temperature: 0,
      top_p: 1,
      top_logprobs: 2,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      text: { format: { type: 'json_schema', name: 'n', description: 'd', schema, strict: false }, verbosity: 'high' },
      user: 'u',
      prompt_cache_key: 'k',
      metadata: { a: 'b' },
      service_tier: 'flex',
      moderation: { model: 'mod' },
    });
    expect(sent({ response_format: { type: 'json_object' } }).text).toEqual({ format: { type: 'json_object' } });
  });

  it('is not rejected for the defaults of fields that responses lacks', () => {
    const body = {
      n: 1,
      stop: [],
      presence_penalty: 0,
      frequency_penalty: 0,
      logit_bias: {},
      modalities: ['text'],
      seed: 1,
      prediction: null,
    };
    expect(sent(body)).toEqual({ ...bare, input: [asked] });
  });
});

describe('the request of a responses turn to a responses upstream', () => {
  const written = (body: object) => checked(responsesUpstreamDialect.writeRequest(responsesTurn({ ...body })));

  it('has the same content without ids and client metadata', () => {
    const { tools, input, ...rest } = written(codexRequest);
    expect(rest).toMatchObject({
      stream: true,
      tool_choice: 'auto',
      reasoning: { effort: 'medium', summary: 'auto' },
      text: { verbosity: 'low' },
    });
    expect(rest).not.toHaveProperty('client_metadata');
    expect(tools).toEqual(codexRequest.tools);
    expect(input).toEqual([
      { type: 'message', role: 'developer', content: 'You are a coding agent.' },
      { type: 'message', role: 'user', content: 'Fix a.txt' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'List first.' }], encrypted_content: 'c2VhbGVk' },
      { type: 'message', role: 'assistant', content: 'Looking.', phase: 'commentary' },
      { type: 'function_call', call_id: 'call_1', name: 'exec_command', arguments: '{"cmd":"ls"}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: patch },
      { type: 'function_call', call_id: 'call_3', name: 'close_agent', namespace: 'multi_agent_v1', arguments: '{"id":"a"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'a.txt' },
      { type: 'message', role: 'user', content: 'Hurry.' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done.' },
      {
        type: 'function_call_output',
        call_id: 'call_3',
        output: [
          { type: 'input_text', text: 'closed' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'original' },
        ],
      },
    ]);
  });

  it('keeps the tools of a namespace together', () => {
    expect(written(liteRequest).tools).toEqual(liteRequest.input[0]?.tools);
  });

  it('F12: has only the reasoning that its own upstream encrypted', () => {
    const thought = (encrypted_content: string | null) => ({ type: 'reasoning', id: 'rs', summary: [], encrypted_content });
    const input = [thought('own'), thought(null), thought(packReasoning('anthropic', { signature: 's' })), { role: 'user', content: 'hi' }];
    expect(written({ input }).input).toEqual([{ type: 'reasoning', summary: [], encrypted_content: 'own' }, asked]);
  });

  it('F14: is rejected for an item reference that was not resolved', () => {
    expect(refusalOf(() => written({ input: [{ type: 'item_reference', id: 'msg_1' }] }))).toBe('unsupported_parameter input[0].type');
  });
});
