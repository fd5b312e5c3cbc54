/** Callers who leave: the vendor knows while its answer is far from its end, at whichever moment they go, and the log says who left (promise G6; how soon is a row of the benchmark). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { firehose, later, silence } from '../fakes/faults.ts';
import { frameBytes } from '../fakes/frames.ts';
import type { Script } from '../fakes/script.ts';
import { chat, protocols } from '../harness/protocols.ts';
import { tried } from '../harness/tally.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

/** A call that the test can leave; `chunk` waits until something more can be read. */
interface Leaving {
  readonly request: FakeRequest;
  readonly chunk: () => Promise<void>;
  /** Hangs up; resolves when the vendor knows. None of these vendors comes to the end of its answer by itself. */
  readonly leave: () => Promise<void>;
}

const hangUps = 'hang-ups that the upstream saw in the middle of its answer';
/** As many frames as no test waits for. */
const ENDLESS = 1_000_000;

describe.each([true, false])('with answers checked: %s', (development) => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    vendor = await openBehindVendor({ settings: { development, server: { heartbeatMs: 50 } } });
  });
  afterAll(() => vendor.close());

  async function call(path: string, body: unknown, script: Script): Promise<Leaving> {
    const index = vendor.fake.requests.length;
    vendor.fake.next(script);
    const leaving = new AbortController();
    const answer = vendor.gateway.call(path, { json: body, signal: leaving.signal });
    answer.catch(() => undefined);
    const request = await vendor.fake.arrival(index);
    const reader = answer.then((response) => response.body?.getReader());
    reader.catch(() => undefined);
    return {
      request,
      async chunk() {
        await (await reader)?.read();
      },
      async leave() {
        leaving.abort();
        await vendor.fake.hangUp(index);
        expect(request).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
      },
    };
  }

  const lineOf = ({ request }: Leaving) => vendor.gateway.lineOf(String(request.headers['x-request-id']));

  describe.each(protocols)('$name', ({ path, ask, streamed, frames, whole, opening }) => {
    const body = { ...ask, ...streamed };
    const half = stream(frames, { stopAfter: { frames: opening + 1 }, ending: 'stall' });

    test.each([
      ['that waits for the headers of a whole answer', ask, silence],
      ['that waits for the rest of a whole answer', ask, json(whole, { stopAfter: { bytes: 40 }, ending: 'stall' })],
      ['that waits for the headers of a stream', body, silence],
      ['that waits for the first event of a stream', body, stream([], { ending: 'stall' })],
    ] as const)('G6: a caller %s leaves, and its vendor knows', async (_title, request, script) => {
      const call_ = await call(path, request, script);
      await call_.leave();
      expect(await lineOf(call_)).toMatchObject({ status: 499, end: 'client_gone', level: 'info', upstream: 'vendor' });
      tried('G6', { what: hangUps, times: 1 });
    });

    test('G6: a caller in the middle of a stream leaves, and its vendor knows', async () => {
      const call_ = await call(path, body, half);
      await call_.chunk();
      await call_.leave();
      expect(await lineOf(call_)).toMatchObject({ status: 200, end: 'client_gone', level: 'info' });
      tried('G6', { what: hangUps, times: 1 });
    });

    test('G6: a caller who gets heartbeats in the vendor’s silence leaves, and its vendor knows', async () => {
      const call_ = await call(path, body, half);
      for (let count = 0; count < 3; count++) await call_.chunk();
      await call_.leave();
      expect(await lineOf(call_)).toMatchObject({ end: 'client_gone' });
      tried('G6', { what: hangUps, times: 1 });
    });
  });

  test('G6: a caller leaves a vendor who talks as fast as the wire takes it', async () => {
    const frame = chat.frames[1];
    if (!frame) throw new Error('no frame');
    const call_ = await call(chat.path, { ...chat.ask, ...chat.streamed }, firehose(frame, ENDLESS));
    await call_.chunk();
    await call_.leave();
    expect(call_.request.sent.length).toBeLessThan((ENDLESS * frameBytes(frame).length) / 2);
    expect(await lineOf(call_)).toMatchObject({ end: 'client_gone' });
    tried('G6', { what: hangUps, times: 1 });
  });

  test('G7: a caller who reads nothing does not fill the memory: the vendor is slowed down', async () => {
    const frame = chat.frames[1];
    if (!frame) throw new Error('no frame');
    const call_ = await call(chat.path, { ...chat.ask, ...chat.streamed }, firehose(frame, ENDLESS));
    await call_.chunk();
    // Where nothing slows it down it says something in each turn of the event loop, which it shares with the gateway.
    for (let before = -1, quiet = 0; quiet < 5; quiet++) {
      const { length: sent } = call_.request.sent;
      expect(sent).toBeLessThan(30_000_000);
      if (sent !== before) quiet = 0;
      before = sent;
      for (let turns = 0; turns < 1_000; turns++) await nextTurn();
      await vendor.gateway.call('/models').then((answer) => answer.text());
    }
    await call_.leave();
    tried('G7', { what: 'readers who stop in an endless stream', times: 1 });
  });

  test('nobody’s leaving is logged as a failure', () => {
    expect(vendor.gateway.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  test('G6: a caller who leaves disturbs no other', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const staying = vendor.fake.requests.length;
    vendor.fake.next(later(promise, stream(chat.frames)));
    const answer = vendor.gateway.call(chat.path, { json: { ...chat.ask, ...chat.streamed } });
    await vendor.fake.arrival(staying);
    for (let count = 0; count < 5; count++) await (await call(chat.path, chat.ask, silence)).leave();
    resolve();
    chat.expectWhole((await (await answer).text()).replaceAll(': keepalive\n\n', ''));
  });
});
