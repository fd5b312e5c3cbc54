/** Callers who disconnect at any moment: the request to the vendor is aborted, and the log says that the caller has gone (promise G6; `npm run bench -- --only moments` measures how soon). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { firehose, later, silence } from '../fakes/faults.ts';
import { frameBytes } from '../fakes/frames.ts';
import type { Script } from '../fakes/script.ts';
import { chat, protocols } from '../harness/protocols.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

/** A call from which the test can disconnect; `chunk` reads the next chunk. */
interface Leaving {
  readonly request: FakeRequest;
  readonly chunk: () => Promise<void>;
  /** Disconnects; resolves when the vendor's request is closed. None of these vendors ends its answer itself. */
  readonly leave: () => Promise<void>;
}

const hangUps = 'hang-ups that the upstream saw in the middle of its answer';
/** More frames than any test reads. */
const ENDLESS = 1_000_000;

describe.each([true, false])('with answers checked: %s', (development) => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-5.4', kind: 'text' },
      { id: 'gpt-image-2', kind: 'image' },
    ];
    vendor = await openBehindVendor({ settings: { validateResponses: development, server: { heartbeatMs: 50 }, models } });
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
      ['who waits for the headers of a whole response', ask, silence],
      ['who waits for the remainder of a whole response', ask, json(whole, { stopAfter: { bytes: 40 }, ending: 'stall' })],
      ['who waits for the headers of a stream', body, silence],
      ['who waits for the first event of a stream', body, stream([], { ending: 'stall' })],
    ] as const)('G6: aborts the upstream request when a caller %s disconnects', async (_title, request, script) => {
      const call_ = await call(path, request, script);
      await call_.leave();
      const line = await lineOf(call_);
      expect(line).toMatchObject({ status: 499, end: 'client_disconnected', level: 'info', upstream: 'vendor' });
      // The input is charged, where it has a price.
      expect(Number(line.cost ?? 0) > 0).toBe(!path.startsWith('/images/'));
      recordAttempts('G6', { what: hangUps, times: 1 });
    });

    test('G6: aborts the upstream request when a caller in the middle of a stream disconnects', async () => {
      const call_ = await call(path, body, half);
      await call_.chunk();
      await call_.leave();
      expect(await lineOf(call_)).toMatchObject({ status: 200, end: 'client_disconnected', level: 'info' });
      recordAttempts('G6', { what: hangUps, times: 1 });
    });

    test('G6: aborts the upstream request when a caller who gets heartbeats disconnects', async () => {
      const call_ = await call(path, body, half);
      for (let count = 0; count < 3; count++) await call_.chunk();
      await call_.leave();
      expect(await lineOf(call_)).toMatchObject({ end: 'client_disconnected' });
      recordAttempts('G6', { what: hangUps, times: 1 });
    });
  });

  test('G6: aborts the request to a provider that sends as fast as it can when the caller disconnects', async () => {
    const frame = chat.frames[1];
    if (!frame) throw new Error('no frame');
    const call_ = await call(chat.path, { ...chat.ask, ...chat.streamed }, firehose(frame, ENDLESS));
    await call_.chunk();
    await call_.leave();
    expect(call_.request.sent.length).toBeLessThan((ENDLESS * frameBytes(frame).length) / 2);
    expect(await lineOf(call_)).toMatchObject({ end: 'client_disconnected' });
    recordAttempts('G6', { what: hangUps, times: 1 });
  });

  test('G7: stops reading from the provider when a caller stops reading', async () => {
    const frame = chat.frames[1];
    if (!frame) throw new Error('no frame');
    const call_ = await call(chat.path, { ...chat.ask, ...chat.streamed }, firehose(frame, ENDLESS));
    await call_.chunk();
    // Without backpressure the vendor would send in each turn of the event loop, which it shares with the gateway.
    for (let before = -1, quiet = 0; quiet < 5; quiet++) {
      const { length: sent } = call_.request.sent;
      expect(sent).toBeLessThan(30_000_000);
      if (sent !== before) quiet = 0;
      before = sent;
      for (let turns = 0; turns < 1_000; turns++) await nextTurn();
      await vendor.gateway.call('/models').then((answer) => answer.text());
    }
    await call_.leave();
    recordAttempts('G7', { what: 'readers who stop in an endless stream', times: 1 });
  });

  test('logs a disconnect neither as a warning nor as an error', () => {
    expect(vendor.gateway.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  test('G6: keeps a stream undisturbed while five other callers disconnect', async () => {
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
