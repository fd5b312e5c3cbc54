/** The OpenAI SDK for JavaScript, unchanged but for base URL and key: models, chat and responses. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, places } from './places.ts';

const model = 'gpt-5.4';
const greeting = 'Say: Good morning from the gateway.';
const answer = 'Good morning from the gateway.';
const question = 'Call get_weather for Oslo.';
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const chatTool = { type: 'function' as const, function: { name: 'get_weather', parameters: city, strict: true } };
const responseTool = { type: 'function' as const, name: 'get_weather', parameters: city, strict: true };
const call = { id: 'call_oslo', name: 'get_weather', arguments: ['{"city":', '"Oslo"}'] };

describe.each(places)('over $name', ({ open, hasImages }) => {
  let place: Place;
  let client: OpenAI;
  beforeAll(async () => {
    place = await open();
    client = new OpenAI({ baseURL: place.gateway.baseURL, apiKey: place.gateway.key });
  });
  afterAll(() => place.close());

  test('lists the models that the key can call', async () => {
    const ids: string[] = [];
    for await (const { id, object } of client.models.list()) ids.push(`${object} ${id}`);
    expect(ids).toContain('model gpt-5.4');
    expect(ids.includes('model gpt-image-2')).toBe(hasImages);
    expect(ids).toHaveLength(hasImages ? 7 : 6);
  });

  test('retrieves one model, and throws NotFoundError for an unknown one', async () => {
    expect(await client.models.retrieve('gpt-5.4')).toMatchObject({ id: 'gpt-5.4', object: 'model', owned_by: expect.any(String) });
    await expect(client.models.retrieve('gpt-9')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('returns a chat completion with its text, usage, model and request ID', async () => {
    place.expectToSay({ text: answer });
    const completion = await client.chat.completions.create({ model, messages: [{ role: 'user', content: greeting }] });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ finish_reason: 'stop', message: { content: answer } }],
    });
    expect(completion.usage?.total_tokens).toBe((completion.usage?.prompt_tokens ?? 0) + (completion.usage?.completion_tokens ?? 0));
    expect(completion._request_id).toMatch(/^req_/);
  });

  test('streams a chat in pieces, with usage on request', async () => {
    place.expectToSay({ text: answer });
    const messages = [{ role: 'user' as const, content: greeting }];
    const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
    const pieces: string[] = [];
    stream.on('content', (delta) => pieces.push(delta));
    const completion = await stream.finalChatCompletion();
    expect(pieces.length).toBeGreaterThan(1);
    expect([pieces.join(''), completion.choices[0]?.message.content]).toEqual([answer, answer]);
    expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
  });

  test('joins a tool call and parses its arguments in the stream helper of chat', async () => {
    place.expectToSay({ toolCalls: [call] });
    const stream = client.chat.completions.stream({ model, messages: [{ role: 'user', content: question }], tools: [chatTool] });
    const argumentPieces: string[] = [];
    stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => argumentPieces.push(arguments_delta));
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', parsed_arguments: { city: 'Oslo' } } },
    ]);
    expect(JSON.parse(argumentPieces.join(''))).toEqual({ city: 'Oslo' });
  });

  test('returns a response with its output text and usage', async () => {
    place.expectToSay({ text: answer });
    const response = await client.responses.create({ model, input: greeting, instructions: 'Be brief.' });
    expect(response.output_text).toBe(answer);
    expect(response).toMatchObject({ object: 'response', status: 'completed', model });
    expect(response.usage?.total_tokens).toBe((response.usage?.input_tokens ?? 0) + (response.usage?.output_tokens ?? 0));
  });

  test('streams a response with consecutive numbers from created to completed', async () => {
    place.expectToSay({ text: answer });
    const stream = await client.responses.create({ model, input: greeting, stream: true });
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.at(0)?.type).toBe('response.created');
    expect(events.at(-1)?.type).toBe('response.completed');
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')).toBe(answer);
  });

  test('continues a response after function_call_output returns the result of its tool call', async () => {
    place.expectToSay({ toolCalls: [call] }, { text: 'It rains in Oslo.' });
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
    const first = await client.responses.create({ model, input, tools: [responseTool], store: false });
    const [made] = first.output.filter((item) => item.type === 'function_call');
    if (!made) throw new Error('no tool was called');
    expect(JSON.parse(made.arguments)).toEqual({ city: 'Oslo' });
    const result = { type: 'function_call_output' as const, call_id: made.call_id, output: 'rain, 7 degrees' };
    const second = await client.responses.create({
      model,
      input: [...input, made, result],
      tools: [responseTool],
      store: false,
    });
    expect(second.output_text).toMatch(/rain/);
  });
});
