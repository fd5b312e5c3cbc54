import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSimulator } from '../../../server/simulator/simulator.ts';
import type { Operation } from '../../../server/upstreams/upstream.ts';
import { citySchema, createRequest } from './ask.ts';

const operations = new Map<string | undefined, Operation>([
  ['/v1/chat/completions', 'createChatCompletion'],
  ['/v1/responses', 'createResponse'],
  ['/v1/images/generations', 'generateImages'],
]);

let server: Server;
let client: OpenAI;

beforeAll(async () => {
  const simulator = openSimulator({ eventDelayMs: 0 });
  server = createServer(async (request, reply) => {
    const operation = operations.get(request.url);
    if (!operation) throw new Error(`no operation at ${request.url}`);
    const value = JSON.parse(await text(request));
    const answer = await simulator.send(createRequest(operation, value, value.stream === true));
    reply.writeHead(answer.status, answer.headers);
    // An answer that is cut closes its connection.
    await pipeline(answer.body, reply).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  client = new OpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${address.port}/v1`, maxRetries: 0 });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo and Paris?' }];
const tools = [{ type: 'function' as const, function: { name: 'get_weather', strict: true, parameters: citySchema } }];
const model = 'gpt-5.4';

describe('the OpenAI SDK', () => {
  it('collects a chat stream with strict tools into the whole completion', async () => {
    const final = await client.chat.completions
      .stream({ model, messages, tools, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const calls = final.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && call.function.parsed_arguments)).toEqual([
      { city: 'Oslo', unit: 'celsius' },
      { city: 'Paris', unit: 'celsius' },
    ]);
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    expect(final.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('collects text, choices, custom tools, refusals and log probabilities of a chat stream', async () => {
    const say = (content: string) => [{ role: 'user' as const, content }];
    const two = await client.chat.completions.stream({ model, messages: say('count to 20'), n: 2, logprobs: true }).finalChatCompletion();
    expect(two.choices.map(({ message }) => message.content)).toHaveLength(2);
    expect(two.choices[0]?.message.content).toMatch(/^1, 2, .*20$/);
    expect(two.choices[1]?.logprobs?.content).toHaveLength(20);
    const custom = await client.chat.completions
      .stream({ model, messages: say('Rain'), tools: [{ type: 'custom', custom: { name: 'poem' } }], tool_choice: 'required' })
      .finalChatCompletion();
    expect(custom.choices[0]?.message.tool_calls).toMatchObject([{ type: 'custom', custom: { name: 'poem', input: 'Rain' } }]);
    const refused = await client.chat.completions.stream({ model, messages: say('please refuse') }).finalChatCompletion();
    expect(refused.choices[0]?.message).toMatchObject({ content: null, refusal: expect.stringContaining('I refuse') });
  });

  it('runs its tool loop to the end', async () => {
    const asked: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model,
      messages,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            parse: JSON.parse,
            parameters: citySchema,
            function: (value: object) => {
              asked.push(value);
              return '3 °C';
            },
            description: '',
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain('The tool get_weather answered: “3 °C”');
    expect(asked).toHaveLength(2);
  });

  it('parses structured output of both kinds', async () => {
    const schema = { name: 'city', strict: true, schema: citySchema };
    const chat = await client.chat.completions.parse({ model, messages, response_format: { type: 'json_schema', json_schema: schema } });
    expect(chat.choices[0]?.message.parsed).toEqual({ city: 'Oslo', unit: 'celsius' });
    const response = await client.responses.parse({ model, input: 'Oslo or Rome?', text: { format: { type: 'json_schema', ...schema } } });
    expect(response.output_parsed).toMatchObject({ unit: 'celsius' });
  });

  it.each([
    { what: 'text', body: { input: 'Why is the sky blue?' } },
    {
      what: 'reasoning',
      body: {
        input: 'Why?',
        reasoning: { effort: 'high' as const, summary: 'auto' as const },
        include: ['reasoning.encrypted_content' as const],
      },
    },
    {
      what: 'function calls',
      body: {
        input: 'weather in Oslo and Rome',
        tools: [{ type: 'function' as const, name: 'get_weather', parameters: citySchema, strict: true }],
      },
    },
    {
      what: 'a custom call',
      body: { input: 'Rain', tools: [{ type: 'custom' as const, name: 'poem' }], tool_choice: 'required' as const },
    },
    { what: 'a refusal', body: { input: 'please refuse' } },
    { what: 'a cut answer', body: { input: 'count to 99', max_output_tokens: 20 } },
    { what: 'log probabilities', body: { input: 'count to 9', include: ['message.output_text.logprobs' as const], top_logprobs: 2 } },
  ])('collects a stream of $what into the whole response', async ({ body }) => {
    const whole = await client.responses.create({ model, ...body });
    const final = await client.responses.stream({ model, ...body }).finalResponse();
    expect(final.status).toBe(whole.status);
    expect(final.output_text).toBe(whole.output_text);
    expect(final.output.map(({ type }) => type)).toEqual(whole.output.map(({ type }) => type));
    expect(final.usage).toEqual(whole.usage);
  });

  it('reads an image and its stream', async () => {
    const body = { model: 'gpt-image-2', prompt: 'A cat', size: '64x64' as const };
    const whole = await client.images.generate(body);
    const types: string[] = [];
    for await (const event of await client.images.generate({ ...body, stream: true, partial_images: 2 })) {
      types.push(event.type);
      if (event.type === 'image_generation.completed') expect(event.b64_json).toBe(whole.data?.[0]?.b64_json);
    }
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.partial_image', 'image_generation.completed']);
  });

  it('throws its error classes', async () => {
    await expect(client.responses.create({ model, input: 'simulate: error 429' })).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(client.images.generate({ model, prompt: 'x', output_format: 'webp' })).rejects.toMatchObject({
      status: 400,
      param: 'output_format',
    });
    await expect(client.responses.stream({ model, input: 'simulate: cut' }).finalResponse()).rejects.toThrow();
  });
});
