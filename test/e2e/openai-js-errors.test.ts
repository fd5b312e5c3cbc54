/** The errors of the OpenAI SDK for JavaScript: their class, code, param and request id. */
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failure } from '../fakes/faults.ts';
import { holdTimersOf } from '../harness/held-clock.ts';
import { type BehindFake, openBehindFake } from './places.ts';

const model = 'gpt-5.4';
const messages = [{ role: 'user' as const, content: 'Say hello.' }];
/** A body that the SDK's own types refuse, as an older client sends it. */
const careless = (body: object): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming => ({ model, messages, ...body });

async function caught(promise: PromiseLike<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

let behind: BehindFake;
let client: OpenAI;
beforeAll(async () => {
  behind = await openBehindFake();
  client = new OpenAI({ baseURL: behind.gateway.baseURL, apiKey: behind.gateway.key });
});
afterAll(() => behind.close());

test('throws an AuthenticationError for a wrong key, on each of the five operations', async () => {
  const stranger = new OpenAI({ baseURL: client.baseURL, apiKey: 'mg-wrong' });
  const image = await toFile(Buffer.from('no picture'), 'one.png');
  const errors = await Promise.all([
    caught(stranger.models.list()),
    caught(stranger.chat.completions.create({ model, messages })),
    caught(stranger.responses.create({ model, input: 'Say hello.' })),
    caught(stranger.images.generate({ model: 'gpt-image-2', prompt: 'A lighthouse' })),
    caught(stranger.images.edit({ model: 'gpt-image-2', prompt: 'A lighthouse', image })),
  ]);
  for (const error of errors) {
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', param: null, type: 'authentication_error' });
    expect(error.requestID).toMatch(/^req_/);
  }
});

const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = { model, input: 'Say hello.' };
const rejections = {
  'an image option on chat': () => client.chat.completions.create(careless({ size: '1024x1024' })),
  'response_format on responses': () => client.responses.create(Object.assign({ ...body }, { response_format: { type: 'json_object' } })),
  'an unknown previous_response_id': () => client.responses.create({ ...body, previous_response_id: 'resp_unknown' }),
  'an unknown model': () => client.chat.completions.create({ model: 'gpt-0', messages }),
  'an unknown model of a stream': () => client.chat.completions.create({ model: 'gpt-0', messages, stream: true }),
  'a base URL without /v1': () =>
    new OpenAI({ baseURL: behind.gateway.origin, apiKey: behind.gateway.key }).chat.completions.create({ model, messages }),
} as const;

test.each([
  ['an image option on chat', OpenAI.BadRequestError, 'unknown_parameter', 'size', 'size'],
  ['response_format on responses', OpenAI.BadRequestError, 'unknown_parameter', 'response_format', 'text.format'],
  ['an unknown previous_response_id', OpenAI.BadRequestError, 'previous_response_not_found', 'previous_response_id', ''],
  ['an unknown model', OpenAI.NotFoundError, 'model_not_found', 'model', ''],
  ['an unknown model of a stream', OpenAI.NotFoundError, 'model_not_found', 'model', ''],
  ['a base URL without /v1', OpenAI.NotFoundError, 'unknown_url', null, '/v1'],
] as const)('throws for %s %o with the code %s, the param %s, and the remedy', async (what, kind, code, param, says) => {
  const error = await caught(rejections[what]());
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ code, param, message: expect.stringContaining(says), requestID: expect.stringMatching(/^req_/) });
});

test.each([
  ['429', failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } }), OpenAI.RateLimitError, 'rate_limit_exceeded'],
  ['500', failure(500, { message: 'secret detail of the vendor' }), OpenAI.InternalServerError, 'upstream_error'],
  ['400', failure(400, { code: 'unsupported_value', param: 'n', message: 'Only 1.' }), OpenAI.BadRequestError, 'unsupported_value'],
] as const)('throws for a %s of the upstream an error of its class', async (status, script, kind, code) => {
  behind.fake.next(script);
  const error = await caught(client.chat.completions.create({ model, messages }, { maxRetries: 0 }));
  expect(error).toBeInstanceOf(kind);
  expect(error.code).toBe(code);
  expect(error.message).not.toContain('secret');
  if (status === '400') expect(error).toMatchObject({ param: 'n', message: expect.stringContaining('Only 1.') });
  if (status === '429') expect(error.headers?.get('retry-after')).toBe('7');
});

test('waits for retry-after, asks again, and gets its answer', async () => {
  behind.fake.next(failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '37' } }));
  const before = behind.fake.requests.length;
  const waiting = holdTimersOf(37_000);
  const asking = client.chat.completions.create({ model, messages });
  await waiting.isSet;
  expect(behind.fake.requests.length - before).toBe(1);
  waiting.runOut();
  expect((await asking).choices[0]?.finish_reason).toBe('stop');
  expect(behind.fake.requests.length - before).toBe(2);
});
