/** Callers who have said all that they want to say, and close that side: whoever still reads is answered, whoever has left is not waited for (promise G6). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
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

async function answerTo(body: unknown): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const bytes of open(body)) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}

test('a whole answer that takes its time arrives', async () => {
  vendor.fake.next(later(500, json(chat.whole)));
  const answer = await answerTo(chat.ask);
  // What comes ahead of the answer is passed over by every client.
  const final = answer.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '');
  expect(final).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(JSON.parse(final.slice(final.indexOf('\r\n\r\n') + 4))).toMatchObject({ object: 'chat.completion' });
});

test('a stream arrives to its end', async () => {
  vendor.fake.next(stream(chat.frames, { gapMs: 60 }));
  const answer = await answerTo(streamed);
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
  socket.resume();
  await vendor.fake.arrival(index);
  await pause(50);
  socket.destroy();
  await once(socket, 'close');
  const at = performance.now();
  expect((await vendor.fake.hangUp(index)) - at).toBeLessThan(1_000);
});
