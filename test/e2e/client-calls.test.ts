/** What the typed client does beyond sending a request, against a whole gateway. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  chatText,
  createParsedCompletion,
  createParsedResponse,
  type EventStream,
  finalCompletion,
  jsonSchemaOf,
  Modelgate,
  ModelgateError,
  type ModelResponse,
  outputText,
  parse,
  runTools,
  tool,
} from '../../client/sdk/src/index.ts';
import { ChatCompletion } from '../../contract/chat/completion.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';

const model = 'gpt-5.4';
const user = { role: 'user', content: 'Say hello in five languages.' } as const;
const City = z.object({ city: z.string(), people: z.number() });

let gateway: TestGateway;
let client: Modelgate;
beforeAll(async () => {
  gateway = await startGateway();
  client = new Modelgate({ baseURL: gateway.baseURL, apiKey: gateway.key });
});
afterAll(() => gateway.close());

/** A client whose first answer is lost after the gateway has sent all of it. */
function unlucky(baseURL: string, apiKey: string): Modelgate {
  let count = 0;
  return new Modelgate({
    baseURL,
    apiKey,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (count++ > 0) return answer;
      await answer.arrayBuffer();
      throw new TypeError('the connection was lost');
    },
  });
}

test('returns the request ID from withResponse, and its receipt from getUsage', async () => {
  const { data, requestId, response } = await client.createResponse({ model, input: 'Say hello.' }).withResponse();
  expect(outputText(data)).toMatch(/\w/);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await client.getUsage(String(requestId))).toMatchObject({ request_id: requestId, operation: 'createResponse' });
});

async function eventsOf<One>(events: EventStream<One>): Promise<One[]> {
  const all: One[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('returns the text of the deltas from finalResponse, and stores the same response', async () => {
  const events = await client.createResponse({ model, input: 'Count to 5', stream: true });
  const deltas = (await eventsOf(events)).flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
  const final: ModelResponse = await events.finalResponse();
  expect(outputText(final)).toBe(deltas.join(''));
  expect(await client.getResponse(final.id)).toEqual(final);
});

test.each([
  ['text', {}],
  ['two choices with their log probabilities', { n: 2, logprobs: true, top_logprobs: 2 }],
  [
    'calls',
    {
      tools: [tool({ name: 'find_city', schema: City, run: String }).definition].map(({ type: _, ...f }) => ({
        type: 'function' as const,
        function: f,
      })),
    },
  ],
])('returns from finalCompletion of a chat stream what the call returns without a stream: %s', async (_what, more) => {
  const request = { model, messages: [{ role: 'user', content: 'Find the city of Oslo with find_city.' }], ...more } as const;
  const whole = await client.createChatCompletion({ ...request, messages: [...request.messages] });
  const chunks = await client.createChatCompletion({
    ...request,
    messages: [...request.messages],
    stream: true,
    stream_options: { include_usage: true },
  });
  const streamed = await finalCompletion(chunks);
  expect(ChatCompletion.safeParse(streamed).error).toBeUndefined();
  // Each answer has its own id and time, and chunks have no annotations.
  const others = ['id', 'created', 'annotations'];
  const comparable = (value: unknown) => JSON.parse(JSON.stringify(value, (key, inner) => (others.includes(key) ? undefined : inner)));
  expect(comparable(streamed)).toEqual(comparable(whole));
});

test('returns a value that fits the schema from parse, for a response and a completion', async () => {
  const format = { type: 'json_schema', name: 'city', strict: true, schema: jsonSchemaOf(City) } as const;
  const { city, people } = await parse(await client.createResponse({ model, input: 'Name a city.', text: { format } }), City);
  expect([typeof city, typeof people]).toEqual(['string', 'number']);
  const { name, schema, strict } = format;
  const response_format = { type: 'json_schema', json_schema: { name, schema, strict } } as const;
  const completion = await client.createChatCompletion({ model, messages: [user], response_format });
  expect(Object.keys(await parse(completion, City))).toEqual(['city', 'people']);
});

test('runs the tool that the model calls with runTools, and returns the last response', async () => {
  const asked: string[] = [];
  const weather = tool({
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    schema: z.object({ city: z.string() }),
    run: ({ city }) => {
      asked.push(city);
      return 'rain, 7 degrees';
    },
  });
  const response = await runTools(client, { model, input: 'Call get_weather for Oslo.', store: false }, { tools: [weather] });
  expect(asked).toEqual(['Oslo']);
  expect(outputText(response)).toContain('rain, 7 degrees');
});

test('throws from runTools when the model still calls a tool after maxRounds', async () => {
  const ping = tool({ name: 'ping', schema: z.object({}), run: () => 'pong' });
  await expect(runTools(client, { model, input: 'Call ping.' }, { tools: [ping], maxRounds: 1 })).rejects.toThrow(ModelgateError);
});

test('returns a value that fits the schema, with its response, from createParsedResponse and createParsedCompletion', async () => {
  const answered = await createParsedResponse(client, { model, input: 'Name a city.', text: { verbosity: 'low' } }, City, { name: 'city' });
  const { city, people }: { city: string; people: number } = answered.parsed;
  expect([typeof city, typeof people]).toEqual(['string', 'number']);
  expect(JSON.parse(outputText(answered.response))).toEqual({ city, people });
  expect(answered.response.text).toMatchObject({ format: { type: 'json_schema', name: 'city', strict: true }, verbosity: 'low' });
  const completed = await createParsedCompletion(client, { model, messages: [user] }, City);
  expect(JSON.parse(chatText(completed.response))).toEqual(completed.parsed);
});

test('reads all pages in order with listInputItems', async () => {
  const input = ['a', 'b', 'c', 'd', 'e'].map((content) => ({ type: 'message' as const, role: 'user' as const, content }));
  const { id } = await client.createResponse({ model, input });
  const all = await client.listInputItems(id, { limit: 100 });
  const read: string[] = [];
  for await (const item of client.listInputItems(id, { limit: 2 })) read.push(item.id);
  expect(read).toHaveLength(5);
  expect(read).toEqual(all.data.map((item) => item.id));
});

test('lists the models with getCatalog', async () => {
  const { data } = await client.getCatalog();
  expect(data.map((entry) => entry.id)).toContain(model);
});

test('replays a lost response on the retry, with one upstream request and one charge', async () => {
  const fake: Fake = await openFake();
  const paid = await startGateway({ ...behind(fake.url), models: [{ id: model, kind: 'text' }] });
  try {
    fake.next(json(chatCompletion()));
    const call = unlucky(paid.baseURL, paid.key).createChatCompletion({ model, messages: [user] });
    const { data, response } = await call.withResponse();
    expect(data.choices[0]?.message.content).toMatch(/\w/);
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(fake.requests).toHaveLength(1);
    const { data: charges } = await new Modelgate({ baseURL: paid.baseURL, apiKey: paid.key }).listUsage();
    expect(charges.map(({ state }) => state)).toEqual(['posted']);
  } finally {
    await paid.close();
    await fake.close();
  }
});

test('calls the upstream twice when a retry has no idempotency key', async () => {
  const fake: Fake = await openFake();
  const paid = await startGateway({ ...behind(fake.url), models: [{ id: model, kind: 'text' }] });
  try {
    fake.next(json(chatCompletion()));
    fake.next(json(chatCompletion()));
    await unlucky(paid.baseURL, paid.key).createChatCompletion({ model, messages: [user] }, { idempotencyKey: null });
    expect(fake.requests).toHaveLength(2);
  } finally {
    await paid.close();
    await fake.close();
  }
});
