/** Streams with tRPC: events come one by one, disconnects are settled as under `/v1`, and there is backpressure (promises G1, G6 and G7). */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { FakeRequest } from '../fakes/exchange.ts';
import { firehose, silence } from '../fakes/faults.ts';
import { frameBytes } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { openTrpc, type Trpc } from '../harness/trpc.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let trpc: Trpc;
beforeAll(async () => {
  vendor = await openBehindVendor();
  trpc = openTrpc(vendor.gateway);
});
afterAll(() => vendor.close());

const ask = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'hello' }] };
const asked = { model: 'gpt-5.4', input: 'hello', store: false };
const text = ['one ', 'two ', 'three'];
const ledgerOf = () => vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off');

/** Sets the vendor's script for the next call, and resolves with its request. */
function arrange(script: Script): Promise<FakeRequest> {
  const index = vendor.fake.requests.length;
  vendor.fake.next(script);
  return vendor.fake.arrival(index);
}

/** A call without the tRPC client, so that the test decides when it reads. */
async function beginStream({
  gateway,
}: Pick<BehindVendor, 'gateway'> = vendor): Promise<{ readonly calling: ClientRequest; readonly answer: IncomingMessage }> {
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', 'trpc-accept': 'application/jsonl' };
  const url = `${gateway.origin}/trpc/stream.createChatCompletion?batch=1`;
  const calling = request(url, { method: 'POST', headers, agent: false });
  calling.on('error', () => undefined);
  calling.end(JSON.stringify({ 0: ask }));
  const [answer] = await once(calling, 'response');
  answer.on('error', () => undefined);
  return { calling, answer };
}

test('sends a caller an event before the provider sends the next one', async () => {
  const rest = Promise.withResolvers<void>();
  const frames = chatFrames({ text, includeUsage: true });
  vendor.fake.next(stream([...frames.slice(0, 2), { until: rest.promise }, ...frames.slice(2)]));
  let read = '';
  for await (const { choices } of await trpc.stream.createChatCompletion.mutate(ask)) {
    read += choices[0]?.delta.content ?? '';
    if (read === 'one ') rest.resolve();
  }
  expect(read).toBe('one two three');
});

test("returns a call's response while a stream of the same batch still runs", async () => {
  const rest = Promise.withResolvers<void>();
  const frames = chatFrames({ text });
  vendor.fake.next(stream([...frames.slice(0, 2), { until: rest.promise }, ...frames.slice(2)]));
  const [streaming, models] = [trpc.stream.createChatCompletion.mutate(ask), trpc.createResponse.mutate(asked)];
  expect((await models).object).toBe('response');
  rest.resolve();
  for await (const chunk of await streaming) expect(chunk.object).toBe('chat.completion.chunk');
});

