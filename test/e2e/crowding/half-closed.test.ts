/** Callers who have said all that they want to say, and close that side: whoever still reads is answered, whoever has left is not waited for (promise G6). */
import { on, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, stream } from '../../fakes/delivery.ts';
import { later, silence } from '../../fakes/faults.ts';
import { chat } from '../../harness/protocols.ts';
import { request } from '../../harness/raw.ts';
import { type BehindVendor, openBehindVendor } from '../../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor();
});
afterAll(() => vendor.close());

const streamed = { ...chat.ask, ...chat.streamed };

/** Sends the request, and FIN right behind it. */
function open(body: unknown) {
  const { origin, key } = vendor.gateway;
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  const lines = ['POST /v1/chat/completions HTTP/1.1', `authorization: Bearer ${key}`, 'content-type: application/json'];
  socket.end(request(lines, JSON.stringify(body)));
  return socket;
}

/** What is sent to a caller who has half-closed, to see whether anybody is there; a heartbeat would come only after fifteen seconds. */
const probes = /HTTP\/1\.1 100 Continue\r\n|^: keepalive$/gm;

/** All that comes; `probed` is called when the gateway has looked a few times whether the caller is there. */
async function answerTo(body: unknown, probed: () => void): Promise<string> {
  let answer = '';
  for await (const bytes of open(body).setEncoding('utf8')) {
    answer += bytes;
    if ((answer.match(probes)?.length ?? 0) >= 3) probed();
  }
  return answer;
}

/** When the gateway has seen that this side of the connection has ended. */
async function untilProbed(socket: Socket): Promise<void> {
  let heard = '';
  for await (const [bytes] of on(socket.setEncoding('utf8'), 'data')) {
    heard += bytes;
    if (heard.search(probes) >= 0) return;
  }
}

const gate = () => Promise.withResolvers<void>();

test('a whole answer that takes its time arrives', async () => {
  const { promise, resolve } = gate();
  vendor.fake.next(later(promise, json(chat.whole)));
  const answer = await answerTo(chat.ask, resolve);
  // What comes ahead of the answer is passed over by every client.
  const final = answer.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '');
  expect(final).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(JSON.parse(final.slice(final.indexOf('\r\n\r\n') + 4))).toMatchObject({ object: 'chat.completion' });
});

test('a stream arrives to its end', async () => {
  const { promise, resolve } = gate();
  vendor.fake.next(stream([...chat.frames.slice(0, 2), { until: promise }, ...chat.frames.slice(2)]));
  const answer = await answerTo(streamed, resolve);
  const events = [...answer.matchAll(/^data: .*$/gm)].map(([line]) => line);
  expect(events).toHaveLength(chat.frames.length);
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(answer.endsWith('0\r\n\r\n')).toBe(true);
});

test.each([
  ['before an answer', chat.ask, silence],
  ['in the middle of a stream', streamed, stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' })],
] as const)('G6: a caller who half-closes, and leaves later %s, is seen to have left', async (_title, body, script) => {
  const index = vendor.fake.requests.length;
  vendor.fake.next(script);
  const socket = open(body);
  const request = await vendor.fake.arrival(index);
  await untilProbed(socket);
  expect(request.closedAt).toBeNull();
  socket.destroy();
  await once(socket, 'close');
  await vendor.fake.hangUp(index);
  // By itself this vendor would never end.
  expect(request).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
});
