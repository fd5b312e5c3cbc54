/** The OpenAI SDK for Python, unchanged but for base URL and key: all five operations and every class of error. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BehindFake, openBehindFake, type Place, places } from '../e2e/places.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { PythonClient } from '../harness/python.ts';
import { leftOut, pythonMissing } from '../harness/tools.ts';

const answer = 'Good morning from the gateway.';
const call = { id: 'call_oslo', name: 'get_weather', arguments: ['{"city":', '"Oslo"}'] };
const person = '{"name":"Ada","age":36}';
const aPerson = { name: expect.any(String), age: expect.any(Number) };
const positive = expect.toSatisfy((count: unknown) => Number(count) > 0);
const pngSignature = '89504e470d0a1a0a';

describe.skipIf(pythonMissing !== null).each(places)(`over $name${leftOut(pythonMissing)}`, ({ open, hasImages }) => {
  let place: Place;
  let client: PythonClient;
  beforeAll(async () => {
    place = await open();
    client = new PythonClient(place.gateway);
  });
  afterAll(async () => {
    client.close();
    await place.close();
  });

  test('lists the models that the key can call', async () => {
    expect(await client.check('models')).toEqual({
      ids: expect.arrayContaining(['gpt-5.4', ...(hasImages ? ['gpt-image-2'] : [])]),
      one: 'gpt-5.4',
    });
  });

  test('runs two turns on a WebSocket with responses.connect, the second continuing the first', async () => {
    const { turns } = (await client.check('socket_turns')) as { turns: { id: string }[] };
    expect(turns).toMatchObject([{ type: 'response.completed' }, { type: 'response.completed', previous: turns[0]?.id }]);
  });

  test('returns a chat completion with its text, usage and request ID', async () => {
    place.expectToSay({ text: answer });
    const expected = { text: answer, finish_reason: 'stop', total: positive, request_id: expect.stringMatching(/^req_/) };
    expect(await client.check('chat')).toEqual(expected);
  });

  test('streams a chat in pieces', async () => {
    place.expectToSay({ text: answer });
    const { text, pieces } = await client.check('chat_stream');
    expect(text).toBe(answer);
    expect(pieces).toBeGreaterThan(1);
  });

  test('joins a tool call and parses its arguments in the stream helper of chat', async () => {
    place.expectToSay({ toolCalls: [call] });
    const expected = { name: 'get_weather', arguments: { city: 'Oslo' }, finish_reason: 'tool_calls', total: positive };
    expect(await client.check('chat_helper')).toEqual(expected);
  });

  test.each(['chat_parse', 'response_parse'])('returns an object from %s that fits the schema', async (check) => {
    place.expectToSay({ text: person });
    expect(await client.check(check)).toEqual(aPerson);
  });

  test('returns a response with its output text and usage', async () => {
    place.expectToSay({ text: answer });
    expect(await client.check('response')).toEqual({ text: answer, status: 'completed', total: positive });
  });

  test('streams a response with consecutive numbers from created to completed', async () => {
    place.expectToSay({ text: answer });
    const { numbers, ...rest } = await client.check('response_stream');
    expect(rest).toEqual({ first: 'response.created', last: 'response.completed', text: answer });
    expect(numbers).toEqual(Array.from(numbers as number[], (_, index) => index));
  });

  test('returns the final response from the stream helper of responses', async () => {
    place.expectToSay({ text: answer });
    expect(await client.check('response_helper')).toEqual({ text: answer, status: 'completed' });
  });

  test('continues a response after its tool call gets a result', async () => {
    place.expectToSay({ toolCalls: [call] }, { text: 'It rains in Oslo.' });
    expect(await client.check('response_tool')).toEqual({ arguments: { city: 'Oslo' }, text: expect.stringContaining('rain') });
  });

  if (hasImages) {
    test('generates, streams and edits images', async () => {
      expect(await client.check('generate')).toEqual({ signatures: [pngSignature, pngSignature], size: '1024x1024' });
      expect(await client.check('generate_stream')).toEqual({ types: ['image_generation.partial_image', 'image_generation.completed'] });
      expect(await client.check('edit')).toMatchObject({ signatures: [pngSignature] });
    });
  }

  test.each([
    ['wrong_key', { class: 'AuthenticationError', status: 401, code: 'invalid_api_key', param: null }],
    ['bad_field', { class: 'BadRequestError', status: 400, code: 'unknown_parameter', param: 'size' }],
    ['unknown_model', { class: 'NotFoundError', status: 404, code: 'model_not_found', param: 'model' }],
    ['without_v1', { class: 'NotFoundError', status: 404, code: 'unknown_url', message: expect.stringContaining('/v1') }],
  ])('raises an error for %s with its class, code and request ID', async (check, expected) => {
    expect(await client.check(check)).toMatchObject({ ...expected, request_id: expect.stringMatching(/^req_/) });
  });
});

describe.skipIf(pythonMissing !== null)(`over a fake provider${leftOut(pythonMissing)}`, () => {
  let behind: BehindFake;
  let client: PythonClient;
  beforeAll(async () => {
    behind = await openBehindFake();
    client = new PythonClient(behind.gateway);
  });
  afterAll(async () => {
    client.close();
    await behind.close();
  });

  test('forwards files sent without a name or type byte for byte, in order, with their true content type', async () => {
    const { sent } = await client.check('edit');
    const files = (behind.fake.last.parts ?? []).filter(({ filename }) => filename !== null);
    expect(files.map(({ name, contentType }) => `${name} ${contentType}`)).toEqual([
      'image[] image/png',
      'image[] image/png',
      'mask image/png',
    ]);
    expect(files.map(({ bytes }) => bytes.toString('hex'))).toEqual(sent);
  });

  test('raises RateLimitError with retry-after for a provider’s 429', async () => {
    behind.fake.next(failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } }));
    const expected = { class: 'RateLimitError', status: 429, code: 'rate_limit_exceeded', retry_after: '7' };
    expect(await client.check('impatient_chat')).toMatchObject(expected);
  });

  test('raises, without a finish reason, when the provider breaks off a chat stream', async () => {
    behind.fake.next(stream(chatFrames(), { stopAfter: { frames: 3 }, ending: 'cut' }));
    expect(await client.check('cut_chat')).toMatchObject({ class: 'APIError', code: 'upstream_error', seen: [null, null, null] });
  });
});
