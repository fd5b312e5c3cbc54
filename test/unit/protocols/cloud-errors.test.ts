/** Errors as Azure, Bedrock and Vertex send them, over each protocol that they speak: what is the caller's mistake, and what is the file's. */
import { describe, expect, test } from 'vitest';
import { readAnthropicFailure } from '../../../server/protocols/anthropic/errors.ts';
import { readFailure, readFailureStatus, redactSecrets } from '../../../server/protocols/errors.ts';
import { readGeminiFailure } from '../../../server/protocols/gemini/errors.ts';

const readers = [
  ['chat', readFailureStatus],
  ['anthropic', readAnthropicFailure],
  ['gemini', readGeminiFailure],
] as const;

const tooLong = 'Input is too long for requested model.';
const exceeded = 'Input Tokens Exceeded: Number of input tokens exceeds maximum length';
const onDemand = 'Invocation of model ID anthropic.claude with on-demand throughput isn\u2019t supported. Retry with an inference profile.';

describe.each(readers)('read as %s', (_, read) => {
  test.each([
    ['Bedrock', { message: tooLong }, 'context_length_exceeded'],
    ['Bedrock Converse', { message: exceeded }, 'context_length_exceeded'],
    [
      'Vertex in a list',
      [{ error: { code: 400, message: 'The input token count (99) exceeds the maximum.', status: 'INVALID_ARGUMENT' } }],
      'context_length_exceeded',
    ],
    ['a capital letter', { Message: 'The temperature is too high.' }, 'invalid_value'],
    ['a wrong model id', { message: 'The provided model identifier is invalid.' }, 'upstream_error'],
    ['no on-demand throughput', { message: onDemand }, 'upstream_error'],
    ['a wrong route', { error: { code: 'validation_error', message: "model `grok` isn't supported on this route" } }, 'upstream_error'],
    ['a wrong operation', { error: { message: "The model 'claude' does not support the '/v1/chat/completions' API" } }, 'upstream_error'],
    ['a wrong version', { error: { message: 'API version not supported' } }, 'upstream_error'],
    ['a project that may not', [{ error: { code: 400, message: 'no', status: 'FAILED_PRECONDITION' } }], 'upstream_error'],
  ])('400 of %s', (_name, body, code) => {
    expect(read(400, JSON.stringify(body), undefined).code).toBe(code);
  });

  test('a mistake of the caller keeps the words', () => {
    expect(read(400, JSON.stringify({ message: 'maxTokens must be at least 1' }), undefined).message).toContain(
      'maxTokens must be at least 1',
    );
  });
});

describe.each(readers.filter(([name]) => name !== 'gemini'))('AWS, read as %s', (_, read) => {
  test.each([
    ['ThrottlingException', 400, 'rate_limit_exceeded'],
    ['ServiceQuotaExceededException', 400, 'rate_limit_exceeded'],
    ['ModelNotReadyException', 429, 'upstream_unavailable'],
    ['ServiceUnavailableException', 503, 'upstream_unavailable'],
    ['ExpiredTokenException', 403, 'upstream_error'],
    ['UnrecognizedClientException', 400, 'upstream_error'],
    ['AccessDeniedException', 403, 'upstream_error'],
  ])('%s with status %i in its header is %s', (kind, status, code) => {
    expect(read(status, JSON.stringify({ message: 'no' }), undefined, `${kind}:http://internal.amazon.com/`).code).toBe(code);
    expect(read(status, JSON.stringify({ __type: `com.amazon#${kind}`, message: 'no' }), undefined).code).toBe(code);
  });
});

describe('a content filter of Azure', () => {
  test('that refuses a prompt names no field, and none of its words reach the caller', () => {
    const error = { message: 'The response was filtered due to …', type: null, param: 'prompt', code: 'content_filter', status: 400 };
    const body = JSON.stringify({ error: { ...error, innererror: { code: 'ResponsibleAIPolicyViolation' } } });
    const read = readFailureStatus(400, body, undefined);
    expect(read.body.error).toMatchObject({
      code: 'invalid_value',
      param: null,
      message: "The upstream's content filter rejected the prompt.",
    });
  });

  test('that refuses a prompt inside a stream is the same mistake', () => {
    const read = readFailure({ code: 'content_filter', message: 'The response was filtered due to …', param: 'prompt' });
    expect([read.code, read.body.error.param]).toEqual(['invalid_value', null]);
    expect(readFailure({ code: 'content_policy_violation', message: 'no' }).code).toBe('moderation_blocked');
  });

  test.each(['contentFilter', 'content_policy_violation'])('that refuses a picture as %s is moderation_blocked', (code) => {
    expect(readFailureStatus(400, JSON.stringify({ error: { code, message: 'no' } }), undefined).code).toBe('moderation_blocked');
  });
});

test.each([
  'AKIAIOSFODNN7EXAMPLE',
  'ASIAIOSFODNN7EXAMPLE',
  'ABSKQmVkcm9ja0FQSUtleS1leGFtcGxl',
  'ya29.a0AfH6SMBx-example_token',
  'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJleGFtcGxlIn0.c2lnbmF0dXJl',
])("%s is taken out of a vendor's sentence", (secret) => {
  expect(redactSecrets(`The token ${secret} is not valid`)).toBe('The token … is not valid');
});
