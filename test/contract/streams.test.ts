/** Streams that complete: events by their schemas, frames of a vendor byte by byte, and usage. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFrames, chatUsage, fakeText } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { chat, type Protocol, protocols, responses } from '../harness/protocols.ts';
import { readChat, readResponses } from '../harness/transcript.ts';
import { type BehindVendor, bytesOf, openBehindVendor } from '../harness/vendor.ts';

const asked = ({ ask, streamed }: Protocol, more: object = {}) => JSON.stringify({ ...ask, ...streamed, ...more });

describe('over the simulator', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  });
  afterAll(() => gateway.close());

  async function transcript({ path, ask, streamed }: Protocol, more: object = {}): Promise<string> {
    const answer = await gateway.call(path, { json: { ...ask, ...streamed, ...more } });
    expect(answer.status).toBe(200);
    return answer.text();
  }

  test('streams a chat completion with text, finish reason, usage and [DONE]', async () => {
    const read = readChat(await transcript(chat));
    expect(read).toMatchObject({ text: 'hello', finishReason: 'stop', isDone: true, error: null });
    expect(read.chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(read.chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(new Set(read.chunks.map(({ id }) => id)).size).toBe(1);
  });

  test('sends no usage in any chunk of a chat stream without include_usage', async () => {
    const read = readChat(await transcript(chat, { stream_options: null }));
    expect(read).toMatchObject({ text: 'hello', isDone: true });
    expect(read.chunks.filter((chunk) => 'usage' in chunk)).toEqual([]);
  });

  test('starts a responses stream with created, and ends it with the whole response in completed', async () => {
    const { events, types, text } = readResponses(await transcript(responses));
    const last = events.at(-1);
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    if (last?.type !== 'response.completed') throw new Error('not completed');
    expect(last.response.output).toMatchObject([{ type: 'message', content: [{ text }] }]);
    expect(last.response.usage?.output_tokens).toBeGreaterThan(0);
  });

  test('F09: ends a stream cut at the limit as incomplete, with the reason', async () => {
    const events = readResponses(await transcript(responses, { input: 'write 200 words', max_output_tokens: 16 })).events;
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
    expect(readChat(await transcript(chat, { messages: [{ role: 'user', content: 'write 200 words' }], max_tokens: 5 })).finishReason).toBe(
      'length',
    );
  });

  test('streams of tool calls, reasoning, refusals and several choices fit the contract', async () => {
    const tool = { name: 'get_rain', parameters: { type: 'object', properties: { city: { type: 'string' } } } };
    const question = 'get_rain in Oslo?';
    await readChat(
      await transcript(chat, {
        tools: [{ type: 'function', function: tool }],
        tool_choice: 'required',
        messages: [{ role: 'user', content: question }],
      }),
    );
    await readChat(await transcript(chat, { n: 3, logprobs: true, top_logprobs: 2 }));
    await readChat(await transcript(chat, { messages: [{ role: 'user', content: 'please refuse' }] }));
    const called = readResponses(
      await transcript(responses, { tools: [{ type: 'function', ...tool }], tool_choice: 'required', input: question }),
    );
    expect(called.types).toContain('response.function_call_arguments.done');
    expect(readResponses(await transcript(responses, { reasoning: { effort: 'high', summary: 'auto' } })).types).toContain(
      'response.reasoning_summary_text.done',
    );
    expect(readResponses(await transcript(responses, { input: 'please refuse' })).types).toContain('response.refusal.done');
  });

  test.each(protocols)(
    'sends the content type, and headers against caching and buffering: $name',
    async ({ path, ask, streamed, expectWhole, name }) => {
      const answer = await gateway.call(path, { json: { ...ask, ...streamed } });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
      });
      const text = await answer.text();
      if (name === 'generations' || name === 'edits') expectWhole(text);
      expect(await gateway.lineOf(answer)).toMatchObject({
        end: 'completed',
        outputTokens: expect.any(Number),
        firstEventMs: expect.any(Number),
      });
    },
  );

  test.each(protocols)('responds with JSON to stream false and null: $name', async ({ path, ask }) => {
    for (const stream of [false, null]) {
      const answer = await gateway.call(path, { json: { ...ask, stream } });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      await answer.json();
    }
  });
});

describe('over a provider', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-5.4', kind: 'text' },
      { id: 'house', kind: 'text', upstreamModel: 'gpt-real' },
      { id: 'gpt-image-2', kind: 'image' },
    ];
    vendor = await openBehindVendor({ upstream: { fields: { allow: ['x'] } }, settings: { models } });
  });
  afterAll(() => vendor.close());

  test.each(protocols.filter(({ isExact }) => isExact))('forwards the frames as the provider wrote them: $name', async (protocol) => {
    vendor.fake.next(stream(protocol.frames));
    const answer = await vendor.post(protocol.path, asked(protocol));
    const bytes = await bytesOf(answer);
    expect(bytes.toString()).toBe(vendor.fake.last.sent.toString() + protocol.added);
    protocol.expectWhole(bytes.toString());
    expect(vendor.fake.last.headers.accept).toBe('text/event-stream');
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({
      end: 'completed',
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
    });
  });

  test('sends one [DONE] for a responses stream of a provider with [DONE]', async () => {
    vendor.fake.next(stream([...responses.frames, { data: '[DONE]' }]));
    const bytes = await bytesOf(await vendor.post(responses.path, asked(responses)));
    expect(bytes.equals(vendor.fake.last.sent)).toBe(true);
  });

  describe('the usage', () => {
    test.each([undefined, null, { include_usage: false }, { include_obfuscation: false }])(
      'includes it upstream and hides it from a chat caller with stream_options: %j',
      async (stream_options) => {
        const answer = await vendor.post(chat.path, JSON.stringify({ ...chat.ask, stream: true, stream_options }));
        const read = readChat(await answer.text());
        expect(vendor.fake.last.fields.stream_options).toEqual({ ...stream_options, include_usage: true });
        expect(read).toMatchObject({ text: fakeText, isDone: true });
        expect(read.chunks.filter(({ usage, choices }) => usage || choices.length === 0)).toEqual([]);
        expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 11, outputTokens: 7 });
      },
    );

    const quoted = 'a field ,"usage":null} of {"usage":null}, and so on';
    const frames = chatFrames({ text: [quoted, quoted], includeUsage: true });
    const spaced = frames.map(({ data }) =>
      typeof data === 'object' ? { raw: `data: ${JSON.stringify(data, null, 1).replaceAll('\n', ' ')}\n\n` } : { data },
    );
    test.each([
      ['compact', stream(frames)],
      ['with spaces', stream(spaced)],
      ['in pieces', stream(frames, { chunkBytes: 7 })],
    ])('leaves no null in its place, %s, and keeps the same text in the content', async (_how, script) => {
      vendor.fake.next(script);
      const answer = await vendor.post(chat.path, JSON.stringify({ ...chat.ask, stream: true }));
      const read = readChat(await answer.text());
      expect(read).toMatchObject({ text: quoted + quoted, isDone: true });
      expect(read.chunks.length).toBeGreaterThan(3);
      expect(read.chunks.filter((chunk) => 'usage' in chunk)).toEqual([]);
    });

    test('reaches a caller who requested it', async () => {
      const answer = await vendor.post(chat.path, asked(chat));
      expect(readChat(await answer.text()).chunks.at(-1)).toMatchObject({ choices: [], usage: chatUsage });
      expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    });

    test('stays hidden if the provider sends it in the last chunk with a choice', async () => {
      const frames = chatFrames({ text: 'hello', includeUsage: false });
      const last = frames.at(-2)?.data;
      if (typeof last !== 'object' || last === null) throw new Error('no last chunk');
      vendor.fake.next(stream([...frames.slice(0, -2), { data: { ...last, usage: chatUsage } }, { data: '[DONE]' }]));
      const answer = await vendor.post(chat.path, JSON.stringify({ ...chat.ask, stream: true }));
      const read = readChat(await answer.text());
      expect(read).toMatchObject({ text: 'hello', finishReason: 'stop', isDone: true });
      expect(read.chunks.some((chunk) => 'usage' in chunk)).toBe(false);
      expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    });

    test('stays missing if the provider sends none', async () => {
      vendor.fake.next(stream(chatFrames({ text: 'hello' })));
      const answer = await vendor.post(chat.path, asked(chat));
      expect(readChat(await answer.text())).toMatchObject({ text: 'hello', isDone: true });
      expect(await vendor.gateway.lineOf(answer)).not.toHaveProperty('outputTokens');
    });
  });

  test('forwards a streamed request unchanged except for stream_options and store', async () => {
    const text =
      '{ "model":"gpt-5.4","stream" : true,"messages":[{"role":"user","content":"\\ud83c\\udf0d"}],"x":{"huge":12345678901234567890} }';
    await (await vendor.post(chat.path, text)).text();
    expect(vendor.fake.last.body.toString()).toBe(`{"stream_options":{"include_usage":true},"store":false,${text.slice(1)}`);
  });

  test('renames the model in every chunk and event', async () => {
    for (const protocol of [chat, responses]) {
      const answer = await vendor.post(protocol.path, asked(protocol, { model: 'house' }));
      const text = await answer.text();
      expect(vendor.fake.last.fields.model).toBe('gpt-real');
      expect(text).not.toContain('gpt-real');
      expect(text.match(/"model":"house"/g)?.length).toBeGreaterThan(2);
    }
  });
});
