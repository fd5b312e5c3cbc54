/** The SSE parser of the client, wherever the bytes are cut. */
import { expect, test } from 'vitest';
import { readEventData } from '../../../client/sdk/src/sse.ts';
import { collect, openServer } from './server.ts';

const utf8 = new TextEncoder();

async function* pieces(bytes: Uint8Array, ...cuts: number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

const read = (text: string) => collect(readEventData(pieces(utf8.encode(text))));

const odd = [
  '\uFEFF: a comment ahead\n',
  'event: message\r\nid: 7\r\nretry: 5\r\ndata: {"a":1}\r\n\r\n',
  'data:no space\n\n',
  'data:  two spaces\r\r',
  'data: first\ndata\ndata: third\n\n',
  'data: one\r\ndata: two\r\n\r\n',
  ': only a comment\n\n',
  'event: nameless\n\n',
  'data: Grüße 🗼 \u2028 end\r\n\r',
  'database: not data\ndata: last: of: all\n\n',
  'data: cut off',
].join('');
const events = ['{"a":1}', 'no space', ' two spaces', 'first\n\nthird', 'one\ntwo', 'Grüße 🗼 \u2028 end', 'last: of: all'];

test('reads every form of line, field, and comment in the standard', async () => {
  expect(await read(odd)).toEqual(events);
});

test('F15: reads the same events wherever the bytes are cut in two', async () => {
  const bytes = utf8.encode(odd);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(await collect(readEventData(pieces(bytes, cut))), `cut at byte ${cut}`).toEqual(events);
  }
});

test('F15: reads the same events when every byte comes alone', async () => {
  const bytes = utf8.encode(odd);
  expect(await collect(readEventData(pieces(bytes, ...bytes.keys())))).toEqual(events);
});

test('returns an event immediately, even if its last byte may be half a line end', async () => {
  async function* silentAfterwards() {
    yield utf8.encode('data: now\r\r');
    await new Promise(() => {});
  }
  expect(await readEventData(silentAfterwards()).next()).toEqual({ done: false, value: 'now' });
});

/** Milliseconds of CPU for reading that many events of that many megabytes, in pieces as from a socket. */
async function workOf(events: number, megabytes: number): Promise<number> {
  const bytes = utf8.encode(`data: ${'A'.repeat(megabytes * 1024 * 1024)}\n\n`);
  const cuts = Array.from({ length: bytes.length / 16_384 }, (_, index) => index * 16_384);
  const before = process.threadCpuUsage();
  for (let left = events; left > 0; left--) {
    const [data] = await collect(readEventData(pieces(bytes, ...cuts)));
    expect(data).toHaveLength(megabytes * 1024 * 1024);
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

test('spends less than four times the CPU on one event of 8 MiB in small pieces as on eight of 1 MiB', async () => {
  const least = async (events: number, megabytes: number) =>
    Math.min(await workOf(events, megabytes), await workOf(events, megabytes), await workOf(events, megabytes));
  const [many, one] = [await least(8, 1), await least(1, 8)];
  // Reading all earlier pieces again at each piece would make it eight times as much.
  expect(one / many).toBeLessThan(4);
});

test('F15: reads the same chunks over a socket wherever the bytes are cut', async () => {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content: 'Grüße 🗼' } }],
  };
  const text = `: hello\r\n\r\ndata:${JSON.stringify(chunk).replace(',', ',\r\ndata: ')}\r\n\r\ndata: [DONE]\r\n\r\n`;
  const bytes = utf8.encode(text);
  let cut = 1;
  let arrival = Promise.withResolvers<void>();
  const { connect } = await openServer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(bytes.subarray(0, cut));
    await arrival.promise;
    response.end(bytes.subarray(cut));
  });
  // The second piece is sent when the first was read, since the system might join them.
  const watched: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const pass = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        arrival.resolve();
        controller.enqueue(piece);
      },
    });
    return new Response(response.body?.pipeThrough(pass) ?? null, response);
  };
  const client = connect({ fetch: watched });
  for (; cut < bytes.length; cut++) {
    arrival = Promise.withResolvers();
    const answer = await client.createChatCompletion({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true });
    expect(await collect(answer), `cut at byte ${cut}`).toEqual([chunk]);
  }
  expect(cut).toBe(bytes.length);
});
