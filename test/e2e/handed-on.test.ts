/** Streams of vendors in every framing, at every speed: the caller reads the same events. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { longLine } from '../fakes/faults.ts';
import { frameBytes } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
import { chat, type Protocol, protocols, responses } from '../harness/protocols.ts';
import { readChat, readResponses } from '../harness/transcript.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

const asked = ({ ask, streamed }: Protocol) => JSON.stringify({ ...ask, ...streamed });

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor({ settings: { server: { heartbeatMs: 50 } } });
});
afterAll(() => vendor.close());

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

describe.each(framings)('F15: a stream that the vendor writes %s', (_title, framing) => {
  test.each(protocols)('$name: is read whole, and no character is damaged', async (protocol) => {
    vendor.fake.next(stream(protocol.frames, framing));
    const answer = await vendor.post(protocol.path, asked(protocol));
    protocol.expectWhole(await answer.text());
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ outputTokens: expect.any(Number) });
  });
});

test('comments, ids, empty lines and empty data between the events do not break a stream', async () => {
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

test('F11: tool calls of both kinds, reasoning and refusals are forwarded, and their output indexes count up', async () => {
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

test('F06: parallel tool calls keep their indexes and arguments, in chunks of any size', async () => {
  const parts = [['{"city":"Grü', 'ße ☕"}'], ['{"city"', ':', '"Oslo"}'], ['{}']];
  const toolCalls = parts.map((pieces, index) => ({ id: `call_${index}`, name: 'get_rain', arguments: pieces }));
  for (const chunkBytes of [1, 5, 1_000_000]) {
    vendor.fake.next(stream(chatFrames({ toolCalls, includeUsage: true }), { chunkBytes }));
    const { chunks, finishReason } = readChat(await (await vendor.post(chat.path, asked(chat))).text());
    const deltas = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    const joined = parts.map((_, at) => deltas.map(({ index, function: call }) => (index === at ? (call?.arguments ?? '') : '')).join(''));
    expect(joined).toEqual(parts.map((pieces) => pieces.join('')));
    expect(deltas.filter(({ id }) => id).map(({ index, id }) => `${id} at ${index}`)).toEqual([
      'call_0 at 0',
      'call_1 at 1',
      'call_2 at 2',
    ]);
    expect(finishReason).toBe('tool_calls');
  }
});

test('F05: each event of a stream has the same id', async () => {
  const { events } = readResponses(await (await vendor.post(responses.path, asked(responses))).text());
  const ids = events.flatMap((event) =>
    'response' in event && typeof event.response === 'object' && event.response ? [Reflect.get(event.response, 'id')] : [],
  );
  expect(ids).toEqual(['resp_fake', 'resp_fake', 'resp_fake']);
  const { chunks } = readChat(await (await vendor.post(chat.path, asked(chat))).text());
  expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-fake']));
});

test('an event of 10 MB is forwarded', async () => {
  vendor.fake.next(longLine(10_000_000));
  const text = await (await vendor.post(chat.path, asked(chat))).text();
  expect(text.replaceAll(': keepalive\n\n', '') === vendor.fake.last.sent.toString()).toBe(true);
});

test.each(protocols)('F17: $name: while the vendor is silent heartbeats are sent, and never inside an event', async (protocol) => {
  const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
  const at = Math.max(2, protocol.opening + 1);
  const cut = frameBytes(protocol.frames[at] ?? {});
  const halves = [{ raw: cut.subarray(0, 20) }, { until: silence }, { raw: cut.subarray(20) }];
  vendor.fake.next(stream([...protocol.frames.slice(0, at), ...halves, ...protocol.frames.slice(at + 1)]));
  const answer = await vendor.post(protocol.path, asked(protocol));
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if ((text.match(/^: keepalive$/gm) ?? []).length >= 3) speak();
  }
  const events = text.replaceAll(': keepalive\n\n', '');
  if (protocol.isExact) expect(events).toBe(vendor.fake.last.sent.toString() + protocol.added);
  protocol.expectWhole(events);
});

test('F18: the answer has the headers of the gateway and none of the vendor', async () => {
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
      'x-modelgate-attempts',
      'x-request-id',
    ];
    expect([...answer.headers.keys()].sort()).toEqual(names);
  }
});
