/** Callers who half-close their connection: those who still read get their answer, those who have left are noticed (promise G6). */
import { on, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { json, stream } from '../../fakes/delivery.ts';
import { later, silence } from '../../fakes/faults.ts';
import { useOpened } from '../../harness/opened.ts';
import { chat } from '../../harness/protocols.ts';
import { request } from '../../harness/raw.ts';
import { openBehindVendor } from '../../harness/vendor.ts';

const vendor = useOpened(() => openBehindVendor());

const streamed = { ...chat.ask, ...chat.streamed };

/** Sends the request, and FIN right after it. */
function open(body: unknown) {
  const { origin, key } = vendor.gateway;
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  const lines = ['POST /v1/chat/completions HTTP/1.1', `authorization: Bearer ${key}`, 'content-type: application/json'];
  socket.end(request(lines, JSON.stringify(body)));
  return socket;
}

/** The probes that a caller gets who has half-closed. A heartbeat would come only after fifteen seconds. */
const probes = /HTTP\/1\.1 100 Continue\r\n|^: keepalive$/gm;

/** The whole answer; `probed` is called after three probes. */
async function answerTo(body: unknown, probed: () => void): Promise<string> {
  let answer = '';
  for await (const bytes of open(body).setEncoding('utf8')) {
    answer += bytes;
    if ((answer.match(probes)?.length ?? 0) >= 3) probed();
  }
  return answer;
}

/** Resolves when the first probe arrives: the gateway has seen the half-close. */
async function untilProbed(socket: Socket): Promise<void> {
  let heard = '';
  for await (const [bytes] of on(socket.setEncoding('utf8'), 'data')) {
    heard += bytes;
    if (heard.search(probes) >= 0) return;
  }
}

const gate = () => Promise.withResolvers<void>();

test('forwards a response that takes long', async () => {
  const { promise, resolve } = gate();
  vendor.fake.next(later(promise, json(chat.whole)));
  const answer = await answerTo(chat.ask, resolve);
  // Every client skips interim responses.
  const final = answer.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '');
  expect(final).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(JSON.parse(final.slice(final.indexOf('\r\n\r\n') + 4))).toMatchObject({ object: 'chat.completion' });
});

test('forwards a stream to its end', async () => {
  const { promise, resolve } = gate();
  vendor.fake.next(stream([...chat.frames.slice(0, 2), { until: promise }, ...chat.frames.slice(2)]));
  const answer = await answerTo(streamed, resolve);
  const events = [...answer.matchAll(/^data: .*$/gm)].map(([line]) => line);
  expect(events).toHaveLength(chat.frames.length);
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(answer.endsWith('0\r\n\r\n')).toBe(true);
});

test.each([
  ['before a response', chat.ask, silence],
  ['in the middle of a stream', streamed, stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' })],
] as const)('G6: aborts the upstream request when a caller half-closes and then disconnects %s', async (_title, body, script) => {
  const index = vendor.fake.requests.length;
  vendor.fake.next(script);
  const socket = open(body);
  const request = await vendor.fake.arrival(index);
  await untilProbed(socket);
  expect(request.closedAt).toBeNull();
  socket.destroy();
  await once(socket, 'close');
  await vendor.fake.hangUp(index);
  // This vendor never ends its answer itself.
  expect(request).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
});
