/** A vendor that fails, and another that answers in its place: before the caller is shown anything, so often and so long, and never for a fault of the caller (promise G5). */
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

/** Of one who is asked, and does not begin to answer. */
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
  test('is made up for by another, and the caller pays for one answer', async () => {
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

  test('is made up for in a stream, too', async () => {
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
])('F02: an error within status 200, in %s, is a failure like any other', async (_title, isStream, script) => {
  const { main, backup, ask } = await openStage();
  main.next(script);
  backup.next(isStream ? streams('from the backup') : says('from the backup'));
  const answer = await ask({ stream: isStream });
  expect(await answer.text()).toMatch(/backup"/);
  expect(attemptsOf(answer)).toBe('main 200, backup 200');
});

test('F03, F04: a response that fails before it says anything is begun anew elsewhere, and the caller sees one beginning', async () => {
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

test('F40: under an idempotency key, too, what is kept is the answer of the attempt that worked, from its beginning', async () => {
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

test('F03, G5: a stream that breaks after its first event is not begun anew, and says so', async () => {
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
] as const)('F57: a fault of the caller (%s) is told as it is, asked nowhere else, and speaks against no vendor', async (code, script) => {
  const { gateway, main, ask, asked } = await openStage({ routing: { breaker: { failures: 1 } } });
  main.next(script);
  await expectRefusal(await ask(), { code });
  expect(asked()).toEqual([1, 0]);
  expect(gateway.gateway.health.states()).toMatchObject([{ upstream: 'main', state: 'closed' }]);
});

test('F58: an unknown model is 404 and touches nobody’s health', async () => {
  const { gateway, ask, asked } = await openStage({ routing: { breaker: { failures: 1 } } });
  await expectRefusal(await ask({ model: 'nope' }), { code: 'model_not_found', param: 'model' });
  expect(asked()).toEqual([0, 0]);
  expect(gateway.gateway.health.states()).toEqual([]);
});

test('G5: no more attempts than are allowed, each place twice at most; the caller hears of the last one', async () => {
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
  // The headers are waited for longer than that.
  main.always(silence);
  await expectRefusal(await ask(), { code: 'upstream_timeout' });
  expect(asked()).toEqual([1, 0]);
});

test('a model at one vendor alone is asked once more, a little later, where that can help', async () => {
  const alone = [{ upstream: 'main' }];
  const { main, ask, asked } = await openStage({ candidates: alone });
  main.next(failure(500)).next(says('at last'));
  expect(await textOf(await ask())).toBe('at last');
  main.next(failure(401)).next(says('never'));
  await expectRefusal(await ask(), { code: 'upstream_error' });
  expect(asked()).toEqual([3, 0]);
});

test('a picture that takes too long is drawn and billed all the same: it is not ordered twice', async () => {
  const { gateway, main, asked } = await openStage({ main: noHeaders });
  main.next(silence);
  const answer = await gateway.call('/images/generations', { method: 'POST', json: { model: 'drawn', prompt: 'A cat.' } });
  await expectRefusal(answer, { code: 'upstream_timeout' });
  expect(asked()).toEqual([1, 0]);
});

test('a vendor that does not come to the end of its refusal keeps nobody waiting for the backup', async () => {
  const { main, backup, ask } = await openStage();
  main.next(json({ error: { message: 'no' } }, { status: 503, stopAfter: { bytes: 4 }, ending: 'stall' }));
  backup.next(says('from the backup'));
  expect(await textOf(await ask())).toBe('from the backup');
  // Its silence would have been borne for five minutes.
  expect(main.last).toMatchObject({ status: 503, endedAt: null });
});

test('a streamed picture that takes too long is not ordered twice either', async () => {
  const { gateway, main, asked } = await openStage({ main: waitsOf({ firstEventMs: 400 }) });
  main.next(stream([], { ending: 'stall' }));
  const answer = await gateway.call('/images/generations', { method: 'POST', json: { model: 'drawn', prompt: 'A cat.', stream: true } });
  await expectRefusal(answer, { code: 'upstream_timeout' });
  expect(asked()).toEqual([1, 0]);
});

test('G9: the end of the drain begins nothing anew', async () => {
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

test('a body that takes longer to come than attempts may take is sent all the same', async () => {
  const { gateway, main } = await openStage({ routing: { deadlineMs: 100 } });
  main.next(says('at last'));
  const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] });
  const slowly = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 10)));
      // A whole round beside it: the request has begun by then.
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

test('G6: a caller who leaves between two attempts is not tried for any more', async () => {
  const { gateway, main, backup, ask, asked } = await openStage();
  const leaving = new AbortController();
  // Both are let rest, and the next attempt waits for that.
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