describe('a disconnect (request aborted, call charged, client_disconnected logged)', () => {
  const opening = chatFrames({ text, includeUsage: true });
  const half = stream(opening, { stopAfter: { frames: 3 }, ending: 'stall' });

  async function expectSettled(seen: FakeRequest): Promise<void> {
    const id = String(seen.headers['x-request-id']);
    expect(await endedCharge(ledgerOf(), id)).toMatchObject({ state: 'posted', outcome: 'client_disconnected' });
    expect(await vendor.gateway.lineOf(id)).toMatchObject({ end: 'client_disconnected', level: 'info' });
    expect(seen).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
  }

  test('settles after a break out of the loop over a stream', async () => {
    const arriving = arrange(half);
    for await (const { choices } of await trpc.stream.createChatCompletion.mutate(ask)) if (choices[0]?.delta.content) break;
    await expectSettled(await arriving);
  });

  test('settles after the signal of a call, while the provider is silent', async () => {
    const arriving = arrange(half);
    const leaving = new AbortController();
    const events = await trpc.stream.createChatCompletion.mutate(ask, { signal: leaving.signal });
    const seen = await arriving;
    const reading = (async () => {
      for await (const { choices } of events) if (choices[0]?.delta.content) leaving.abort();
    })();
    await expect(reading).rejects.toThrow();
    await expectSettled(seen);
  });

  test('settles after a broken connection', async () => {
    const arriving = arrange(half);
    const { calling, answer } = await beginStream();
    await once(answer, 'data');
    const seen = await arriving;
    calling.socket?.resetAndDestroy();
    await expectSettled(seen);
  });

  test('settles one stream of two after a break, and reads the other to its end', async () => {
    const arriving = arrange(stream(responseFrames({ text })));
    const [left, kept] = await Promise.all([
      openTrpc(vendor.gateway).stream.createResponse.mutate(asked),
      openTrpc(vendor.gateway).stream.createResponse.mutate(asked),
    ]);
    for await (const { type } of left) if (type === 'response.created') break;
    const types: string[] = [];
    for await (const { type } of kept) types.push(type);
    expect(types.at(-1)).toBe('response.completed');
    await arriving;
  });

  test('settles before the response of a call without a stream', async () => {
    const arriving = arrange(silence);
    const leaving = new AbortController();
    const calling = trpc.createChatCompletion.mutate(ask, { signal: leaving.signal });
    const rejected = expect(calling).rejects.toThrow();
    const seen = await arriving;
    leaving.abort();
    await rejected;
    const id = String(seen.headers['x-request-id']);
    expect(await vendor.gateway.lineOf(id)).toMatchObject({ status: 499, end: 'client_disconnected' });
    expect((await endedCharge(ledgerOf(), id)).state).toMatch(/^(posted|voided)$/);
  });

  test('logs no warning and no error', () => {
    expect(vendor.gateway.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });
});

test('stops reading from the provider when a caller stops reading', async () => {
  const [, frame] = chatFrames({ text });
  if (!frame || 'until' in frame) throw new Error('no frame');
  const endless = 1_000_000;
  const arriving = arrange(firehose(frame, endless));
  // The tRPC client reads ahead without a bound; this caller does not.
  const { calling, answer } = await beginStream();
  const seen = await arriving;
  answer.pause();
  // Without backpressure the vendor would send in each turn of the event loop, which it shares with the gateway.
  for (let before = -1, quiet = 0; quiet < 5; quiet++) {
    const { length: sent } = seen.sent;
    expect(sent).toBeLessThan(30_000_000);
    if (sent !== before) quiet = 0;
    before = sent;
    for (let turns = 0; turns < 1_000; turns++) await nextTurn();
    await vendor.gateway.call('/models').then((answer) => answer.text());
  }
  expect(seen.sent.length).toBeLessThan((endless * frameBytes(frame).length) / 2);
  calling.socket?.resetAndDestroy();
  await vendor.gateway.lineOf(String(seen.headers['x-request-id']));
});

test('sends a caller heartbeats while the provider is silent', async () => {
  const own = await openBehindVendor({ settings: { server: { heartbeatMs: 50 } } });
  onTestFinished(() => own.close());
  own.fake.next(stream(chatFrames({ text }), { stopAfter: { frames: 2 }, ending: 'stall' }));
  const { calling, answer } = await beginStream(own);
  let read = '';
  // A heartbeat is a blank before the next line. On a busy machine some may come before the text, too.
  for await (const piece of answer) {
    read += String(piece);
    if (read.includes('one ') && read.endsWith('\n ')) break;
  }
  expect(read).toMatch(/one .*\n $/s);
  calling.destroy();
});

test('ends the streams of its callers with an error at a stop', async () => {
  const own = await openBehindVendor();
  onTestFinished(() => own.close());
  own.fake.next(stream(chatFrames({ text }), { stopAfter: { frames: 3 }, ending: 'stall' }));
  const reading = (async () => {
    for await (const { choices } of await openTrpc(own.gateway).stream.createChatCompletion.mutate(ask))
      if (choices[0]?.delta.content === 'two ') own.gateway.gateway.endStreams();
  })();
  await expect(reading).rejects.toMatchObject({ data: { error: { code: 'overloaded' }, httpStatus: 503 } });
});

test('closes after completed and failed calls', async () => {
  const own = await openBehindVendor();
  own.fake.next(json({ object: 'chat.completion', choices: [] }));
  for (let count = 0; count < 3; count++) await openTrpc(own.gateway).listModels.query();
  await openTrpc(own.gateway)
    .createChatCompletion.mutate(ask)
    .catch(() => undefined);
  // The close waits for open connections.
  await own.close();
});
