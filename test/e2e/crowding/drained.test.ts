/** Callers who disconnect from an upstream with `onClientDisconnect: drain`, the default with billing: its response is read to the end and charged once (promise G6). */
import { describe, expect, onTestFinished, test } from 'vitest';
import { chatFrames, chatUsage } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { firehose, later } from '../../fakes/faults.ts';
import type { Script } from '../../fakes/script.ts';
import { holdTimersOf } from '../../harness/held-clock.ts';
import { useOpened } from '../../harness/opened.ts';
import { chat, responses } from '../../harness/protocols.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../../harness/vendor.ts';
import { chargesOf } from '../routing/stage.ts';

/** No other timer has this length, so a test can hold it. */
const drainMs = 543_210;
const drainBytes = 200_000;
const vendor = useOpened(() => {
  const upstream = { onClientDisconnect: 'drain', drainMs, drainBytes };
  return openBehindVendor({ upstream, settings: { server: { heartbeatMs: 50, overload: { bodiesPerKeyMiB: 6 } } } });
});

type Charge = Record<string, unknown>;

/** Disconnects after so many pieces of the answer; returns the charge when it is settled. */
async function leave(
  path: string,
  body: unknown,
  script: Script,
  { pieces, whenLeft, from = vendor }: { pieces: number; whenLeft?: () => unknown; from?: BehindVendor },
): Promise<Charge> {
  const index = from.fake.requests.length;
  from.fake.next(script);
  const leaving = new AbortController();
  const answer = from.gateway.call(path, { json: body, signal: leaving.signal });
  answer.catch(() => undefined);
  const request = await from.fake.arrival(index);
  const reader = pieces > 0 ? (await answer).body?.getReader() : undefined;
  for (let count = 0; count < pieces; count++) await reader?.read();
  leaving.abort();
  const id = String(request.headers['x-request-id']);
  if (whenLeft) {
    await expect.poll(() => from.gateway.gateway.draining.size).toBe(1);
    // Its leaving has been heard, and the vendor was not told.
    expect(request.closedAt).toBeNull();
    await whenLeft();
  }
  expect(await from.gateway.lineOf(id)).toMatchObject({ end: 'client_disconnected' });
  const charges = await chargesOf(from.gateway);
  const own = charges.filter((charge) => JSON.stringify(charge).includes(id));
  expect(own).toHaveLength(1);
  return own[0] ?? {};
}

const gate = () => Promise.withResolvers<void>();
const streamed = { ...chat.ask, ...chat.streamed };

describe('G6: the usage at the end of the response', () => {
  /** The usage comes from the fake vendor. */
  const whole = { state: 'posted', estimated: false };

  test('pays for a caller who disconnects in the middle of a stream', async () => {
    const { promise, resolve } = gate();
    const frames = [...chat.frames.slice(0, 2), { until: promise }, ...chat.frames.slice(2)];
    const charge = await leave(chat.path, streamed, stream(frames), { pieces: 1, whenLeft: resolve });
    expect(charge).toMatchObject(whole);
    expect(charge).toMatchObject(await chargeOfOne(chat.path, streamed, stream(chat.frames)));
  });

  test('pays for a caller who disconnects before the first event of a stream', async () => {
    const { promise, resolve } = gate();
    const script = later(promise, stream(responses.frames));
    const body = { ...responses.ask, ...responses.streamed };
    const charge = await leave(responses.path, body, script, { pieces: 0, whenLeft: resolve });
    expect(charge).toMatchObject(whole);
    expect(charge).toMatchObject(await chargeOfOne(responses.path, body, stream(responses.frames)));
  });

  test('pays for a caller who disconnects before a whole response', async () => {
    const { promise, resolve } = gate();
    const charge = await leave(chat.path, chat.ask, later(promise, json(chat.whole)), { pieces: 0, whenLeft: resolve });
    expect(charge).toMatchObject(whole);
    expect(charge).toMatchObject(await chargeOfOne(chat.path, chat.ask, json(chat.whole)));
  });
});

test('A14: keeps the memory of a body until its response has been read', async () => {
  const { promise, resolve } = gate();
  const large = { ...chat.ask, messages: [{ role: 'user', content: 'x'.repeat(1_300_000) }] };
  await leave(chat.path, large, later(promise, json(chat.whole)), {
    pieces: 0,
    whenLeft: async () => {
      const second = await vendor.gateway.call(chat.path, { json: large });
      await expectRefusal(second, { code: 'concurrency_limit_exceeded', says: '6 MiB' });
      resolve();
    },
  });
  vendor.fake.next(json(chat.whole));
  expect((await vendor.gateway.call(chat.path, { json: large })).status).toBe(200);
});

/** The charge of a caller who reads the same answer to its end. */
async function chargeOfOne(path: string, body: unknown, script: Script): Promise<Charge> {
  vendor.fake.next(script);
  const answer = await vendor.gateway.call(path, { json: body });
  await answer.text();
  await vendor.gateway.lineOf(answer);
  const [{ charged } = { charged: '' }] = await chargesOf(vendor.gateway);
  expect(Number(charged)).toBeGreaterThan(0);
  return { charged };
}

