/** Operation: health checks and graceful shutdown (promise G9). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { json, stream } from '../fakes/delivery.ts';
import { later } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type Serving, serve } from '../harness/command-line.ts';
import { behind, startGateway } from '../harness/gateway.ts';
import { withOneAttempt } from '../harness/one-attempt.ts';
import { chat, type Protocol, protocols, responses } from '../harness/protocols.ts';
import { type RawAnswer, readAnswers } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { openBehindVendor, vendorKey } from '../harness/vendor.ts';

describe('health', () => {
  test('returns 200 on /livez and /readyz without a key, and sends nothing upstream', async () => {
    const vendor = await openBehindVendor();
    for (const path of ['/livez', '/readyz', '/readyz?verbose=1']) {
      const answer = await fetch(`${vendor.gateway.origin}${path}`);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    }
    expect(vendor.fake.connections.opened).toBe(0);
    await vendor.close();
  });

  test('F52: stays live but not ready without its store, and returns 503 for calls', async () => {
    const gateway = await startGateway();
    onTestFinished(() => rmSync(gateway.folder, { recursive: true, force: true }));
    await gateway.gateway.close();
    expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200);
    const ready = await fetch(`${gateway.origin}/readyz`);
    expect(ready.headers.get('retry-after')).toBe('1');
    await expectRefusal(ready, { code: 'overloaded', says: 'database' });
    const call = await gateway.call('/models');
    expect(call.headers.get('retry-after')).toBe('1');
    await expectRefusal(call, { code: 'overloaded' });
    await gateway.close().catch(() => undefined);
  });
});

const isRejected = (url: string): Promise<boolean> =>
  fetch(url).then(
    (answer) => answer.arrayBuffer().then(() => false),
    () => true,
  );

describe('a stop by SIGTERM', () => {
  let fake: Fake;
  let folder: string;
  beforeEach(async () => {
    fake = await openFake({ apiKey: vendorKey });
    folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  });
  afterEach(async () => {
    await fake.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Served extends Serving {
    call(protocol: Protocol, more?: object): Promise<Response>;
    /** Opens a connection and sends the beginning of a request. */
    begin(head: string): Promise<Socket>;
  }

  async function open(server: object = {}): Promise<Served> {
    writeFileSync(join(folder, 'modelgate.yaml'), stringify(withOneAttempt({ ...behind(fake.url), server })));
    const served = await serve({ folder });
    const { origin, key } = served;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return {
      ...served,
      call: ({ path, ask }, more = {}) =>
        fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify({ ...ask, ...more }) }),
      async begin(head) {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1');
        await new Promise((sent) => socket.write(`${head}\r\nhost: gateway.test\r\n`, sent));
        // A whole call on another connection: by then the gateway has read what was sent on this one.
        await fetch(`${origin}/livez`);
        return socket;
      },
    };
  }

  /** Completes a request that has begun, and reads its only answer. */
  async function finish(socket: Socket, rest = ''): Promise<RawAnswer> {
    socket.write(`${rest}\r\n`);
    const [answer, ...more] = readAnswers(await buffer(socket));
    expect(more).toEqual([]);
    if (!answer) throw new Error('no answer');
    return answer;
  }

  test('F56, G9: finishes calls in flight, rejects new requests, and exits with code 0', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = (protocol: Protocol) => stream([...protocol.frames.slice(0, 3), { until: promise }, ...protocol.frames.slice(3)]);
    const served = await open();
    fake.next(held(chat), { path: '/v1/chat/completions' }).next(held(responses), { path: '/v1/responses' });
    const streams = await Promise.all([chat, responses].map((protocol) => served.call(protocol, protocol.streamed)));
    fake.next(later(promise, json(chat.whole)));
    const whole = served.call(chat);
    await fake.arrival(2);
    const late = await served.begin('GET /v1/models HTTP/1.1');
    const probe = await served.begin('GET /readyz HTTP/1.1');

    served.kill('SIGTERM');
    await served.says('"stopping"');
    // The log line comes first; then the port is closed.
    await expect.poll(() => isRejected(`${served.origin}/v1/models`)).toBe(true);
    for (const answer of [await finish(probe), await finish(late, `authorization: Bearer ${served.key}\r\n`)]) {
      await expectRefusal(answer, { code: 'overloaded', says: 'shutting down' });
      expect(answer.headers).toMatchObject({ connection: 'close', 'retry-after': expect.stringMatching(/^[1-9]$/) });
    }

    resolve();
    const [chatStream, responsesStream] = await Promise.all(streams.map((answer) => answer.text()));
    chat.expectWhole(chatStream ?? '');
    responses.expectWhole(responsesStream ?? '');
    expect((await whole).status).toBe(200);
    expect(await served.ended).toBe(0);
  });

  test('F56, G9: ends a stream that outlasts drainMs with an error, and exits with code 1', async () => {
    // Half of it is left to end the streams.
    const served = await open({ drainMs: 4_000 });
    for (const { path, frames, opening } of protocols) {
      fake.next(stream(frames, { stopAfter: { frames: opening + 1 }, ending: 'stall' }), { path: `/v1${path}` });
    }
    const answers = await Promise.all(protocols.map((protocol) => served.call(protocol, protocol.streamed)));
    served.kill('SIGTERM');
    await served.says('"stopping"');
    const transcripts = await Promise.all(answers.map((answer) => answer.text()));
    const codes = protocols.map((protocol, index) => protocol.expectBroken(transcripts[index] ?? '').code);
    expect(codes).toEqual(protocols.map(() => 'overloaded'));
    expect(await served.ended).toBe(1);
    // The requests to the vendors are aborted.
    for (const { index } of fake.requests) await fake.hangUp(index);
  });
});
