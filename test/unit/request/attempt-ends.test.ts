/** How an attempt ends once its caller was shown something, has left, or the gateway stops: what is charged, what is cut, what is heard out (promises G4, G6, G8, G9). */
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

describe('G8: a stream that breaks behind its first event', () => {
  test('says so in its own words, is charged for what it said, and is no failed attempt any more', async () => {
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

  test('gives the money back where nobody got what was asked: half a picture is none', async () => {
    inside().main.next(stream(imageFrames({ partials: 1 }), { stopAfter: { frames: 1 }, ending: 'cut' }));
    const { answer, steps } = begin(draw(true));
    expect(await textOf(await answer)).toContain('"code":"upstream_error"');
    expect(steps.names).toEqual(['release failed']);
  });

  test('by a fault of ours is in the log, with its cause', async () => {
    const [created, ...rest] = responseFrames({ text: 'one' });
    const misplaced = [created, ...rest.slice(0, 4), created].flatMap((event) => event ?? []);
    inside().main.next(stream([...misplaced, ...rest.slice(4)]));
    const { answer, call } = begin(respond(true));
    expect(await textOf(await answer)).toContain('response.failed');
    expect([call.outcome.end, call.outcome.code]).toEqual(['failed', 'internal_error']);
    expect(await inside().lineWhere(({ id, msg }) => id === call.id && msg === 'stream failed')).toMatchObject({ code: 'internal_error' });
  });

  test('the contract is not looked at where nobody develops', async () => {
    const [created, ...rest] = responseFrames({ text: 'one' });
    inside().main.next(stream([created, ...rest.slice(0, 4), created, ...rest.slice(4)].flatMap((event) => event ?? [])));
    const { gateway } = inside();
    const { answer, call } = begin(respond(true), { gateway: { ...gateway, config: { ...gateway.config, development: false } } });
    expect(await textOf(await answer)).toContain('response.completed');
    expect(call.outcome.end).toBe('completed');
  });
});

describe('G1: a response that was made and cannot be stored', () => {
  const recording = () => ({ echo: {}, save: () => undefined, saved: () => Promise.reject(new GatewayError('overloaded')), note: null });

  test('is owed by whoever has read some of it, and ends as a failure', async () => {
    const begun = Promise.withResolvers<void>();
    const [first = {}, second = {}, third = {}, fourth = {}, ...rest] = responseFrames({ text });
    inside().main.next(stream([first, second, third, fourth, { until: begun.promise }, ...rest]));
    const { answer, steps } = begin(respond(true), { recording: recording() });
    const frames = await answer;
    begun.resolve();
    expect(await textOf(frames)).toContain('response.failed');
    expect(steps.names).toEqual(['settle completed']);
  });

  test('is owed by nobody who is told by a status', async () => {
    const frames = responseFrames({ text });
    // All of it in one piece: there is an end before there is a beginning to show.
    const whole = frames.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    inside().main.next(stream([{ raw: whole }]));
    const { answer, steps } = begin(respond(true), { recording: recording() });
    await expect(answer).rejects.toMatchObject({ code: 'overloaded' });
    expect(steps.names).toEqual(['release failed']);
  });
});

describe('G6: a caller who leaves', () => {
  test('before anything was sent is asked nowhere for', async () => {
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
  ])('while it is waited for ends the request of the vendor, and owes what went there: %s', async (_what, ask, expected) => {
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

  test('in the middle of a whole answer is found out by what has come of it', async () => {
    const { main } = inside();
    main.next(json(chatCompletion(), { stopAfter: { bytes: 20 }, ending: 'stall' }));
    const { answer, steps, hangUp, call } = begin(chat());
    await expect.poll(() => main.requests[0]?.sent.length).toBe(20);
    hangUp();
    await expect(answer).rejects.toMatchObject({ name: 'GatewayError' });
    await main.hangUp(0);
    expect([steps.names, call.outcome.attempts]).toMatchObject([['settle client_gone'], [{ code: 'upstream_error' }]]);
  });

  test('in the middle of a stream owes what was said, and cuts the vendor', async () => {
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
  ])('is charged for %s that is heard to its end, and the gateway knows of it until then', async (_what, ask, script) => {
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

  test('is heard out no longer than the gateway lives', async () => {
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

  test('with an idempotency key is finished for the next try, and not heard out', async () => {
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

describe('what speaks for another attempt', () => {
  test('G9: not the end of the gateway: an open stream that was not begun ends there', async () => {
    const { main, gateway } = inside();
    main.next(stream(chatFrames({ text }), { stopAfter: { frames: 0 }, ending: 'stall' }));
    const { answer, steps } = begin(chat(true));
    await expect.poll(() => gateway.streams.size).toBe(1);
    for (const open of gateway.streams) open.end(new GatewayError('overloaded'), { isFinal: true });
    expect(await failedAttempt(answer)).toMatchObject({ error: { code: 'overloaded' }, verdict: 'caller' });
    expect(steps.names).toEqual([]);
  });

  test.each(['overloaded', 'no_upstream_available'] as const)(
    'a place that had no room or no key (%s) is not asked again, also where its caller has left',
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
  ])('another key that may do: status %i, spare key %s', async (status, hasSpareKey, expected) => {
    const { gateway, main } = inside();
    main.next(failure(status, { headers: { 'retry-after': '9' } }));
    const real = gateway.upstreams.find('main');
    const spare = { ...real, hasSpareKey: () => hasSpareKey };
    const { answer } = begin(chat(), { gateway: { ...gateway, upstreams: { find: () => spare, close: real.close } } });
    expect(await failedAttempt(answer)).toMatchObject({ status, ...expected });
  });
});

describe('how long the first event is waited for', () => {
  const waiting = (text: number, pictures: number): Gateway =>
    withUpstream(inside(), { timeouts: { firstEventMs: text }, imageTimeouts: { firstEventMs: pictures } });

  test.each([
    ['texts', chat(true), 20, 60_000],
    ['pictures', draw(true), 60_000, 20],
  ])('is said of %s by themselves', async (_what, ask, ofTexts, ofPictures) => {
    inside().main.next(stream([], { ending: 'stall' }));
    const { answer } = begin(ask, { gateway: waiting(ofTexts, ofPictures) });
    expect(await failedAttempt(answer)).toMatchObject({ error: { code: 'upstream_timeout' } });
  });
});

test.each([
  ['codex_exec', 'event: keepalive'],
  ['curl', ': keepalive'],
])('F17: in silence a caller who is %s reads what it hears: %s', async (originator, expected) => {
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
