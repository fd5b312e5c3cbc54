/** The errors of upstreams with the OpenAI protocol, in all forms, and what they become. */
import { describe, expect, test } from 'vitest';
import { readFailureStatus } from '../../../server/protocols/errors.ts';

const read = (status: number, body: unknown, retryAfter?: string) => readFailureStatus(status, JSON.stringify(body), retryAfter);

describe('an error about a mistake of the caller keeps its message and field, in the form of', () => {
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs are not permitted' }];
  const inside = [{ loc: ['body', 'messages', 3, 'assistant', 'reasoning_content'], msg: 'Extra inputs are not permitted' }];
  const forbidden = 'max_completion_tokens: Extra inputs are not permitted';
  test.each([
    ['OpenAI', { error: { message: 'No.', param: 'n', code: 'unsupported_value' } }, 'unsupported_value', 'n', 'No.'],
    [
      'a server with numbers for codes',
      { error: { message: 'No.', type: 'BadRequestError', param: null, code: 400 } },
      'invalid_value',
      null,
      'No.',
    ],
    ['a server without an envelope', { object: 'error', message: 'No.', type: 'BadRequestError', code: 400 }, 'invalid_value', null, 'No.'],
    ['a server with a text alone', { error: 'No.', error_type: 'validation' }, 'invalid_value', null, 'No.'],
    ['a web framework', { detail: 'No.' }, 'invalid_value', null, 'No.'],
    ['a web framework that lists faults', { detail }, 'invalid_value', 'max_completion_tokens', forbidden],
    [
      'Mistral',
      { object: 'error', message: { detail }, type: 'invalid_request_error', code: null },
      'invalid_value',
      'max_completion_tokens',
      forbidden,
    ],
    [
      'a fault deep inside',
      { detail: inside },
      'invalid_value',
      'messages[3].assistant.reasoning_content',
      'messages[3].assistant.reasoning_content: Extra inputs are not permitted',
    ],
  ])('%s', (_, body, code, param, message) => {
    for (const status of [400, 422]) expect(read(status, body)).toMatchObject({ code, param, message });
  });

  test.each([null, [], 5, 'text', { error: null }, { message: null }, { detail: [1] }])('no known vendor: %j', (body) => {
    expect(read(400, body)).toMatchObject({ code: 'invalid_value', param: null, message: expect.stringMatching(/./) });
  });
});

test.each([
  "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
  'The request exceeds the available context size: the prompt is too long.',
  'Input token count exceeds the maximum number of tokens allowed.',
])('a message about a prompt that is too long is context_length_exceeded: %s', (message) => {
  expect(read(400, { error: { message, code: 400 } })).toMatchObject({ code: 'context_length_exceeded' });
});

describe('an error about the key or the account of the gateway has no message of the vendor', () => {
  test.each([
    [401, { message: 'Incorrect API key provided: sk-live-123456789012.', code: 'invalid_api_key' }],
    [402, { message: 'Insufficient Balance', code: 'invalid_request_error' }],
    [403, { message: 'Your organization must be verified.' }],
    [429, { message: 'You exceeded your current quota.', code: 'insufficient_quota' }],
    [400, { message: 'API key not valid. Please pass a valid API key.' }],
    [400, { message: 'Billing hard limit has been reached.', code: 'billing_hard_limit_reached' }],
    [400, { message: 'Your account has been suspended.' }],
    [400, { message: 'No.', code: 'invalid_api_key' }],
  ])('%i %j', (status, error) => {
    const told = read(status, { error });
    expect(told).toMatchObject({ status: 502, code: 'upstream_error', param: null });
    expect(told.message).not.toMatch(/key|quota|balance|organization|billing|account|sk-/i);
  });

  test('but one about a tool with such words has it', () => {
    const message = "Invalid schema for function 'billing_lookup': 'account' is missing.";
    expect(read(400, { error: { message, param: 'tools[0].function.parameters' } })).toMatchObject({ code: 'invalid_value', message });
  });
});

test.each([
  [498, 503, 'upstream_unavailable'],
  [503, 503, 'upstream_unavailable'],
  [529, 503, 'upstream_unavailable'],
  [408, 504, 'upstream_timeout'],
  [504, 504, 'upstream_timeout'],
  [413, 413, 'request_too_large'],
  [404, 502, 'upstream_error'],
  [418, 502, 'upstream_error'],
  [500, 502, 'upstream_error'],
])('an upstream’s %i becomes %i %s', (status, ours, code) => {
  expect(read(status, { error: { message: 'x' } })).toMatchObject({ status: ours, code });
});

test('errors to retry have retry-after', () => {
  for (const status of [429, 503, 529]) expect(read(status, {}, '7').headers).toEqual({ 'retry-after': '7', 'retry-after-ms': '7000' });
  expect(read(429, {}, 'soon').headers).toMatchObject({ 'retry-after': '1' });
});
