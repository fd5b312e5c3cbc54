/** The errors of Anthropic and Gemini upstreams, and what they become. */
import { describe, expect, test } from 'vitest';
import { readAnthropicFailure } from '../../../server/protocols/anthropic/errors.ts';
import { readGeminiFailure } from '../../../server/protocols/gemini/errors.ts';
import { anthropicError, anthropicFailure } from '../../fakes/anthropic.ts';
import { geminiError, geminiFailure, retryInfo } from '../../fakes/gemini.ts';
import { openFake } from '../../fakes/upstream.ts';

describe('an Anthropic upstream that answers', () => {
  test.each([
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 400, 'context_length_exceeded'],
    [400, 'invalid_request_error', 'max_tokens: 9000 > 8192', 400, 'invalid_value'],
    [422, 'invalid_request_error', 'tools.0.organization: no', 400, 'invalid_value'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the API.', 502, 'upstream_error'],
    [401, 'authentication_error', 'invalid x-api-key', 502, 'upstream_error'],
    [402, 'billing_error', 'pay', 502, 'upstream_error'],
    [403, 'permission_error', 'no', 502, 'upstream_error'],
    [404, 'not_found_error', 'model: claude-none', 502, 'upstream_error'],
    [413, 'request_too_large', 'too large', 413, 'request_too_large'],
    [429, 'rate_limit_error', 'slow', 429, 'rate_limit_exceeded'],
    [500, 'api_error', 'oops', 502, 'upstream_error'],
    [500, 'overloaded_error', 'Overloaded', 503, 'upstream_unavailable'],
    [504, 'timeout_error', 'late', 504, 'upstream_timeout'],
    [529, 'overloaded_error', 'Overloaded', 503, 'upstream_unavailable'],
  ])('%i %s (%s) is %i %s', (status, type, message, ours, code) => {
    const error = readAnthropicFailure(status, JSON.stringify(anthropicError(type, message)), undefined);
    expect({ status: error.status, code: error.code }).toEqual({ status: ours, code });
  });
});

describe('a Gemini upstream that answers', () => {
  const badKey = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
  test.each([
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
      [],
      400,
      'context_length_exceeded',
    ],
    [400, 'INVALID_ARGUMENT', 'Invalid JSON payload', [], 400, 'invalid_value'],
    [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', badKey, 502, 'upstream_error'],
    [400, 'FAILED_PRECONDITION', 'User location is not supported', [], 502, 'upstream_error'],
    [403, 'PERMISSION_DENIED', 'no', [], 502, 'upstream_error'],
    [404, 'NOT_FOUND', 'no model', [], 502, 'upstream_error'],
    [429, 'RESOURCE_EXHAUSTED', 'quota', [], 429, 'rate_limit_exceeded'],
    [500, 'INTERNAL', 'oops', [], 502, 'upstream_error'],
    [503, 'UNAVAILABLE', 'busy', [], 503, 'upstream_unavailable'],
    [504, 'DEADLINE_EXCEEDED', 'late', [], 504, 'upstream_timeout'],
  ])('%i %s (%s) is translated', (status, word, message, details, ours, code) => {
    const error = readGeminiFailure(status, JSON.stringify(geminiError(status, word, message, details)), undefined);
    expect({ status: error.status, code: error.code }).toEqual({ status: ours, code });
  });

  test('a list with one error is read like the error', () => {
    expect(readGeminiFailure(503, JSON.stringify([geminiError(503, 'UNAVAILABLE', 'busy')]), undefined).code).toBe('upstream_unavailable');
  });
});

test('retry-after is from the header, or from the body of a Gemini upstream', () => {
  expect(readAnthropicFailure(529, '', '7').headers).toEqual({ 'retry-after': '7', 'retry-after-ms': '7000' });
  expect(readAnthropicFailure(429, '<html>', 'Wed, 21 Oct 2026 07:28:00 GMT').headers).toMatchObject({ 'retry-after': '1' });
  const body = JSON.stringify(geminiError(429, 'RESOURCE_EXHAUSTED', 'quota', [retryInfo('34.2s')]));
  expect(readGeminiFailure(429, body, undefined).headers).toMatchObject({ 'retry-after': '35' });
  expect(readGeminiFailure(429, body, '3').headers).toMatchObject({ 'retry-after': '3' });
});

test('API keys are removed from messages, and messages about the gateway’s account are replaced', () => {
  const quoted = readAnthropicFailure(400, JSON.stringify(anthropicError('invalid_request_error', 'bad sk-ant-REDACTED here')), undefined);
  expect(quoted.message).toBe("This model's upstream rejected the request: bad … here");
  const hidden = readGeminiFailure(403, JSON.stringify(geminiError(403, 'PERMISSION_DENIED', 'project 12 is suspended')), undefined);
  expect(hidden.message).not.toContain('project');
  expect(hidden.body.error.param).toBeNull();
});

test('the errors of the fakes are read', async () => {
  const fake = await openFake();
  fake.next(anthropicFailure(529, 'overloaded_error')).next(geminiFailure(429, 'RESOURCE_EXHAUSTED', 'quota', [retryInfo('2s')]));
  const ask = async () => {
    const answer = await fetch(`${fake.url}/messages`, { method: 'POST', body: '{}' });
    return { status: answer.status, body: await answer.text() };
  };
  const anthropic = await ask();
  const gemini = await ask();
  await fake.close();
  expect(readAnthropicFailure(anthropic.status, anthropic.body, undefined).code).toBe('upstream_unavailable');
  expect(readGeminiFailure(gemini.status, gemini.body, undefined).headers).toMatchObject({ 'retry-after': '2' });
});
