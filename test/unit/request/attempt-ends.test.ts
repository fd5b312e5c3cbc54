/** The end of an attempt after its caller got output, has disconnected, or the gateway stops: charges, cuts and drains (promises G4, G6, G8, G9). */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import type { Gateway } from '../../../server/gateway.ts';
import { Admission } from '../../../server/request/admission.ts';
import type { Upstream } from '../../../server/upstreams/upstream.ts';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { failure, later } from '../../fakes/faults.ts';
import { imageFrames } from '../../fakes/images.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { textOf } from '../inside.ts';
import { chat, draw, failedAttempt, respond, useAttempts, withUpstream } from './attempt-stage.ts';
import { type OneCall, openCall, principalOf } from './one-call.ts';

const { inside, begin } = useAttempts();
const text = ['one ', 'two ', 'three'];

describe('G8: a stream that breaks after output', () => {
  test('ends with an error, is charged for its output, and is not retried', async () => {
    inside().main.next(stream(chatFrames({ text }), { stopAfter: { frames: 3 }, ending: 'cut' }));
    const { answer, steps, call } = begin(chat(true));
    const told = await textOf(await answer);
    expect(told).toContain('one ');
    expect(told).toContain('"code":"upstream_error"');
    expect(told).not.toContain('[DONE]');
    expect(steps.names).toEqual(['settle failed']);
    expect(steps.evidence[0]?.produced?.text).toContain('one');
    expect(call.outcome).toMatchObject({
      end: 'failed',
      code: 'upstream_error',
      attempts: [{ upstream: 'main', status: 200, code: null }],
    });
  });

  test('gives the hold back when an image is not complete', async () => {
    inside().main.next(stream(imageFrames({ partials: 1 }), { stopAfter: { frames: 1 }, ending: 'cut' }));
    const { answer, steps } = begin(draw(true));
    expect(await textOf(await answer)).toContain('"code":"upstream_error"');
    expect(steps.names).toEqual(['release failed']);
  });

  test('because its events are in a wrong order is logged', async () => {
    const [created, ...rest] = responseFrames({ text: 'one' });
    const misplaced = [created, ...rest.slice(0, 4), created].flatMap((event) => event ?? []);
    inside().main.next(stream([...misplaced, ...rest.slice(4)]));
    const { answer, call } = begin(respond(true));
    expect(await textOf(await answer)).toContain('response.failed');
    expect([call.outcome.end, call.outcome.code]).toEqual(['failed', 'internal_error']);
    expect(await inside().lineWhere(({ id, msg }) => id === call.id && msg === 'stream failed')).toMatchObject({ code: 'internal_error' });
  });

  test('is not checked against the contract outside of development', async () => {
    const [created, ...rest] = responseFrames({ text: 'one' });
    inside().main.next(stream([created, ...rest.slice(0, 4), created, ...rest.slice(4)].flatMap((event) => event ?? [])));
    const { gateway } = inside();
    const { answer, call } = begin(respond(true), { gateway: { ...gateway, config: { ...gateway.config, development: false } } });
    expect(await textOf(await answer)).toContain('response.completed');
    expect(call.outcome.end).toBe('completed');
  });
});

describe('G1: a response that cannot be stored', () => {
  const recording = () => ({ echo: {}, save: () => undefined, saved: () => Promise.reject(new GatewayError('overloaded')), note: null });

  test('is charged when its caller got output, and ends with response.failed', async () => {
    const begun = Promise.withResolvers<void>();
    const [first = {}, second = {}, third = {}, fourth = {}, ...rest] = responseFrames({ text });
    inside().main.next(stream([first, second, third, fourth, { until: begun.promise }, ...rest]));
    const { answer, steps } = begin(respond(true), { recording: recording() });
    const frames = await answer;
    begun.resolve();
    expect(await textOf(frames)).toContain('response.failed');
    expect(steps.names).toEqual(['settle completed']);
  });

  test('is not charged when its caller gets an error status', async () => {
    const frames = responseFrames({ text });
    // In one piece, so that the end comes before anything is shown.
    const whole = frames.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    inside().main.next(stream([{ raw: whole }]));
    const { answer, steps } = begin(respond(true), { recording: recording() });
    await expect(answer).rejects.toMatchObject({ code: 'overloaded' });
    expect(steps.names).toEqual(['release failed']);
  });
});

