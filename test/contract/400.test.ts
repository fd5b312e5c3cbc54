/** Status 400 on the two text operations: each mistake has its code, its field and a remedy. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** Title, changed fields, code, param, a part of the message. */
type Row = readonly [title: string, change: Record<string, unknown>, code: ErrorCode, param: string | null, says: string];

const user = { role: 'user', content: 'hi' };
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const nested = (depth: number): unknown => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } });
const functionTool = (more: object) => ({ type: 'function', function: { name: 'f', ...more } });

test('rejects a number that overflows as too large', async () => {
  const body = '{"model":"gpt-5.4","input":"hi","max_output_tokens":1e400}';
  const answer = await gateway.call('/responses', { body, headers: { 'content-type': 'application/json' } });
  await expectRefusal(answer, { code: 'invalid_type', param: 'max_output_tokens' });
});

test.for([{ input: [{ type: 'a_new_item', role: 'robot' }] }, { input: [{ type: null, role: 'user', content: 'hi' }] }])(
  'lists the values of a field as JSON can write them: %j',
  async (body) => {
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', ...body } });
    expect(answer.status).toBe(400);
    const { error } = ErrorBody.parse(await answer.json());
    expect(error).toMatchObject({ code: 'invalid_value', param: 'input[0].type' });
    expect(error.message).toContain("'message', 'function_call'");
    expect(error.message).not.toContain('undefined');
  },
);

