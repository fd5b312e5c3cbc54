/** Callers who do not read their answers: they cost little memory, and are cut after a while (promises G6 and G7). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { firehose } from '../fakes/faults.ts';
import { bytesHeld } from '../harness/bytes-held.ts';
import { chat } from '../harness/protocols.ts';
import { request } from '../harness/raw.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor({ settings: { server: { writeStallMs: 500, heartbeatMs: 50 } } });
});
afterAll(() => vendor.close());

const streamed = { ...chat.ask, ...chat.streamed };
/** So long that a few hundred frames fill the buffers of the system. */
const [, frame = { data: {} }] = chatFrames({ text: ['', 'x'.repeat(32_000)] }).slice(1);

/** A caller who asks and then reads nothing. */
async function ask(body: unknown, { gateway: { origin, key } } = vendor): Promise<Socket> {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  const lines = ['POST /v1/chat/completions HTTP/1.1', `authorization: Bearer ${key}`, 'content-type: application/json'];
  socket.write(request(lines, JSON.stringify(body)));
  return socket;
}

/** The most memory for one stream whose caller reads nothing. */
const maxHeld = 2 * 1_048_576;

const gone = () => vendor.gateway.lines.filter(({ end, route }) => end === 'client_disconnected' && route === `/v1${chat.path}`);

/** Twenty streams at full speed take long on a busy machine. */
const hangsMs = 240_000;

test("G7: cuts twenty callers who don't read endless streams, with their upstream requests, and settles each", async () => {
  const before = bytesHeld();
  const first = vendor.fake.requests.length;
  vendor.fake.next(firehose(frame, 20_000_000), { times: 20 });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => ask(streamed)));
  await Promise.all(sockets.map((_, index) => vendor.fake.arrival(first + index, hangsMs)));
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, bytesHeld() - before);
  }, 250);
  await Promise.all(sockets.map((_, index) => vendor.fake.hangUp(first + index, hangsMs))).finally(() => clearInterval(watch));
  await expect.poll(() => gone().length).toBe(20);
  expect(most).toBeLessThan(sockets.length * maxHeld);
  expect(vendor.gateway.gateway.streams.size).toBe(0);
  expect(vendor.gateway.gateway.money?.open.size).toBe(0);
  for (const socket of sockets) socket.destroy();
  recordAttempts('G7', { what: 'readers who stop in an endless stream', times: sockets.length });
});

test('G7: cuts a caller who reads nothing of a large JSON response', async () => {
  vendor.fake.next(json(chatCompletion({ text: 'x'.repeat(30_000_000) })));
  const socket = await ask(chat.ask);
  await expect.poll(() => gone().length).toBe(21);
  socket.destroy();
});

/** What a server might take for activity, although it need not answer it while another answer is being sent. */
const busy: readonly (readonly [what: string, piece: (turn: number) => string])[] = [
  ['empty lines', () => '\r\n'],
  ['a next request, byte by byte', (turn) => `GET /v1/models HTTP/1.1\r\nhost: gateway.test\r\nx-long: ${'x'.repeat(900)}`.charAt(turn)],
  ['one request after the other', () => 'GET /livez HTTP/1.1\r\nhost: gateway.test\r\n\r\n'],
];

test.each(busy)('G7: cuts a caller who reads nothing but keeps sending %s', async (_, piece) => {
  const [before, first] = [gone().length, vendor.fake.requests.length];
  vendor.fake.next(firehose(frame, 20_000_000));
  const socket = await ask(streamed);
  let turn = 0;
  const sending = setInterval(() => socket.write(piece(turn++)), 50);
  // Sending goes on until the cut: if it counted as activity, this would hang.
  await vendor.fake.hangUp(first, hangsMs).finally(() => clearInterval(sending));
  await expect.poll(() => gone().length).toBe(before + 1);
  expect(vendor.gateway.gateway.streams.size).toBe(0);
  socket.destroy();
  recordAttempts('G7', { what: 'readers who stop and go on sending', times: 1 });
});

test('keeps a caller who reads slowly for longer than the stall timeout', async () => {
  const stallMs = 2_000;
  const size = 30_000_000;
  const patient = await openBehindVendor({ settings: { server: { writeStallMs: stallMs } } });
  patient.fake.next(json(chatCompletion({ text: 'x'.repeat(size) })));
  const socket = await ask(chat.ask, patient);
  const from = performance.now();
  let [seen, seenSlowly] = [0, 0];
  const isSlow = (): boolean => performance.now() - from < 1.5 * stallMs;
  // Reads at most a third of the answer while it is slow, however much arrives at once.
  const isAhead = (): boolean => isSlow() && seen > (size / 3) * ((performance.now() - from) / (1.5 * stallMs));
  socket.on('data', async (bytes) => {
    seen += bytes.length;
    if (isSlow()) seenSlowly = seen;
    socket.pause();
    while (isAhead()) await pause(20);
    socket.resume();
  });
  socket.resume();
  await expect.poll(isSlow).toBe(false);
  expect(seenSlowly, 'read by then').toBeLessThan(size / 2);
  await expect.poll(() => seen, { timeout: 60_000 }).toBeGreaterThan(size);
  socket.destroy();
  await patient.close();
});

test('keeps the caller when an upstream is silent for longer than the stall timeout', async () => {
  vendor.fake.next([{ kind: 'wait', ms: 1_300 }, ...json(chat.whole)]);
  const answer = await vendor.gateway.call(chat.path, { json: chat.ask });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ object: 'chat.completion' })]);
});