describe('G6: a caller who disconnects', () => {
  test('before the attempt causes no request', async () => {
    const order = openCall({ principal: principalOf() });
    order.hangUp();
    const { answer, steps, call } = begin(chat(), { call: order });
    await expect(answer).rejects.toMatchObject({ code: 'upstream_error', cause: { message: 'the caller has left' } });
    expect([steps.names, call.outcome.attempts, inside().main.requests.length]).toEqual([[], [], 0]);
  });

  test.each([
    ['a whole answer', chat(), ['settle client_gone']],
    ['a stream that has not begun', chat(true), ['settle client_gone']],
    ['a picture, whose input has no price', draw(), []],
  ])('while the call waits aborts the request, and is charged for its input where that has a price: %s', async (_what, ask, expected) => {
    const { main } = inside();
    main.next(later(new Promise(() => undefined), json(chatCompletion())));
    const { answer, steps, hangUp, call } = begin(ask);
    await main.arrival(0);
    hangUp();
    await expect(answer).rejects.toMatchObject({ name: 'GatewayError', code: 'upstream_error' });
    await main.hangUp(0);
    expect([steps.names, call.outcome.attempts]).toMatchObject([expected, [{ upstream: 'main', status: null, code: 'upstream_error' }]]);
    for (const { usage, produced, request } of steps.evidence)
      expect([usage, produced, request.messages]).toMatchObject([null, null, [{ role: 'user' }]]);
  });

  test('in the middle of an answer without a stream aborts the request and is charged', async () => {
    const { main } = inside();
    main.next(json(chatCompletion(), { stopAfter: { bytes: 20 }, ending: 'stall' }));
    const { answer, steps, hangUp, call } = begin(chat());
    await expect.poll(() => main.requests[0]?.sent.length).toBe(20);
    hangUp();
    await expect(answer).rejects.toMatchObject({ name: 'GatewayError' });
    await main.hangUp(0);
    expect([steps.names, call.outcome.attempts]).toMatchObject([['settle client_gone'], [{ code: 'upstream_error' }]]);
  });

  test('in the middle of a stream is charged for the output so far, and aborts the request', async () => {
    const { main } = inside();
    main.next(stream(chatFrames({ text }), { stopAfter: { frames: 3 }, ending: 'stall' }));
    const { answer, steps, hangUp, call } = begin(chat(true));
    const told = await answer;
    if (told.kind !== 'stream') expect.fail('no stream');
    for await (const chunk of told.frames.iterator({ destroyOnReturn: false })) if (String(chunk).includes('two')) break;
    hangUp();
    told.frames.destroy();
    await main.hangUp(0);
    await expect.poll(() => steps.names).toEqual(['settle client_gone']);
    expect([call.outcome.end, steps.evidence[0]?.produced?.text, inside().gateway.streams.size]).toEqual(['client_gone', 'one two ', 0]);
  });
});

describe('G6: where vendors bill to the end, a caller who leaves', () => {
  const settleBy = ({ call }: OneCall, settled: Promise<void>): void => {
    if (call.admission instanceof Admission) call.admission.settled = settled;
  };
  const draining = (): Gateway => withUpstream(inside(), { onClientGone: 'drain', drainMs: 60_000, drainBytes: 1_000_000 });

  test.each([
    ['a whole answer', chat(), json(chatCompletion({ text: 'heard' }))],
    ['a stream', chat(true), stream(chatFrames({ text: 'heard', includeUsage: true }))],
  ])('is charged for %s that is read to its end, and the gateway keeps count of it until then', async (_what, ask, script) => {
    const { main, gateway } = inside();
    const gate = Promise.withResolvers<void>();
    const settled = Promise.withResolvers<void>();
    main.next(later(gate.promise, script));
    const order = openCall({ principal: principalOf() });
    settleBy(order, settled.promise);
    const { answer, steps, call } = begin(ask, { call: order, gateway: draining() });
    await main.arrival(0);
    order.hangUp();
    expect([gateway.draining.size, call.outcome.isDrained]).toEqual([1, true]);
    gate.resolve();
    await answer;
    await expect.poll(() => [steps.names, call.outcome.end]).toEqual([['settle client_gone'], 'completed']);
    expect(steps.evidence[0]?.usage?.output).toBe(7);
    settled.resolve();
    await expect.poll(() => gateway.draining.size).toBe(0);
  });

  test('does not keep the request open when the gateway cuts its drains', async () => {
    const { main, gateway } = inside();
    main.next(later(new Promise(() => undefined), json(chatCompletion())));
    const order = openCall({ principal: principalOf() });
    settleBy(order, new Promise(() => undefined));
    const answers = { ...gateway.draining, add: ({ cut }: { cut(): void }) => cut() };
    const { answer } = begin(chat(), { call: order, gateway: { ...draining(), draining: answers as unknown as Gateway['draining'] } });
    await main.arrival(0);
    order.hangUp();
    await expect(answer).rejects.toMatchObject({ name: 'GatewayError' });
    await main.hangUp(0);
  });

  test('with an idempotency key does not start a drain: the answer is finished and stored', async () => {
    const { main, gateway } = inside();
    const gate = Promise.withResolvers<void>();
    main.next(later(gate.promise, json(chatCompletion({ text: 'kept' }))));
    const order = openCall({ principal: principalOf() });
    const kept: string[] = [];
    const nothing = async (): Promise<void> => undefined;
    order.call.once = {
      add: () => undefined,
      forget: () => undefined,
      seal: nothing,
      release: nothing,
      keepWhole: async (bytes) => void kept.push(String(bytes)),
    };
    const { answer, steps } = begin(chat(), { call: order, gateway: draining() });
    await main.arrival(0);
    order.hangUp();
    expect(gateway.draining.size).toBe(0);
    gate.resolve();
    await answer;
    expect([steps.names, kept.length]).toEqual([['settle completed'], 1]);
  });
});

