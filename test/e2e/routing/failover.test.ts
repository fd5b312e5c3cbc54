/** Failover to another vendor: only before the caller gets output, up to the bounds of attempts and time, and never for a mistake of the caller (promise G5). */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { failure, garbage, hangUp, html, reset, silence } from '../../fakes/faults.ts';
import { failedFrames, responseFrames } from '../../fakes/responses.ts';
import type { Script } from '../../fakes/script.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { waitsOf } from '../../harness/vendor.ts';
import { attemptsOf, chargesOf, openStage, says, streams, textOf } from './stage.ts';

/** A short timeout for the headers of an answer. */
const noHeaders = waitsOf({ headersMs: 400 });

const faults: Readonly<Record<string, { readonly script: Script; readonly tried: string; readonly main?: object }>> = {
  'answers 500': { script: failure(500), tried: 'main 500' },
  'answers 503': { script: failure(503), tried: 'main 503' },
  'has no more room': { script: failure(429), tried: 'main 429' },
  'knows the key of the gateway no more': { script: failure(401, { code: 'invalid_api_key' }), tried: 'main 401' },
  'does not have the model': { script: failure(404), tried: 'main 404' },
  'hangs up': { script: hangUp, tried: 'main' },
  'resets the connection': { script: reset, tried: 'main' },
  'speaks no HTTP': { script: garbage, tried: 'main' },
  'says nothing': { script: silence, tried: 'main', main: noHeaders },
  'answers with a page': { script: html(), tried: 'main 200' },
};

