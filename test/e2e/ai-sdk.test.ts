/** The AI SDK with its OpenAI provider, in both of its modes, unchanged but for base URL and key. */
import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { APICallError, generateImage, generateObject, generateText, isStepCount, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { imagePlaces, type Place, places } from './places.ts';

const answer = 'Good morning from the gateway.';
const greeting = `Say: ${answer}`;
const question = 'Call get_weather for Oslo.';
const call = { id: 'call_oslo', name: 'get_weather', arguments: ['{"city":', '"Oslo"}'] };
const Person = z.object({ name: z.string(), age: z.int() });
const person = '{"name":"Ada","age":36}';

const modes = places.flatMap(({ name, open }) => (['chat', 'responses'] as const).map((mode) => ({ name, open, mode })));

describe.each(modes)('$mode over $name', ({ open, mode }) => {
  let place: Place;
  let openai: OpenAIProvider;
  const model = (id = 'gpt-5.4') => openai[mode](id);
  beforeAll(async () => {
    place = await open();
    openai = createOpenAI({ baseURL: place.gateway.baseURL, apiKey: place.gateway.key });
  });
  afterAll(() => place.close());

  test('generateText returns the text and the usage', async () => {
    place.expectToSay({ text: answer });
    const { text, usage, finishReason } = await generateText({ model: model(), system: 'Be brief.', prompt: greeting });
    expect({ text, finishReason }).toEqual({ text: answer, finishReason: 'stop' });
    expect(usage.totalTokens).toBeGreaterThan(0);
  });

  test('streamText returns the text in pieces and the usage at the end', async () => {
    place.expectToSay({ text: answer });
    const result = streamText({ model: model(), prompt: greeting });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(answer);
    expect(await result.finishReason).toBe('stop');
    expect((await result.usage).totalTokens).toBeGreaterThan(0);
  });

  const readWeather = (asked: unknown[]) =>
    tool({
      description: 'Weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async (input) => {
        asked.push(input);
        return 'rain, 7 degrees';
      },
    });

  test('a tool loop of two steps calls the tool and then answers', async () => {
    place.expectToSay({ toolCalls: [call] }, { text: 'It rains in Oslo.' });
    const asked: unknown[] = [];
    const tools = { get_weather: readWeather(asked) };
    const { text, steps } = await generateText({ model: model(), prompt: question, tools, stopWhen: isStepCount(2) });
    expect(asked).toEqual([{ city: 'Oslo' }]);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(text).toMatch(/rain/);
  });

  test('a streamed tool loop of two steps calls the tool and then answers', async () => {
    place.expectToSay({ toolCalls: [call] }, { text: 'It rains in Oslo.' });
    const asked: unknown[] = [];
    const tools = { get_weather: readWeather(asked) };
    const result = streamText({ model: model(), prompt: question, tools, stopWhen: isStepCount(2) });
    expect(await result.text).toMatch(/rain/);
    expect(asked).toEqual([{ city: 'Oslo' }]);
  });

  test('generateObject returns an object that fits the schema', async () => {
    place.expectToSay({ text: person });
    const { object } = await generateObject({ model: model(), schema: Person, prompt: 'Describe a person.' });
    expect(Person.parse(object)).toEqual(object);
  });

  test('streamText with a schema ends with an object that fits it', async () => {
    place.expectToSay({ text: person });
    const result = streamText({ model: model(), output: Output.object({ schema: Person }), prompt: 'Describe a person.' });
    const object = await result.output;
    expect(Person.parse(object)).toEqual(object);
  });

  test('an error is an APICallError with the status and the message of the gateway', async () => {
    const failed = generateText({ model: model('gpt-0'), prompt: greeting });
    await expect(failed).rejects.toBeInstanceOf(APICallError);
    await expect(failed).rejects.toMatchObject({ statusCode: 404, isRetryable: false, message: expect.stringContaining('gpt-0') });
  });
});

test.each(imagePlaces)('generateImage returns a PNG over $name', async ({ open }) => {
  const place = await open();
  try {
    const openai = createOpenAI({ baseURL: place.gateway.baseURL, apiKey: place.gateway.key });
    const { image } = await generateImage({ model: openai.image('gpt-image-2'), prompt: 'A lighthouse in the fog', size: '1024x1024' });
    expect(image.mediaType).toBe('image/png');
  } finally {
    await place.close();
  }
});
