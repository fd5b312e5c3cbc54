/** Streams of vendors in every framing, at every speed: the caller reads the same events. */
import { describe, expect, test } from 'vitest';
import { stream } from '../fakes/delivery.ts';
import { longLine } from '../fakes/faults.ts';
import { frameBytes } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
import { useOpened } from '../harness/opened.ts';
import { chat, type Protocol, protocols, responses } from '../harness/protocols.ts';
import { readResponses } from '../harness/transcript.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const asked = ({ ask, streamed }: Protocol) => JSON.stringify({ ...ask, ...streamed });

const vendor = useOpened(() => openBehindVendor({ settings: { server: { heartbeatMs: 50 } } }));

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

describe.each(framings)('F15: a stream that the provider writes %s', (_title, framing) => {
  test.each(protocols)('reads it whole for $name, with every character intact', async (protocol) => {
    vendor.fake.next(stream(protocol.frames, framing));
    const answer = await vendor.post(protocol.path, asked(protocol));
    protocol.expectWhole(await answer.text());
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ outputTokens: expect.any(Number), firstEventMs: expect.any(Number) });
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

test('F11: forwards tool calls of both kinds, reasoning and refusals, with ascending output indexes', async () => {
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

test('forwards an event of 10 MB', async () => {
  vendor.fake.next(longLine(10_000_000));
  const text = await (await vendor.post(chat.path, asked(chat))).text();
  expect(text.replaceAll(': keepalive\n\n', '') === vendor.fake.last.sent.toString()).toBe(true);
});

test.each(protocols)('F17: sends heartbeats for $name while the provider is silent, and never inside an event', async (protocol) => {
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

test("F18: returns the gateway's headers and none of the provider's", async () => {
  const headers = {
    'x-request-id': 'req_vendor',
    'openai-model': 'other',
    'set-cookie': ['a=1', 'b=2'],
    server: 'vendor',
    'x-powered-by': 'vendor',
    'cache-control': 'public',
    'x-modelgate-dropped': 'nothing',
    'content-encoding': 'identity',
    connection: 'close',
  };
  for (const protocol of protocols) {
    vendor.fake.next(stream(protocol.frames, { headers }));
    const answer = await vendor.post(protocol.path, asked(protocol));
    protocol.expectWhole(await answer.text());
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
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.headers.get('cache-control')).not.toContain('public');
  }
});