describe.each(Object.entries(faults))('a vendor that %s', (_title, { script, tried, main: settings = {} }) => {
  test('is replaced by another, and the caller is charged once', async () => {
    const { gateway, main, backup, ask, asked } = await openStage({ main: { ...settings } });
    main.next(script);
    backup.next(says('from the backup'));
    const answer = await ask();
    expect([answer.status, await textOf(answer)]).toEqual([200, 'from the backup']);
    expect(attemptsOf(answer)).toBe(`${tried}, backup 200`);
    expect(asked()).toEqual([1, 1]);
    expect(await gateway.lineOf(answer)).toMatchObject({ attempts: 2, upstream: 'backup', end: 'completed' });
    expect(await chargesOf(gateway)).toHaveLength(1);
  });

  test('is replaced by another in a stream, too', async () => {
    const { main, backup, ask } = await openStage({ main: { ...settings } });
    main.next(script);
    backup.next(streams('from the backup'));
    const answer = await ask({ stream: true });
    const text = await answer.text();
    expect(text).toContain('"backup"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(attemptsOf(answer)).toBe(`${tried}, backup 200`);
  });
});

const inside = { message: 'busy', type: 'server_error', code: 'server_is_overloaded', param: null };
test.each([
  ['a whole answer', false, json({ error: inside })],
  ['the first event of a stream', true, stream([{ data: { error: inside } }])],
])('F02: after an error inside %s of status 200 the backup is asked', async (_title, isStream, script) => {
  const { main, backup, ask } = await openStage();
  main.next(script);
  backup.next(isStream ? streams('from the backup') : says('from the backup'));
  const answer = await ask({ stream: isStream });
  expect(await answer.text()).toMatch(/backup"/);
  expect(attemptsOf(answer)).toBe('main 200, backup 200');
});

test('F03, F04: a responses stream that fails before any output is retried at the backup, and the caller gets one response.created', async () => {
  const { gateway, main, backup } = await openStage();
  main.next(stream(failedFrames({ code: 'server_is_overloaded', message: 'busy' })));
  backup.next(stream(responseFrames({ text: 'from the backup' })));
  const answer = await gateway.call('/responses', { method: 'POST', json: { model: 'm', input: 'Hello.', stream: true } });
  const text = await answer.text();
  expect(text.match(/"type":"response.created"/g)).toHaveLength(1);
  expect(text).not.toContain('response.failed');
  const ids = new Set(text.match(/"id":"resp_[^"]+"/g));
  expect(ids.size).toBe(1);
  expect(attemptsOf(answer)).toBe('main 200, backup 200');
});

test('F40: the answer that is stored under an idempotency key is that of the attempt that worked', async () => {
  const { gateway, main, backup } = await openStage();
  main.next(stream(responseFrames({ text: 'from main' }), { stopAfter: { frames: 2 }, gapMs: 20, ending: 'cut' }));
  backup.next(stream(responseFrames({ text: 'from the backup' })));
  const headers = { 'idempotency-key': 'one' };
  const ask = () => gateway.call('/responses', { method: 'POST', json: { model: 'm', input: 'Hello.', stream: true }, headers });
  const first = await (await ask()).text();
  const again = await ask();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.text()).toBe(first);
  expect(first.match(/"type":"response.created"/g)).toHaveLength(1);
});

test('F03, G5: a stream that breaks after output is not retried and ends with an error', async () => {
  const { main, ask, asked } = await openStage();
  main.next(stream(chatFrames({ text: ['one ', 'two ', 'three'] }), { stopAfter: { frames: 2 }, ending: 'cut' }));
  const text = await (await ask({ stream: true })).text();
  expect(text).toContain('one');
  expect(text).toContain('"code":"upstream_error"');
  expect(text).not.toContain('[DONE]');
  expect(asked()).toEqual([1, 0]);
});

test.each([
  ['invalid_value', failure(400, { message: 'Nonsense.', code: 'invalid_value' })],
  ['context_length_exceeded', failure(400, { message: 'Too long.', code: 'context_length_exceeded' })],
  ['request_too_large', failure(413)],
] as const)('F57: a mistake of the caller (%s) is not retried and does not count for the circuit breaker', async (code, script) => {
  const { gateway, main, ask, asked } = await openStage({ routing: { breaker: { failures: 1 } } });
  main.next(script);
  await expectRefusal(await ask(), { code });
  expect(asked()).toEqual([1, 0]);
  expect(gateway.gateway.health.states()).toMatchObject([{ upstream: 'main', state: 'closed' }]);
});

test('F58: an unknown model is 404, and no vendor is asked', async () => {
  const { gateway, ask, asked } = await openStage({ routing: { breaker: { failures: 1 } } });
  await expectRefusal(await ask({ model: 'nope' }), { code: 'model_not_found', param: 'model' });
  expect(asked()).toEqual([0, 0]);
  expect(gateway.gateway.health.states()).toEqual([]);
});

test('G5: with maxAttempts: 3, main is asked twice and the backup once, and the caller is charged nothing', async () => {
  const { gateway, main, backup, ask, asked } = await openStage({ routing: { maxAttempts: 3 } });
  main.always(failure(500));
  backup.always(failure(503));
  const answer = await ask();
  expect(attemptsOf(answer)).toBe('main 500, backup 503, main 500');
  await expectRefusal(answer, { code: 'upstream_error' });
  expect(asked()).toEqual([2, 1]);
  expect(await chargesOf(gateway)).toMatchObject([{ state: 'voided', charged: '0.000000' }]);
});

test('G5: no attempt begins after the deadline', async () => {
  const { main, ask, asked } = await openStage({ routing: { deadlineMs: 100 }, main: noHeaders });
  // The timeout of the headers is longer.
  main.always(silence);
  await expectRefusal(await ask(), { code: 'upstream_timeout' });
  expect(asked()).toEqual([1, 0]);
});

test('a model with one upstream is tried a second time after 500, and not after 401', async () => {
  const alone = [{ upstream: 'main' }];
  const { main, ask, asked } = await openStage({ candidates: alone });
  main.next(failure(500)).next(says('at last'));
  expect(await textOf(await ask())).toBe('at last');
  main.next(failure(401)).next(says('never'));
  await expectRefusal(await ask(), { code: 'upstream_error' });
  expect(asked()).toEqual([3, 0]);
});

test('an image call that times out is not retried, since the vendor may still bill it', async () => {
  const { gateway, main, asked } = await openStage({ main: noHeaders });
  main.next(silence);
  const answer = await gateway.call('/images/generations', { method: 'POST', json: { model: 'drawn', prompt: 'A cat.' } });
  await expectRefusal(answer, { code: 'upstream_timeout' });
  expect(asked()).toEqual([1, 0]);
});

test('failover does not wait for the end of an error body', async () => {
  const { main, backup, ask } = await openStage();
  main.next(json({ error: { message: 'no' } }, { status: 503, stopAfter: { bytes: 4 }, ending: 'stall' }));
  backup.next(says('from the backup'));
  expect(await textOf(await ask())).toBe('from the backup');
  // The idle timeout is five minutes.
  expect(main.last).toMatchObject({ status: 503, endedAt: null });
});

test('a streamed image call that times out is not retried', async () => {
  const { gateway, main, asked } = await openStage({ main: waitsOf({ firstEventMs: 400 }) });
  main.next(stream([], { ending: 'stall' }));
  const answer = await gateway.call('/images/generations', { method: 'POST', json: { model: 'drawn', prompt: 'A cat.', stream: true } });
  await expectRefusal(answer, { code: 'upstream_timeout' });
  expect(asked()).toEqual([1, 0]);
});

test('G9: a stream that the shutdown ends is not retried', async () => {
  const { gateway, main, backup, ask, asked } = await openStage();
  main.next(stream(chatFrames({ text: ['one'] }), { stopAfter: { frames: 0 }, ending: 'stall' }));
  backup.always(streams('never'));
  const answer = ask({ stream: true });
  await main.arrival(0);
  await expect.poll(() => gateway.gateway.streams.size).toBe(1);
  gateway.gateway.endStreams();
  await expectRefusal(await answer, { code: 'overloaded' });
  expect(asked()).toEqual([1, 0]);
});

test('a request whose body takes longer than deadlineMs is sent to the vendor', async () => {
  const { gateway, main } = await openStage({ routing: { deadlineMs: 100 } });
  main.next(says('at last'));
  const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
  const slowly = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 10)));
      // A whole call beside it: by then the request has begun.
      await (await gateway.call('/models')).text();
      await pause(300);
      controller.enqueue(Buffer.from(text.slice(10)));
      controller.close();
    },
  });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` };
  const answer = await fetch(`${gateway.baseURL}/chat/completions`, { method: 'POST', headers, body: slowly, duplex: 'half' });
  expect(await textOf(answer)).toBe('at last');
});

test('G6: after the caller has disconnected between two attempts, no more are made', async () => {
  const { gateway, main, backup, ask, asked } = await openStage();
  const leaving = new AbortController();
  // Both upstreams rest, and the next attempt waits for that.
  const busy = failure(503, { headers: { 'retry-after': '2' } });
  main.always(busy);
  backup.always(busy);
  const answer = ask({}, { signal: leaving.signal });
  await backup.arrival(0);
  await expect.poll(() => backup.last.endedAt).not.toBeNull();
  leaving.abort();
  await expect(answer).rejects.toThrow();
  expect(await gateway.lineWhere(({ end }) => end === 'client_gone')).toMatchObject({ status: 499 });
  expect(asked()).toEqual([1, 1]);
});