const chatRows: readonly Row[] = [
  [
    'sends a tool in the form of responses',
    { tools: [{ type: 'function', name: 'f' }] },
    'missing_required_parameter',
    'tools[0].function',
    "are fields of 'function'",
  ],
  ['leaves the model out', { model: undefined }, 'missing_required_parameter', 'model', "'model'"],
  ['sends a number as the model', { model: 5 }, 'invalid_type', 'model', 'expected a string, got a number'],
  ['sends an empty model', { model: '' }, 'empty_string', 'model', 'at least 1'],
  ['sends a model id of a thousand letters', { model: 'x'.repeat(1000) }, 'string_above_max_length', 'model', 'at most 512'],
  ['leaves the messages out', { messages: undefined }, 'missing_required_parameter', 'messages', "'messages'"],
  ['sends null messages', { messages: null }, 'invalid_type', 'messages', 'expected an array, got null'],
  ['sends the messages as a string', { messages: 'hi' }, 'invalid_type', 'messages', 'expected an array, got a string'],
  ['sends no message at all', { messages: [] }, 'empty_array', 'messages', 'at least 1'],
  ['sends 5,000 messages', { messages: Array(5000).fill(user) }, 'array_above_max_length', 'messages', 'at most 4096'],
  ['sends a message that is a string', { messages: ['hi'] }, 'invalid_type', 'messages[0]', 'expected an object'],
  [
    'sends an unknown role',
    { messages: [user, { ...user, role: 'robot' }] },
    'invalid_value',
    'messages[1].role',
    "'system', 'developer', 'user'",
  ],
  ['leaves the role out', { messages: [{ content: 'hi' }] }, 'missing_required_parameter', 'messages[0].role', 'messages[0].role'],
  ['leaves the content out', { messages: [{ role: 'user' }] }, 'missing_required_parameter', 'messages[0].content', 'messages[0].content'],
  [
    'sends a number as content',
    { messages: [{ role: 'user', content: 5 }] },
    'invalid_type',
    'messages[0].content',
    'a string or an array',
  ],
  [
    'sends a part of an unknown type',
    { messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
    'invalid_value',
    'messages[0].content[0].type',
    "'text', 'image_url'",
  ],
  [
    'sends an image as a list of addresses',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: ['data:image/png;base64,AAAA'] }] }] },
    'invalid_type',
    'messages[0].content[0].image_url',
    'expected a string or an object, got an array',
  ],
  [
    'sends an assistant message without content and tool calls',
    { messages: [user, { role: 'assistant', content: null }] },
    'invalid_value',
    'messages[1].content',
    'messages[1]',
  ],
  [
    'leaves tool_call_id out',
    { messages: [{ role: 'tool', content: '3' }] },
    'missing_required_parameter',
    'messages[0].tool_call_id',
    'tool_call_id',
  ],
  [
    'sends a result for an unknown tool call',
    { messages: [user, { role: 'tool', tool_call_id: 'call_9', content: '3' }] },
    'invalid_value',
    'messages[1].tool_call_id',
    "'call_9'",
  ],
  ['leaves a call without its result', { messages: [user, call, user] }, 'invalid_value', 'messages[1].tool_calls', 'call_1'],
  ['sends a temperature of 3', { temperature: 3 }, 'decimal_above_max_value', 'temperature', 'at most 2'],
  ['sends a temperature of -1', { temperature: -1 }, 'decimal_below_min_value', 'temperature', 'at least 0'],
  ['sends the temperature as a string', { temperature: '1' }, 'invalid_type', 'temperature', 'expected a number, got a string'],
  ['asks for 0 answers', { n: 0 }, 'integer_below_min_value', 'n', 'at least 1'],
  ['asks for 129 answers', { n: 129 }, 'integer_above_max_value', 'n', 'at most 128'],
  ['asks for one and a half answers', { n: 1.5 }, 'invalid_type', 'n', 'expected an integer'],
  ['biases a token by 200', { logit_bias: { '5': 200 } }, 'decimal_above_max_value', 'logit_bias.5', 'at most 100'],
  ['sends five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'array_above_max_length', 'stop', 'at most 4'],
  ['sends stream as a string', { stream: 'yes' }, 'invalid_type', 'stream', 'expected a boolean, got a string'],
  [
    'sends stream_options without a stream',
    { stream_options: { include_usage: true } },
    'invalid_value',
    'stream_options',
    "'stream: true'",
  ],
  ['limits the output twice', { max_tokens: 5, max_completion_tokens: 5 }, 'invalid_value', 'max_tokens', 'Send only one of them'],
  ['asks for alternatives without log probabilities', { top_logprobs: 3 }, 'invalid_value', 'top_logprobs', 'logprobs: true'],
  ['asks for audio without an audio field', { modalities: ['text', 'audio'] }, 'missing_required_parameter', 'audio', 'modalities'],
  ['names a tool with a space', { tools: [functionTool({ name: 'a b' })] }, 'invalid_value', 'tools[0].function.name', 'letters, digits'],
  [
    'sends a tool as the responses operation takes it',
    { tools: [{ type: 'function', name: 'f' }] },
    'missing_required_parameter',
    'tools[0].function',
    'tools[0].function',
  ],
  ['sends 129 tools', { tools: Array(129).fill(functionTool({})) }, 'array_above_max_length', 'tools', 'at most 128'],
  [
    'nests the schema of a tool 100 levels deep',
    { tools: [functionTool({ parameters: nested(50) })] },
    'invalid_value',
    'tools[0].function.parameters',
    '64 levels',
  ],
  ['sends an unknown tool_choice', { tool_choice: 'perhaps' }, 'invalid_value', 'tool_choice', "'none', 'auto', 'required'"],
  [
    'asks for an unknown response_format',
    { response_format: { type: 'xml' } },
    'invalid_value',
    'response_format.type',
    "'text', 'json_object', 'json_schema'",
  ],
  ['asks for an unknown reasoning_effort', { reasoning_effort: 'huge' }, 'invalid_value', 'reasoning_effort', "'minimal'"],
  ['asks for an unknown reasoning.effort', { reasoning: { effort: 'huge' } }, 'invalid_value', 'reasoning.effort', "'minimal'"],
  [
    'attaches 17 pairs of metadata',
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) },
    'invalid_value',
    'metadata',
    '16 pairs',
  ],
  ['names an image model', { model: 'gpt-image-2' }, 'unsupported_value', 'model', 'POST /v1/images/generations'],
  ...['size', 'quality', 'background', 'output_format', 'output_compression', 'partial_images'].map(
    (field): Row => [`sends the image option ${field}`, { [field]: 'x' }, 'unknown_parameter', field, 'POST /v1/images/generations'],
  ),
  ...['image', 'images', 'mask', 'input_fidelity'].map(
    (field): Row => [`sends ${field}, which edits have`, { [field]: 'x' }, 'unknown_parameter', field, 'POST /v1/images/edits'],
  ),
  ['sends the style of older image models', { style: 'vivid' }, 'unknown_parameter', 'style', 'No operation of this gateway supports it'],
  ['sends the prompt of an image', { prompt: 'a cat' }, 'unknown_parameter', 'prompt', 'messages'],
  ['sends the input of the responses operation', { messages: undefined, input: 'hi' }, 'unknown_parameter', 'input', 'POST /v1/responses'],
  ['sends instructions', { instructions: 'be brief' }, 'unknown_parameter', 'instructions', "role 'system'"],
  ['sends max_output_tokens', { max_output_tokens: 100 }, 'unknown_parameter', 'max_output_tokens', 'max_completion_tokens'],
  ['sends text.format', { text: { format: { type: 'text' } } }, 'unknown_parameter', 'text', 'response_format'],
  ['sends previous_response_id', { previous_response_id: 'resp_1' }, 'unknown_parameter', 'previous_response_id', 'POST /v1/responses'],
];

const output = { type: 'function_call_output', call_id: 'call_1', output: '3' };
const made = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };

const responsesRows: readonly Row[] = [
  [
    'sends a tool in the form of chat',
    { tools: [functionTool({})] },
    'missing_required_parameter',
    'tools[0].name',
    "fields of the tool itself, not of 'function'",
  ],
  ['leaves the model out', { model: undefined }, 'missing_required_parameter', 'model', "'model'"],
  ['leaves the input out', { input: undefined }, 'missing_required_parameter', 'input', "'input'"],
  ['sends a number as input', { input: 5 }, 'invalid_type', 'input', 'a string or an array'],
  ['sends an item of an unknown type', { input: [{ type: 'smell' }] }, 'invalid_value', 'input[0].type', "'message'"],
  ['sends an unknown role', { input: [{ role: 'robot', content: 'hi' }] }, 'invalid_value', 'input[0].role', "'user', 'system'"],
  [
    'sends a content part of the chat operation',
    { input: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
    'invalid_value',
    'input[0].content[0].type',
    "'input_text'",
  ],
  ['sends a result for an unknown tool call', { input: [output] }, 'invalid_value', 'input[0].call_id', "'call_1'"],
  ['sends a result before its tool call', { input: [output, made] }, 'invalid_value', 'input[0].call_id', "'call_1'"],
  ['leaves call_id out', { input: [made, { ...output, call_id: undefined }] }, 'missing_required_parameter', 'input[1].call_id', 'call_id'],
  [
    'sends response_format in place of text.format',
    { response_format: { type: 'json_object' } },
    'unknown_parameter',
    'response_format',
    'text.format',
  ],
  ['sends messages in place of input', { input: undefined, messages: [user] }, 'unknown_parameter', 'messages', "'input'"],
  ['sends max_tokens', { max_tokens: 100 }, 'unknown_parameter', 'max_tokens', 'max_output_tokens'],
  ['asks for two answers', { n: 2 }, 'unknown_parameter', 'n', 'one output'],
  ['sends reasoning_effort', { reasoning_effort: 'low' }, 'unknown_parameter', 'reasoning_effort', 'reasoning.effort'],
  ['sends the size of an image', { size: '1024x1024' }, 'unknown_parameter', 'size', 'POST /v1/images/generations'],
  ['asks for 5 output tokens', { max_output_tokens: 5 }, 'integer_below_min_value', 'max_output_tokens', 'at least 16'],
  [
    'leaves the name of a schema out',
    { text: { format: { type: 'json_schema', schema: {} } } },
    'missing_required_parameter',
    'text.format.name',
    'text.format.name',
  ],
  [
    'sends a tool as the chat operation takes it',
    { tools: [functionTool({})] },
    'missing_required_parameter',
    'tools[0].name',
    'tools[0].name',
  ],
  ['sends a tool of an unknown type', { tools: [{ type: 'smell' }] }, 'invalid_value', 'tools[0].type', "'function'"],
  ['continues an unknown response', { previous_response_id: 'resp_1' }, 'previous_response_not_found', 'previous_response_id', "'resp_1'"],
  ['runs in the background without storing', { background: true, store: false }, 'unsupported_value', 'background', 'store: true'],
  ['names a conversation', { conversation: 'conv_1' }, 'unsupported_parameter', 'conversation', 'previous_response_id'],
  ['names a stored prompt', { prompt: { id: 'pmpt_1' } }, 'unsupported_parameter', 'prompt', 'instructions'],
  ['nests client_metadata 100 levels deep', { client_metadata: { a: nested(50) } }, 'invalid_value', 'client_metadata.a', '64 levels'],
  ['names an image model', { model: 'gpt-image-2' }, 'unsupported_value', 'model', 'POST /v1/images/generations'],
];

const good = {
  '/chat/completions': { model: 'gpt-5.4', messages: [user] },
  '/responses': { model: 'gpt-5.4', input: 'hi' },
};

describe.each([
  ['/chat/completions', chatRows],
  ['/responses', responsesRows],
] as const)('on %s', (path, rows) => {
  test.each(rows)('returns 400 with code, field and remedy to a caller who %s', async (_title, change, code, param, says) => {
    await expectRefusal(await gateway.call(path, { json: { ...good[path], ...change } }), { code, param, says });
  });

  test('accepts fields of other operations as null', async () => {
    const json = { ...good[path], size: null, response_format: null, stream_options: null, max_tokens: null, temperature: null };
    expect((await gateway.call(path, { json })).status).toBe(200);
  });
});

const bodies = [
  ['nothing', '', 'invalid_json', 'empty'],
  ['JSON that breaks off', '{"model":"gpt-5.4","mess', 'invalid_json', "isn't valid JSON"],
  ['JSON with a trailing comma', '{"model":"gpt-5.4",}', 'invalid_json', 'position 19'],
  ['an array', '[]', 'invalid_json', 'one JSON object'],
  ['a string', '"hi"', 'invalid_json', 'one JSON object'],
  ['null', 'null', 'invalid_json', 'one JSON object'],
  ['a form declared as JSON', 'model=gpt-5.4&prompt=hi', 'invalid_json', 'malformed'],
] as const;

describe.each(['/chat/completions', '/responses', '/images/generations', '/images/edits'])('on %s', (path) => {
  test.each(bodies)('returns 400 to a caller who sends %s as JSON', async (_title, body, code, says) => {
    await expectRefusal(await gateway.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }), {
      code,
      says,
    });
  });

  test('returns 400 for a request without a body', async () => {
    await expectRefusal(await gateway.call(path, { method: 'POST' }), { code: 'invalid_json' });
  });

  test('repeats nothing of the body in the error for broken JSON', async () => {
    const body = '{"model":"gpt-5.4","prompt":"my secret" oops}';
    const answer = await gateway.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect((await expectRefusal(answer, { code: 'invalid_json' })).error.message).not.toMatch(/secret|oops/);
  });
});