describe("G6: a response that doesn't end", () => {
  test('ends after drainMs, with an estimated charge', async () => {
    const timers = holdTimersOf(drainMs);
    const script = stream(chatFrames({ text: ['one ', 'two '] }), { stopAfter: { frames: 2 }, ending: 'stall' });
    const charge = await leave(chat.path, streamed, script, { pieces: 1, whenLeft: timers.runOut });
    await vendor.fake.hangUp(vendor.fake.requests.length - 1);
    expect(charge).toMatchObject({ state: 'posted', estimated: true });
  });

  test.each([
    ['more', 1],
    ['of a response that begins after the disconnect', 0],
  ])('ends after drainBytes %s, with an estimated charge', async (_what, pieces) => {
    const [, frame = { data: {} }] = chat.frames;
    const { promise, resolve } = gate();
    const script = later(pieces > 0 ? Promise.resolve() : promise, firehose(frame, 20_000_000));
    const charge = await leave(chat.path, streamed, script, { pieces, ...(pieces === 0 && { whenLeft: resolve }) });
    await vendor.fake.hangUp(vendor.fake.requests.length - 1);
    // The buffers of the connections hold more than the gateway reads.
    expect(vendor.fake.last.sent.length).toBeLessThan(drainBytes + 30_000_000);
    expect(charge).toMatchObject({ state: 'posted', estimated: true });
  });
});

test('G6: forwards a whole response of more than drainBytes to a connected caller', async () => {
  const text = Array.from({ length: 10 }, () => 'x'.repeat(drainBytes / 5));
  vendor.fake.next(stream(chatFrames({ text })));
  const answer = await (await vendor.gateway.call(chat.path, { json: streamed })).text();
  expect([answer.length > 2 * drainBytes, answer.endsWith('data: [DONE]\n\n')]).toEqual([true, true]);
});

test('G6: finishes and stores a call with an idempotency key, instead of draining it, after a disconnect', async () => {
  const { promise, resolve } = gate();
  const index = vendor.fake.requests.length;
  vendor.fake.next(later(promise, json(chat.whole)));
  const order = { json: chat.ask, headers: { 'idempotency-key': 'left' } };
  const leaving = new AbortController();
  const answer = vendor.gateway.call(chat.path, { ...order, signal: leaving.signal });
  const request = await vendor.fake.arrival(index);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  expect((await vendor.gateway.call(chat.path, order)).status).toBe(409);
  resolve();
  await expect.poll(async () => (await vendor.gateway.call(chat.path, order)).headers.get('idempotent-replayed')).toBe('true');
  const [charge] = (await chargesOf(vendor.gateway)).filter(({ state }) => state === 'posted');
  expect(charge).toMatchObject({ request_id: request.headers['x-request-id'], outcome: 'completed' });
  expect(vendor.fake.requests).toHaveLength(index + 1);
});

test('G6: leaves no stream and no hold open', () => {
  const { streams, money } = vendor.gateway.gateway;
  expect([streams.size, money?.open.size]).toEqual([0, 0]);
});

test('G6: cuts these responses at a stop, and charges them before it ends', async () => {
  const stopping = await openBehindVendor({ upstream: { onClientDisconnect: 'drain', drainMs } });
  const scripts = [
    stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' }),
    json(chat.whole, { stopAfter: { bytes: 40 }, ending: 'stall' }),
  ];
  for (const script of scripts) stopping.fake.next(script);
  for (const body of [streamed, chat.ask]) {
    const leaving = new AbortController();
    const answer = stopping.gateway.call(chat.path, { json: body, signal: leaving.signal });
    answer.catch(() => undefined);
    await stopping.fake.arrival(stopping.fake.requests.length);
    if (body === streamed) await (await answer).body?.getReader().read();
    leaving.abort();
  }
  await expect.poll(() => stopping.gateway.gateway.draining.size).toBe(2);
  await stopping.close();
  for (const { closedAt, endedAt } of stopping.fake.requests) expect([closedAt, endedAt]).toEqual([expect.any(Number), null]);
  const left = stopping.gateway.lines.filter(({ end }) => end === 'client_disconnected');
  expect(left).toHaveLength(2);
  for (const { cost } of left) expect(Number(cost)).toBeGreaterThan(0);
});

const paid = { models: [{ id: 'gpt-5.4', kind: 'text', prices: { input: '1', output: '4' } }] };
// `undefined` removes the value that the settings of tests have.
const byDefault = { onClientDisconnect: undefined };

test('B2: charges by default the usage in the last event after a disconnect', async () => {
  const from = await openBehindVendor({ upstream: byDefault, settings: paid });
  onTestFinished(() => from.close());
  const { promise, resolve } = gate();
  const frames = chatFrames({ text: ['one ', 'two'], includeUsage: true, usage: { ...chatUsage, completion_tokens: 5_000 } });
  const script = stream([...frames.slice(0, 3), { until: promise }, ...frames.slice(3)]);
  const charge = await leave(chat.path, streamed, script, { pieces: 1, whenLeft: resolve, from });
  expect(charge).toMatchObject({ state: 'posted', estimated: false, outcome: 'client_disconnected' });
  // The input costs 11 millionths of a dollar.
  expect(Number(charge.charged)).toBe(0.020_011);
});

test.each([
  ['with onClientDisconnect: abort', { onClientDisconnect: 'abort' }, {}],
  ['without billing', byDefault, { billing: 'off' }],
])('B2: aborts the request to an upstream %s when the caller disconnects', async (_what, upstream, settings) => {
  const from = await openBehindVendor({ upstream, settings: { ...paid, ...settings } });
  onTestFinished(() => from.close());
  from.fake.next(stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' }));
  const leaving = new AbortController();
  const answer = await from.gateway.call(chat.path, { json: streamed, signal: leaving.signal });
  await answer.body?.getReader().read();
  leaving.abort();
  await from.fake.hangUp(0);
  expect(from.gateway.gateway.draining.size).toBe(0);
});
