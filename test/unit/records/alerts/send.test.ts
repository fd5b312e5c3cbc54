/** One attempt at a receiver: what arrives, and what counts as delivered. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendWebhook } from '../../../../server/records/alerts/send-webhook.ts';
import { openReceiver, type Receiver, receiverSecret as secret, signatureOf } from '../../../fakes/webhook-receiver.ts';
import { freePort } from '../../../harness/free-port.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const message = { id: 'alert_1_opened', at: 1_800_000_000_500, body: '{"type":"alert.opened","data":{"name":"Zoë"}}' };
const send = () => sendWebhook({ url: receiver.url, secret }, message);

test('sends the receiver the bytes, the ID, the time of the attempt, and a signature over all three', async () => {
  expect(await send()).toEqual({ isDelivered: true, status: 204, failure: null, response: null });
  const [one] = receiver.came;
  expect(one?.body).toBe(message.body);
  expect(one?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': '1800000000',
    'user-agent': 'modelgate-alerts',
  });
  expect(one && signatureOf(one)).toBe(one?.headers['webhook-signature']);
});

test('reports an error by its status, and follows no redirect', async () => {
  const before = receiver.came.length;
  receiver.next(500, (_request, response) => response.writeHead(307, { location: receiver.url }).end());
  expect(await send()).toEqual({ isDelivered: false, status: 500, failure: 'status 500', response: null });
  expect(await send()).toEqual({ isDelivered: false, status: 307, failure: "redirect 307, which isn't followed", response: null });
  expect(receiver.came).toHaveLength(before + 2);
});

test("uses the status, and doesn't read an endless response", async () => {
  const closed = Promise.withResolvers<void>();
  receiver.next((_request, response) => {
    response.on('close', () => closed.resolve());
    response.writeHead(200).write('x'.repeat(10_000));
  });
  expect(await send()).toMatchObject({ isDelivered: true, status: 200 });
  await closed.promise;
});

test('gives up on a silent receiver after the time limit', async () => {
  receiver.next(() => undefined);
  const result = await sendWebhook({ url: receiver.url, secret }, message, { maxMs: 50 });
  expect(result).toEqual({ isDelivered: false, status: null, failure: 'no response within 0.05 s', response: null });
});

test('ends the attempt when the gateway stops', async () => {
  const stop = new AbortController();
  receiver.next(() => stop.abort());
  expect(await sendWebhook({ url: receiver.url, secret }, message, { signal: stop.signal })).toEqual({
    isDelivered: false,
    status: null,
    failure: 'the gateway stopped',
    response: null,
  });
});

test("omits the address when nothing listens or the server doesn't speak HTTP", async () => {
  const port = await freePort();
  const nobody = await sendWebhook({ url: `http://127.0.0.1:${port}/secret-path`, secret }, message);
  expect(nobody).toEqual({ isDelivered: false, status: null, failure: 'ECONNREFUSED', response: null });
  const odd = createServer((socket) => socket.end('no HTTP\r\n\r\n')).listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const address = odd.address();
  const oddPort = typeof address === 'object' ? address?.port : 0;
  const strange = await sendWebhook({ url: `http://127.0.0.1:${oddPort}/secret-path`, secret }, message);
  expect(strange).toMatchObject({ isDelivered: false, status: null });
  expect(strange.failure).not.toMatch(/127|secret/);
  odd.close();
});