describe('the verdict about another attempt', () => {
  test('G9: a stream that the shutdown ends is not retried', async () => {
    const { main, gateway } = inside();
    main.next(stream(chatFrames({ text }), { stopAfter: { frames: 0 }, ending: 'stall' }));
    const { answer, steps } = begin(chat(true));
    await expect.poll(() => gateway.streams.size).toBe(1);
    for (const open of gateway.streams) open.end(new GatewayError('overloaded'), { isFinal: true });
    expect(await failedAttempt(answer)).toMatchObject({ error: { code: 'overloaded' }, verdict: 'caller' });
    expect(steps.names).toEqual([]);
  });

  test.each(['overloaded', 'no_upstream_available'] as const)(
    'an upstream that is full or has no key (%s) is not asked again, also when the caller has disconnected',
    async (code) => {
      const { gateway } = inside();
      for (const hasLeft of [false, true]) {
        const order = openCall({ principal: principalOf() });
        const full: Upstream = {
          name: 'main',
          send: () => {
            if (hasLeft) order.hangUp();
            return Promise.reject(new GatewayError(code));
          },
          close: async () => undefined,
        };
        const { answer, steps } = begin(chat(), {
          call: order,
          gateway: { ...gateway, upstreams: { find: () => full, close: full.close } },
        });
        expect(await failedAttempt(answer)).toMatchObject({ error: { code }, status: null, verdict: 'elsewhere' });
        expect(steps.names).toEqual([]);
      }
    },
  );

  test.each([
    [401, true, { verdict: 'again', restMs: 0 }],
    [429, true, { verdict: 'again', restMs: 0 }],
    [401, false, { verdict: 'elsewhere', restMs: 9_000 }],
    [500, true, { verdict: 'again', restMs: 9_000 }],
  ])('after status %i with a spare key: %s', async (status, hasSpareKey, expected) => {
    const { gateway, main } = inside();
    main.next(failure(status, { headers: { 'retry-after': '9' } }));
    const real = gateway.upstreams.find('main');
    const spare = Object.assign(real, { hasSpareKey: () => hasSpareKey });
    const { answer } = begin(chat(), { gateway: { ...gateway, upstreams: { find: () => spare, close: real.close } } });
    expect(await failedAttempt(answer)).toMatchObject({ status, ...expected });
  });
});

describe('the timeout of the first event', () => {
  const waiting = (text: number, pictures: number): Gateway =>
    withUpstream(inside(), { timeouts: { firstEventMs: text }, imageTimeouts: { firstEventMs: pictures } });

  test.each([
    ['texts', chat(true), 20, 60_000],
    ['pictures', draw(true), 60_000, 20],
  ])('is separate for %s', async (_what, ask, ofTexts, ofPictures) => {
    inside().main.next(stream([], { ending: 'stall' }));
    const { answer } = begin(ask, { gateway: waiting(ofTexts, ofPictures) });
    expect(await failedAttempt(answer)).toMatchObject({ error: { code: 'upstream_timeout' } });
  });
});

test.each([
  ['codex_exec', 'event: keepalive'],
  ['curl', ': keepalive'],
])('F17: while the vendor is silent, the client %s gets the heartbeat “%s”', async (originator, expected) => {
  const silent = Promise.withResolvers<void>();
  const [created = {}, begun = {}, added = {}, ...rest] = responseFrames({ text });
  inside().main.next(stream([created, begun, added, { until: silent.promise }, ...rest]));
  const { gateway } = inside();
  const server = { ...gateway.config.server, heartbeatMs: 10 };
  const { answer } = begin(respond(true), { headers: { originator }, gateway: { ...gateway, config: { ...gateway.config, server } } });
  const told = await answer;
  if (told.kind !== 'stream') expect.fail('no stream');
  let read = '';
  for await (const chunk of told.frames) {
    read += chunk;
    if (read.includes('keepalive')) silent.resolve();
  }
  const beats = read.match(/^.*keepalive$/gm) ?? [];
  expect(new Set(beats)).toEqual(new Set([expected]));
});
