/** LangChain's ChatOpenAI, over chat and over responses, unchanged but for base URL and key. */
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Place, places } from './places.ts';

const answer = 'Good morning from the gateway.';
const greeting = `Say: ${answer}`;
const question = 'Call get_weather for Oslo.';
const call = { id: 'call_oslo', name: 'get_weather', arguments: ['{"city":', '"Oslo"}'] };
const weatherTool = { name: 'get_weather', description: 'Weather of a city', schema: z.object({ city: z.string() }) };
const Person = z.object({ name: z.string(), age: z.int() });
const person = '{"name":"Ada","age":36}';

const modes = places.flatMap(({ name, open }) =>
  [false, true].map((useResponsesApi) => ({ name, open, useResponsesApi, mode: useResponsesApi ? 'responses' : 'chat' })),
);

describe.each(modes)('$mode over $name', ({ open, useResponsesApi }) => {
  let place: Place;
  let chat: ChatOpenAI;
  beforeAll(async () => {
    place = await open();
    const { baseURL, key } = place.gateway;
    chat = new ChatOpenAI({ model: 'gpt-5.4', apiKey: key, configuration: { baseURL }, useResponsesApi });
  });
  afterAll(() => place.close());

  test('invoke returns the text and the usage', async () => {
    place.expectToSay({ text: answer });
    const message = await chat.invoke(greeting);
    expect(message.text).toBe(answer);
    expect(message.usage_metadata?.total_tokens).toBeGreaterThan(0);
  });

  test('stream returns the text in pieces', async () => {
    place.expectToSay({ text: answer });
    const pieces: string[] = [];
    for await (const piece of await chat.stream(greeting)) pieces.push(piece.text);
    expect(pieces.filter(Boolean).length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(answer);
  });

  test('a tool is called, its result is sent back, and the answer follows', async () => {
    place.expectToSay({ toolCalls: [call] }, { text: 'It rains in Oslo.' });
    const bound = chat.bindTools([weatherTool]);
    const asked = new HumanMessage(question);
    const first = await bound.invoke([asked]);
    const [made] = first.tool_calls ?? [];
    expect(made).toMatchObject({ name: 'get_weather', args: { city: 'Oslo' } });
    const result = new ToolMessage({ content: 'rain, 7 degrees', tool_call_id: made?.id ?? '' });
    const second = await bound.invoke([asked, first, result]);
    expect(second.text).toMatch(/rain/);
  });

  test('withStructuredOutput returns an object that fits the schema', async () => {
    place.expectToSay({ text: person });
    const object = await chat.withStructuredOutput(Person, { method: 'jsonSchema', name: 'person' }).invoke('Describe a person.');
    expect(Person.parse(object)).toEqual(object);
  });
});
