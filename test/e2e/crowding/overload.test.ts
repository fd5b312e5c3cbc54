/** A process that is overloaded: new requests are rejected before their bodies are read, and health checks are still answered. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { stream } from '../../fakes/delivery.ts';
import { later } from '../../fakes/faults.ts';
import { startGateway } from '../../harness/gateway.ts';
import { chat } from '../../harness/protocols.ts';
import { readAnswers, request, talk } from '../../harness/raw.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openBehindVendor } from '../../harness/vendor.ts';

test('rejects calls over shed.memoryMiB before key and body are read, and returns 200 on /livez and /readyz', async () => {
  // Every process uses more.
  const gateway = await startGateway({ server: { overload: { memoryMiB: 1 } } });
  onTestFinished(() => gateway.close());
  expect(await gateway.lineWhere(({ excess }) => excess === 'memory')).toMatchObject({ level: 'warn' });
  const rejected = await gateway.call(chat.path, { json: chat.ask });
  expect([rejected.headers.get('retry-after'), rejected.headers.get('retry-after-ms')]).toEqual(['1', '1000']);
  await expectRefusal(rejected, { code: 'overloaded' });
  // This body is never sent.
  const [early] = await talk(
    gateway.origin,
    request(['POST /v1/chat/completions HTTP/1.1', 'content-length: 1000000', 'connection: close']),
  );
  expect(early?.status).toBe(503);
  expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200);
  const ready = await fetch(`${gateway.origin}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ok', details: [expect.stringMatching(/^rejecting new calls: memory too high/)] },
  ]);
  expect(gateway.lines.filter(({ excess }) => excess !== undefined)).toHaveLength(1);
});

test('A5: rejects reads of documents, lists and stored responses, and a DELETE, too', async () => {
  const gateway = await startGateway({ server: { overload: { memoryMiB: 1 } } });
  onTestFinished(() => gateway.close());
  await gateway.lineWhere(({ excess }) => excess === 'memory');
  const paths = [
    '/',
    '/docs/',
    '/docs/guides/codex',
    '/openapi.json',
    '/openapi-3.2.json',
    '/catalog',
    '/v1/models',
    '/v1/usage',
    '/v1/responses/resp_1',
  ];
  for (const path of paths) {
    const rejected = await fetch(`${gateway.origin}${path}`, { headers: { authorization: `Bearer ${gateway.key}` }, redirect: 'manual' });
    expect(rejected.headers.get('retry-after')).toBe('1');
    await expectRefusal(rejected, { code: 'overloaded' });
  }
  // A 304 would cost as much work.
  const unchanged = await fetch(`${gateway.origin}/openapi.json`, { headers: { 'if-none-match': '*' } });
  await expectRefusal(unchanged, { code: 'overloaded' });
  const removed = await gateway.call('/responses/resp_1', { method: 'DELETE' });
  await expectRefusal(removed, { code: 'overloaded' });
  for (const path of ['/livez', '/readyz']) expect((await fetch(`${gateway.origin}${path}`)).status).toBe(200);
});

/** Vendor, caller and gateway share this process, so all of them are blocked. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('finishes calls in flight during an overload, and accepts new calls after it', async () => {
  const vendor = await openBehindVendor({ settings: { server: { overload: { loopDelayMs: 1_000 } } } });
  onTestFinished(() => vendor.close());
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  vendor.fake.next(later(gate, stream(chat.frames)));
  const running = vendor.gateway.call(chat.path, { json: { ...chat.ask, ...chat.streamed } });
  await vendor.fake.arrival(0);
  // The first block after the start doesn't count.
  block(1_100);
  const socket = connect(Number(new URL(vendor.gateway.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  // It is sent now, and read after the pause.
  socket.write(request(['POST /v1/chat/completions HTTP/1.1', 'connection: close'], JSON.stringify(chat.ask)));
  block(3_000);
  const [rejected] = readAnswers(await buffer(socket));
  await expectRefusal(rejected ?? expect.fail('no answer'), { code: 'overloaded' });
  go();
  chat.expectWhole(await (await running).text());
  await vendor.gateway.lineWhere(({ msg }) => msg === 'accepting new requests again');
  vendor.fake.next(stream(chat.frames));
  const taken = await vendor.gateway.call(chat.path, { json: { ...chat.ask, ...chat.streamed } });
  chat.expectWhole(await taken.text());
});
