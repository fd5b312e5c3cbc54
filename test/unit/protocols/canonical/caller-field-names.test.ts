/** Errors of upstreams about a field, with the caller's name of the field. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../server/primitives/errors.ts';
import { renameErrorFields, withCallerFieldNames, withRenamedFields } from '../../../../server/protocols/canonical/caller-field-names.ts';
import type { CanonicalRequest } from '../../../../server/protocols/canonical/canonical-request.ts';
import { chatUpstreamDialect } from '../../../../server/protocols/chat/dialect.ts';
import type { UpstreamProtocol } from '../../../../server/protocols/dialect.ts';
import { responsesUpstreamDialect } from '../../../../server/protocols/responses/dialect.ts';
import { chatTurn, readStream, responsesTurn } from '../upstream-reading.ts';

const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const chat = chatTurn({
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ],
    },
    { role: 'assistant', content: 'Well.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'ok' },
  ],
  tools: [
    { type: 'function', function: { name: 'f', parameters: {} } },
    { type: 'custom', custom: { name: 'g' } },
  ],
});
const older = chatTurn({ functions: [{ name: 'f' }] });
const responses = responsesTurn({
  input: [
    { role: 'user', content: 'hi' },
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'late' }] },
  ],
  tools: [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: {} }],
});

const told = (turn: CanonicalRequest, upstream: UpstreamProtocol, param: string, message = 'It is wrong.') =>
  withCallerFieldNames(new GatewayError('invalid_value', { param, message }), upstream, turn);

describe('a chat caller over a responses upstream', () => {
  test.each([
    ['max_output_tokens', 'max_completion_tokens'],
    ['temperature', 'temperature'],
    ['reasoning.effort', 'reasoning_effort'],
    ['text.verbosity', 'verbosity'],
    ['text.format', 'response_format'],
    ['text.format.name', 'response_format'],
    ['text.format.schema', 'response_format.json_schema.schema'],
    ['tool_choice', 'tool_choice'],
    ['tools[0].parameters', 'tools[0].function.parameters'],
    ['tools[1].name', 'tools[1].custom.name'],
    ['tools[9]', 'tools'],
    ['input', 'messages'],
    ['input[0].content', 'messages[0].content'],
    ['input[1].content[1].image_url', 'messages[1].content[1]'],
    ['input[2].content[0]', 'messages[2].content[0]'],
    ['input[3].arguments', 'messages[2].tool_calls[0]'],
    ['input[4].output', 'messages[3]'],
    ['input[77]', 'messages'],
    ['store', null],
    ['include', null],
    ['x_new', null],
  ])('gets %s as %s', (param, own) => expect(told(chat, 'responses', param).param).toBe(own));

  test('gets the path of the older field functions', () => {
    expect(told(older, 'responses', 'tools[0].parameters').param).toBe('functions[0].parameters');
  });
});

describe('a responses caller over a chat upstream', () => {
  test.each([
    ['max_completion_tokens', 'max_output_tokens'],
    ['max_tokens', 'max_output_tokens'],
    ['reasoning_effort', 'reasoning.effort'],
    ['response_format', 'text.format'],
    ['response_format.json_schema.schema', 'text.format.schema'],
    ['messages', 'input'],
    ['messages.[2].role', 'input'],
    ['messages[1].content[0].image_url.url', 'input'],
    ['tools[0].function.parameters', 'tools[1].parameters'],
    ['tools.1.function.name', 'input[1].tools[0].name'],
    ['logprobs', 'top_logprobs'],
    ['stream_options', null],
  ])('gets %s as %s', (param, own) => expect(told(responses, 'chat', param).param).toBe(own));
});

describe.each([
  ['anthropic', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'],
  ['anthropic', 'messages.0.content.1.image.source', 'messages', 'input'],
  ['anthropic', 'tools.0.custom.input_schema', 'tools', 'tools'],
  ['anthropic', 'stop_sequences', 'stop', 'stop'],
  ['anthropic', 'anthropic_version', null, null],
  ['gemini', 'generation_config.max_output_tokens', 'max_completion_tokens', 'max_output_tokens'],
  ['gemini', 'generation_config.response_json_schema', 'response_format.json_schema.schema', 'text.format.schema'],
  ['gemini', 'generation_config.temperature', 'temperature', 'temperature'],
  ['gemini', 'contents[2].parts[0]', 'messages', 'input'],
  ['gemini', 'tools[0].function_declarations[3].parameters', 'tools', 'tools'],
] as const)('the field of %s %s', (upstream, param, forChat, forResponses) => {
  test(`appears as ${forChat} to a chat caller and ${forResponses} to a responses caller`, () => {
    expect([told(chat, upstream, param).param, told(responses, upstream, param).param]).toEqual([forChat, forResponses]);
  });
});

describe('a message', () => {
  test('gets the caller’s name added to a field of the upstream', () => {
    const message = "Invalid 'max_output_tokens': below 16.";
    expect(told(chat, 'responses', 'max_output_tokens', message)).toMatchObject({
      code: 'invalid_value',
      message: `${message} ('max_output_tokens' is 'max_completion_tokens' in your request.)`,
    });
    const unnamed = new GatewayError('unknown_parameter', { message: "Unknown parameter: 'response_format'." });
    expect(withCallerFieldNames(unnamed, 'chat', responses)).toMatchObject({
      param: null,
      message: "Unknown parameter: 'response_format'. ('response_format' is 'text.format' in your request.)",
    });
  });

  test('stays unchanged with plain words, or a field of the same name', () => {
    for (const message of ['Your input has no messages.', "'temperature' is too high.", 'my_max_output_tokens_tool is wrong'])
      expect(told(chat, 'responses', 'temperature', message).message).toBe(message);
  });

  test('stays below 1,000 characters', () => {
    const { message } = told(chat, 'responses', 'max_output_tokens', `max_output_tokens ${'x'.repeat(2000)}`);
    expect(message.length).toBeLessThan(1000);
    expect(message).toMatch(/'max_completion_tokens' in your request\.\)$/);
  });
});

test('keeps an error that is no mistake of the caller', () => {
  const busy = new GatewayError('rate_limit_exceeded', { message: 'max_output_tokens', headers: { 'retry-after': '7' } });
  expect(withCallerFieldNames(busy, 'responses', chat)).toBe(busy);
});

test('returns the caller’s name of a field that a quirk renamed', () => {
  const error = new GatewayError('invalid_value', { param: 'max_tokens', message: 'max_tokens is too large' });
  expect(withRenamedFields(error, new Map([['max_tokens', 'max_completion_tokens']]))).toMatchObject({
    param: 'max_completion_tokens',
    message: "max_tokens is too large ('max_tokens' is 'max_completion_tokens' in your request.)",
  });
  expect(withRenamedFields(error, new Map([['max_tokens', 'max_tokens']]))).toBe(error);
});

describe('an error inside a response', () => {
  const error = { code: 'invalid_value', param: 'max_output_tokens', message: 'Too small.' };

  test('uses the caller’s name of the field in a stream, after unchanged events', () => {
    const dialect = renameErrorFields(responsesUpstreamDialect, 'responses');
    const events = readStream(dialect, chat, [
      [{ type: 'response.created', response: {} }, null],
      [{ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hi' }, null],
      [{ type: 'response.failed', response: { error } }, null],
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'failed']);
    expect(events.at(-1)).toMatchObject({ error: { param: 'max_completion_tokens' } });
  });

  test('uses the caller’s name of the field without streaming', () => {
    const dialect = renameErrorFields(chatUpstreamDialect, 'chat');
    const answer = { error: { ...error, param: 'max_tokens' } };
    expect(() => dialect.readResponse(answer, responses)).toThrow(expect.objectContaining({ param: 'max_output_tokens' }));
  });
});
