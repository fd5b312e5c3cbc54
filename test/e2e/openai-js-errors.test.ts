/** The errors of the OpenAI SDK for JavaScript: their class, code, param and request id. */
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { failure, hangUp } from '../fakes/faults.ts';
import { responseFrames } from '../fakes/responses.ts';
import { holdTimersOf } from '../harness/held-clock.ts';
import { type BehindFake, openBehindFake, type Place, places } from './places.ts';

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

describe.each(places)('over $name', ({ open }) => {
  let place: Place;
  let client: OpenAI;
  beforeAll(async () => {
    place = await open();
    client = new OpenAI({ baseURL: place.gateway.baseURL, apiKey: place.gateway.key });
  });
  afterAll(() => place.close());

  test('a wrong key is an AuthenticationError, on each of the five operations', async () => {
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

  test('an image option on chat is a BadRequestError that names the field', async () => {
    const error = await caught(client.chat.completions.create(careless({ size: '1024x1024' })));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'unknown_parameter', param: 'size' });
    expect(error.requestID).toMatch(/^req_/);
  });

  test('response_format on responses is a BadRequestError that names text.format', async () => {
    const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = { model, input: 'Say hello.' };
    const error = await caught(client.responses.create(Object.assign(body, { response_format: { type: 'json_object' } })));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'unknown_parameter', param: 'response_format' });
    expect(error.message).toContain('text.format');
  });

  test('an unknown previous_response_id is a BadRequestError', async () => {
    const error = await caught(client.responses.create({ model, input: 'And now?', previous_response_id: 'resp_unknown' }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'previous_response_not_found', param: 'previous_response_id' });
  });

  test('an unknown model is a NotFoundError', async () => {
    const error = await caught(client.chat.completions.create({ model: 'gpt-0', messages }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  });

  test('a base URL without /v1 is a NotFoundError that says which one to use', async () => {
    const lost = new OpenAI({ baseURL: place.gateway.origin, apiKey: place.gateway.key });
    const error = await caught(lost.chat.completions.create({ model, messages }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: 'unknown_url' });
    expect(error.message).toContain(place.gateway.baseURL);
  });

  test('an error before the first event of a stream is thrown with its class', async () => {
    const error = await caught(client.chat.completions.create({ model: 'gpt-0', messages, stream: true }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('a vendor that fails', () => {
  let behind: BehindFake;
  let client: OpenAI;
  beforeAll(async () => {
    behind = await openBehindFake();
    client = new OpenAI({ baseURL: behind.gateway.baseURL, apiKey: behind.gateway.key });
  });
  afterAll(() => behind.close());

  test('a vendor’s 429 is a RateLimitError with its retry-after', async () => {
    behind.fake.next(failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } }));
    const error = await caught(client.chat.completions.create({ model, messages }, { maxRetries: 0 }));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect(error.headers?.get('retry-after')).toBe('7');
    expect(error.requestID).toMatch(/^req_/);
  });

  test('the SDK waits for retry-after, asks again and gets its answer', async () => {
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

  test.each([
    ['an error 500', failure(500, { message: 'secret detail of the vendor' })],
    ['an error 401', failure(401, { code: 'invalid_api_key' })],
    ['a dropped connection', hangUp],
    ['a page in place of JSON', json('<html>')],
  ])('%s of the vendor is an InternalServerError without the vendor’s message', async (_name, script) => {
    behind.fake.next(script);
    const error = await caught(client.chat.completions.create({ model, messages }, { maxRetries: 0 }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: 'upstream_error', type: 'server_error' });
    expect(error.message).not.toContain('secret');
  });

  test('a vendor’s 400 is a BadRequestError with its param and message', async () => {
    behind.fake.next(failure(400, { code: 'unsupported_value', param: 'n', message: 'Only 1 is supported.' }));
    const error = await caught(client.chat.completions.create({ model, messages, n: 2 }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'unsupported_value', param: 'n' });
    expect(error.message).toContain('Only 1 is supported.');
  });

  const endings = ['cut', 'reset', 'end', 'fin'] as const;

  test.each(endings)('a chat stream that the vendor breaks off (%s) throws, without a finish reason', async (ending) => {
    behind.fake.next(stream(chatFrames(), { stopAfter: { frames: 3 }, ending }));
    const chunks = await client.chat.completions.create({ model, messages, stream: true });
    const seen: (string | null | undefined)[] = [];
    const error = await caught(readAll(chunks, (chunk) => seen.push(chunk.choices[0]?.finish_reason)));
    expect(error).toMatchObject({ code: 'upstream_error', type: 'server_error' });
    expect(seen).toEqual([null, null, null]);
  });

  test.each(endings)('a responses stream that the vendor breaks off (%s) throws, without response.completed', async (ending) => {
    behind.fake.next(stream(responseFrames(), { stopAfter: { frames: 5 }, ending }));
    const events = await client.responses.create({ model, input: 'Say hello.', stream: true });
    const seen: string[] = [];
    const error = await caught(readAll(events, ({ type }) => seen.push(type)));
    expect(error).toMatchObject({ code: 'upstream_error' });
    expect(seen).not.toContain('response.completed');
    expect(seen).toHaveLength(5);
  });
});

async function readAll<T>(events: AsyncIterable<T>, note: (event: T) => void): Promise<void> {
  for await (const event of events) note(event);
}
