/** Callers who do not read what they asked for: they cost little memory, and not for ever (promises G6 and G7). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { firehose } from '../fakes/faults.ts';
import { chat } from '../harness/protocols.ts';
import { request } from '../harness/raw.ts';
import { tried } from '../harness/tally.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor({ settings: { server: { writeStallMs: 500, heartbeatMs: 50 } } });
});
afterAll(() => vendor.close());

const streamed = { ...chat.ask, ...chat.streamed };
const [, frame = { data: {} }] = chat.frames;

/** A caller who asks and then reads nothing. */
async function ask(body: unknown): Promise<Socket> {
  const { origin, key } = vendor.gateway;
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  const lines = ['POST /v1/chat/completions HTTP/1.1', `authorization: Bearer ${key}`, 'content-type: application/json'];
  socket.write(request(lines, JSON.stringify(body)));
  return socket;
}

const gone = () => vendor.gateway.lines.filter(({ end, route }) => end === 'client_gone' && route === `/v1${chat.path}`);

test('G7: twenty callers who read nothing of endless streams are cut, their vendors too; each is settled, and memory stays', async () => {
  const before = process.memoryUsage();
  const first = vendor.fake.requests.length;
  vendor.fake.next(firehose(frame, 20_000_000), { times: 20 });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => ask(streamed)));
  await Promise.all(sockets.map((_, index) => vendor.fake.arrival(first + index)));
  let most = 0;
  const watch = setInterval(() => {
    const { external, heapUsed } = process.memoryUsage();
    most = Math.max(most, external + heapUsed - before.external - before.heapUsed);
  }, 50);
  await Promise.all(sockets.map((_, index) => vendor.fake.hangUp(first + index, 40_000)));
  clearInterval(watch);
  await expect.poll(() => gone().length, { timeout: 5_000 }).toBe(20);
  expect(most).toBeLessThan(200 * 1_048_576);
  expect(vendor.gateway.gateway.streams.size).toBe(0);
  expect(vendor.gateway.gateway.money?.open.size).toBe(0);
  for (const socket of sockets) socket.destroy();
  tried('G7', { what: 'readers who stop in an endless stream', times: sockets.length });
}, 20_000);

test('G7: a caller who does not read a whole answer is cut, too', async () => {
  vendor.fake.next(json(chatCompletion({ text: 'x'.repeat(30_000_000) })));
  const socket = await ask(chat.ask);
  await expect.poll(() => gone().length, { timeout: 5_000 }).toBe(21);
  socket.destroy();
});

/** What a server takes for signs of life, and what it never has to answer while an answer is on its way. */
const busy: readonly (readonly [what: string, piece: (turn: number) => string])[] = [
  ['empty lines', () => '\r\n'],
  ['a next request, byte by byte', (turn) => `GET /v1/models HTTP/1.1\r\nhost: gateway.test\r\nx-long: ${'x'.repeat(900)}`.charAt(turn)],
  ['one request after the other', () => 'GET /livez HTTP/1.1\r\nhost: gateway.test\r\n\r\n'],
];

test.each(busy)(
  'G7: a caller who reads nothing and goes on sending %s is cut all the same',
  async (_, piece) => {
    const [before, first] = [gone().length, vendor.fake.requests.length];
    vendor.fake.next(firehose(frame, 20_000_000));
    const socket = await ask(streamed);
    let turn = 0;
    const sending = setInterval(() => socket.write(piece(turn++)), 50);
    const begun = performance.now();
    await vendor.fake.hangUp(first, 10_000).finally(() => clearInterval(sending));
    // From when nothing moves any more, which takes the system's buffers a moment to come to.
    expect(performance.now() - begun).toBeLessThan(4_000);
    await expect.poll(() => gone().length, { timeout: 5_000 }).toBe(before + 1);
    expect(vendor.gateway.gateway.streams.size).toBe(0);
    socket.destroy();
    tried('G7', { what: 'readers who stop and go on sending', times: 1 });
  },
  20_000,
);

test('a caller who reads slowly is not cut', async () => {
  vendor.fake.next(json(chatCompletion({ text: 'x'.repeat(12_000_000) })));
  const socket = await ask(chat.ask);
  let seen = 0;
  socket.on('data', (bytes) => {
    seen += bytes.length;
    socket.pause();
    setTimeout(() => socket.resume(), 8);
  });
  socket.resume();
  const before = gone().length;
  const began = performance.now();
  await expect.poll(() => seen, { timeout: 15_000 }).toBeGreaterThan(12_000_000);
  expect(performance.now() - began).toBeGreaterThan(500);
  socket.destroy();
  expect(gone()).toHaveLength(before);
}, 20_000);

test('a vendor who is silent for longer than that costs nobody the connection', async () => {
  vendor.fake.next([{ kind: 'wait', ms: 1_300 }, ...json(chat.whole)]);
  const answer = await vendor.gateway.call(chat.path, { json: chat.ask });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ object: 'chat.completion' })]);
});
