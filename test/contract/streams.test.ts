/** Streams that go well: every event by its schema, a vendor's frames byte by byte, heartbeats in its silence (specification part 6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFrames, chatUsage, fakeText } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { longLine } from '../fakes/faults.ts';
import { frameBytes } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
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

  test('a caller of chat reads the text piece by piece, the reason of its end, what was used, and [DONE]', async () => {
    const read = readChat(await transcript(chat));
    expect(read).toMatchObject({ text: 'hello', finishReason: 'stop', isDone: true, error: null });
    expect(read.chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(read.chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(new Set(read.chunks.map(({ id }) => id)).size).toBe(1);
  });

  test('a caller of responses reads created first, completed last, and the whole response in it', async () => {
    const { events, types, text } = readResponses(await transcript(responses));
    const last = events.at(-1);
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    if (last?.type !== 'response.completed') throw new Error('not completed');
    expect(last.response.output).toMatchObject([{ type: 'message', content: [{ text }] }]);
    expect(last.response.usage?.output_tokens).toBeGreaterThan(0);
  });

  test('F09: a stream that reaches its limit ends as incomplete, with the reason', async () => {
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

  test('tools, reasoning, refusals and several answers keep the contract', async () => {
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
    '$name: a stream is named as one, and no proxy may keep or gather it',
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

  test.each(protocols)('$name: stream: false and stream: null are answered whole', async ({ path, ask }) => {
    for (const stream of [false, null]) {
      const answer = await gateway.call(path, { json: { ...ask, stream } });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      await answer.json();
    }
  });
});

describe('over a vendor', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-5.4', kind: 'text' },
      { id: 'house', kind: 'text', upstreamModel: 'gpt-real' },
      { id: 'gpt-image-2', kind: 'image' },
    ];
    vendor = await openBehindVendor({ settings: { models, server: { heartbeatMs: 50 } } });
  });
  afterAll(() => vendor.close());

  test.each(protocols)('$name: the frames come back as the vendor wrote them', async (protocol) => {
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

  test('a vendor that ends a responses stream with [DONE] does not make two of them', async () => {
    vendor.fake.next(stream([...responses.frames, { data: '[DONE]' }]));
    const bytes = await bytesOf(await vendor.post(responses.path, asked(responses)));
    expect(bytes.equals(vendor.fake.last.sent)).toBe(true);
  });

  const framings = [
    ['with CRLF', { lineEnd: '\r\n' }],
    ['without a space behind the colon', { space: false }],
    ['with CRLF and without a space', { lineEnd: '\r\n', space: false }],
    ['byte by byte', { chunkBytes: 1 }],
    ['byte by byte with CRLF', { chunkBytes: 1, lineEnd: '\r\n' }],
    ['three bytes at a time', { chunkBytes: 3 }],
    ['seven bytes at a time', { chunkBytes: 7, space: false }],
    ['all at once', { chunkBytes: 1_000_000 }],
  ] as const;

  describe.each(framings)('F15: a vendor that writes %s', (_title, framing) => {
    test.each(protocols)('$name: is understood, no letter is spoilt', async (protocol) => {
      vendor.fake.next(stream(protocol.frames, framing));
      const answer = await vendor.post(protocol.path, asked(protocol));
      protocol.expectWhole(await answer.text());
      expect(await vendor.gateway.lineOf(answer)).toMatchObject({ outputTokens: expect.any(Number) });
    });
  });

  test('what a vendor says between the events passes or is left out, and harms nobody', async () => {
    const [first, ...rest] = chat.frames;
    const odd = [
      { comment: ' vendor is thinking' },
      first ?? {},
      { raw: 'id: 7\nretry: 100\n\n' },
      { raw: '\n\n\n' },
      { raw: 'data:\n\n' },
      ...rest,
    ];
    vendor.fake.next(stream(odd));
    chat.expectWhole(await (await vendor.post(chat.path, asked(chat))).text());
  });

  describe('what was used', () => {
    test.each([undefined, null, { include_usage: false }, { include_obfuscation: false }])(
      'is asked of the vendor and hidden from a caller of chat who sent stream_options: %j',
      async (stream_options) => {
        const answer = await vendor.post(chat.path, JSON.stringify({ ...chat.ask, stream: true, stream_options }));
        const read = readChat(await answer.text());
        expect(vendor.fake.last.fields.stream_options).toEqual({ ...stream_options, include_usage: true });
        expect(read).toMatchObject({ text: fakeText, isDone: true });
        expect(read.chunks.filter(({ usage, choices }) => usage || choices.length === 0)).toEqual([]);
        expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 11, outputTokens: 7 });
      },
    );

    test('is shown to a caller who asked, as the vendor wrote it', async () => {
      const answer = await vendor.post(chat.path, asked(chat));
      expect(readChat(await answer.text()).chunks.at(-1)).toMatchObject({ choices: [], usage: chatUsage });
      expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    });

    test('is hidden also where a vendor tells it with the last words', async () => {
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

    test('is missing where a vendor never says it, and nothing else is', async () => {
      vendor.fake.next(stream(chatFrames({ text: 'hello' })));
      const answer = await vendor.post(chat.path, asked(chat));
      expect(readChat(await answer.text())).toMatchObject({ text: 'hello', isDone: true });
      expect(await vendor.gateway.lineOf(answer)).not.toHaveProperty('outputTokens');
    });
  });

  test('a request that is streamed arrives as it was written, beside the one field that asks for the usage', async () => {
    const text =
      '{ "model":"gpt-5.4","stream" : true,"messages":[{"role":"user","content":"\\ud83c\\udf0d"}],"x":{"huge":12345678901234567890} }';
    await (await vendor.post(chat.path, text)).text();
    expect(vendor.fake.last.body.toString()).toBe(`{"stream_options":{"include_usage":true},${text.slice(1)}`);
  });

  test('a model of another name there is renamed in every chunk and event', async () => {
    for (const protocol of [chat, responses]) {
      const answer = await vendor.post(protocol.path, asked(protocol, { model: 'house' }));
      const text = await answer.text();
      expect(vendor.fake.last.fields.model).toBe('gpt-real');
      expect(text).not.toContain('gpt-real');
      expect(text.match(/"model":"house"/g)?.length).toBeGreaterThan(2);
    }
  });

  test('F11: calls of both kinds, reasoning and refusals pass with their numbers, none missing and none twice', async () => {
    const toolCalls = [
      { id: 'c1', name: 'f', arguments: ['{"a"', ':1}'] },
      { id: 'c2', name: 'apply_patch', arguments: ['*** Begin', ' Patch'], custom: true },
    ];
    vendor.fake.next(stream(responseFrames({ reasoning: ['thinking ', 'hard'], text: 'so', refusal: 'No.', toolCalls })));
    const { types, events } = readResponses(await (await vendor.post(responses.path, asked(responses))).text());
    expect(types).toEqual(
      expect.arrayContaining(['response.custom_tool_call_input.done', 'response.refusal.done', 'response.reasoning_summary_text.done']),
    );
    const added = events.flatMap((event) => (event.type === 'response.output_item.added' ? [event.output_index] : []));
    expect(added).toEqual(added.map((_, index) => index));
  });

  test('F06: parallel calls keep their indexes, and their arguments come together byte by byte', async () => {
    const parts = [['{"city":"Grü', 'ße ☕"}'], ['{"city"', ':', '"Oslo"}'], ['{}']];
    const toolCalls = parts.map((pieces, index) => ({ id: `call_${index}`, name: 'get_rain', arguments: pieces }));
    for (const chunkBytes of [1, 5, 1_000_000]) {
      vendor.fake.next(stream(chatFrames({ toolCalls, includeUsage: true }), { chunkBytes }));
      const { chunks, finishReason } = readChat(await (await vendor.post(chat.path, asked(chat))).text());
      const deltas = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
      const joined = parts.map((_, at) =>
        deltas.map(({ index, function: call }) => (index === at ? (call?.arguments ?? '') : '')).join(''),
      );
      expect(joined).toEqual(parts.map((pieces) => pieces.join('')));
      expect(deltas.filter(({ id }) => id).map(({ index, id }) => `${id} at ${index}`)).toEqual([
        'call_0 at 0',
        'call_1 at 1',
        'call_2 at 2',
      ]);
      expect(finishReason).toBe('tool_calls');
    }
  });

  test('F05: one id goes through the whole stream', async () => {
    const { events } = readResponses(await (await vendor.post(responses.path, asked(responses))).text());
    const ids = events.flatMap((event) =>
      'response' in event && typeof event.response === 'object' && event.response ? [Reflect.get(event.response, 'id')] : [],
    );
    expect(ids).toEqual(['resp_fake', 'resp_fake', 'resp_fake']);
    const { chunks } = readChat(await (await vendor.post(chat.path, asked(chat))).text());
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-fake']));
  });

  test('an event of 10 MB passes', async () => {
    vendor.fake.next(longLine(10_000_000));
    const text = await (await vendor.post(chat.path, asked(chat))).text();
    expect(text.replaceAll(': keepalive\n\n', '') === vendor.fake.last.sent.toString()).toBe(true);
  });

  test.each(protocols)('F17: $name: in the vendor’s silence comes a comment now and then, and never inside an event', async (protocol) => {
    const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
    const [first = {}, second = {}, third = {}, ...rest] = protocol.frames;
    const cut = frameBytes(third);
    const halves = [{ raw: cut.subarray(0, 20) }, { until: silence }, { raw: cut.subarray(20) }];
    vendor.fake.next(stream([first, second, ...halves, ...rest]));
    const answer = await vendor.post(protocol.path, asked(protocol));
    let text = '';
    // `opening`: what is held back is not shown, so there is nothing to keep alive yet.
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      if ((text.match(/^: keepalive$/gm) ?? []).length >= 3) speak();
    }
    expect(text.replaceAll(': keepalive\n\n', '')).toBe(vendor.fake.last.sent.toString() + protocol.added);
    protocol.expectWhole(text);
  });

  test('F18: nothing of the vendor’s headers gets into the answer', async () => {
    for (const protocol of protocols) {
      const answer = await vendor.post(protocol.path, asked(protocol));
      await answer.arrayBuffer();
      const names = [
        'cache-control',
        'connection',
        'content-type',
        'date',
        'keep-alive',
        'transfer-encoding',
        'x-accel-buffering',
        'x-request-id',
      ];
      expect([...answer.headers.keys()].sort()).toEqual(names);
    }
  });
});
