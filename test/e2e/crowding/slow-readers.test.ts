/** Callers who do not read what they asked for: they cost little memory, and not for ever (promises G6 and G7). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { firehose } from '../../fakes/faults.ts';
import { chat } from '../../harness/protocols.ts';
import { request } from '../../harness/raw.ts';
import { type BehindVendor, openBehindVendor } from '../../harness/vendor.ts';

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

const gone = () => vendor.gateway.lines.filter(({ end }) => end === 'client_gone');

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
}, 20_000);

test('G7: a caller who does not read a whole answer is cut, too', async () => {
  vendor.fake.next(json(chatCompletion({ text: 'x'.repeat(30_000_000) })));
  const socket = await ask(chat.ask);
  await expect.poll(() => gone().length, { timeout: 5_000 }).toBe(21);
  socket.destroy();
});

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
  const began = performance.now();
  await expect.poll(() => seen, { timeout: 15_000 }).toBeGreaterThan(12_000_000);
  expect(performance.now() - began).toBeGreaterThan(500);
  socket.destroy();
  expect(gone()).toHaveLength(21);
}, 20_000);

test('a vendor who is silent for longer than that costs nobody the connection', async () => {
  vendor.fake.next([{ kind: 'wait', ms: 1_300 }, ...json(chat.whole)]);
  const answer = await vendor.gateway.call(chat.path, { json: chat.ask });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ object: 'chat.completion' })]);
});
