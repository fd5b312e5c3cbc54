/** Failover to another vendor: only before the caller gets output, and never for a mistake of the caller (promise G5). */
import { describe, expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { failure, garbage, hangUp, html, redirect, reset, silence } from '../../fakes/faults.ts';
import { failedFrames, responseFrames } from '../../fakes/responses.ts';
import type { Script } from '../../fakes/script.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { waitsOf } from '../../harness/vendor.ts';
import { attemptsOf, says, streams, textOf, useStage } from './stage.ts';

const inside = (code: string) => ({ message: 'busy', type: 'server_error', code, param: null });
/** An error with status 200: in a whole answer, or in the first event of a stream. */
const errorInside =
  (code: string) =>
  (isStream: boolean): Script =>
    isStream ? stream([{ data: { error: inside(code) } }]) : json({ error: inside(code) });

interface Fault {
  readonly script: Script | ((isStream: boolean) => Script);
  readonly tried: string;
  /** The circuit breaker of the vendor, which opens at one failure. */
  readonly health: 'open' | 'closed';
}

const faults: Readonly<Record<string, Fault>> = {
  'returns 500': { script: failure(500), tried: 'main 500', health: 'open' },
  'returns 503': { script: failure(503), tried: 'main 503', health: 'open' },
  'limits the rate': { script: failure(429), tried: 'main 429', health: 'closed' },
  'limits the rate for ten minutes': {
    script: failure(429, { headers: { 'retry-after': '600' } }),
    tried: 'main 429',
    health: 'closed',
  },
  "rejects the gateway's key": { script: failure(401, { code: 'invalid_api_key' }), tried: 'main 401', health: 'open' },
  'does not have the model': { script: failure(404), tried: 'main 404', health: 'open' },
  'hangs up': { script: hangUp, tried: 'main', health: 'open' },
  'resets the connection': { script: reset, tried: 'main', health: 'open' },
  'speaks no HTTP': { script: garbage, tried: 'main', health: 'open' },
  'points elsewhere': { script: redirect('http://127.0.0.1:9/'), tried: 'main 307', health: 'open' },
  'returns a page': { script: html(), tried: 'main 200', health: 'open' },
  'returns 200 with an error inside': { script: errorInside('server_is_overloaded'), tried: 'main 200', health: 'open' },
  'returns 200 with a rate limit inside': { script: errorInside('rate_limit_exceeded'), tried: 'main 200', health: 'closed' },
  'breaks off before any output': {
    script: (isStream) =>
      isStream
        ? stream(chatFrames(), { stopAfter: { frames: 0 }, ending: 'cut' })
        : json(chatCompletion(), { stopAfter: { bytes: 20 }, ending: 'cut' }),
    tried: 'main 200',
    health: 'open',
  },
};
const rows = Object.entries(faults).flatMap(([title, fault]) => [false, true].map((isStream) => [title, isStream, fault] as const));

describe('a provider whose breaker opens at one failure', () => {
  const stage = useStage({ routing: { breaker: { failures: 1 } } });

  test.each(rows)('G5, F02, F57: fails over to the backup when it %s, with one charge (stream: %s)', async (_title, isStream, fault) => {
    const { gateway, main, backup, ask, asked, health, chargeOf } = stage();
    main.next(typeof fault.script === 'function' ? fault.script(isStream) : fault.script);
    backup.next(isStream ? streams('from the backup') : says('from the backup'));
    const answer = await ask({ stream: isStream });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringContaining('backup"')]);
    if (isStream) expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect([attemptsOf(answer), asked()]).toEqual([`${fault.tried}, backup 200`, [1, 1]]);
    expect(await gateway.lineOf(answer)).toMatchObject({ attempts: 2, upstream: 'backup', end: 'completed' });
    expect(await chargeOf(answer)).toMatchObject({ state: 'posted', outcome: 'completed' });
    expect(health()).toEqual([`main ${fault.health}`, 'backup closed']);
  });

  test.each([
    ['invalid_value', failure(400, { message: 'Nonsense.', code: 'invalid_value' })],
    ['context_length_exceeded', failure(400, { message: 'Too long.', code: 'context_length_exceeded' })],
    ['request_too_large', failure(413)],
  ] as const)('F57: reports %s, a mistake of the caller, without failover, and its breaker stays closed', async (code, script) => {
    const { main, ask, asked, health } = stage();
    main.next(script);
    await expectRefusal(await ask(), { code });
    expect([asked(), health()]).toEqual([[1, 0], ['main closed']]);
  });

  test('F57: breaks the contract in a stream without failover, since that is a fault of the gateway', async () => {
    const { gateway, model, main, asked, health } = stage();
    main.next(stream(responseFrames({ text: 'one' }).slice(1)));
    const answer = await gateway.call('/responses', { json: { model, input: 'Hello.', stream: true } });
    await expectRefusal(answer, { code: 'internal_error' });
    expect([asked(), health()]).toEqual([[1, 0], ['main closed']]);
  });
});

describe('a provider that times out', () => {
  const { timeouts } = waitsOf({ headersMs: 400, firstEventMs: 400 });
  const stage = useStage({ main: { timeouts } });

  test.each([false, true])('fails over to the backup (stream: %s)', async (isStream) => {
    const { main, backup, ask } = stage();
    main.next(isStream ? stream([], { ending: 'stall' }) : silence);
    backup.next(isStream ? streams('from the backup') : says('from the backup'));
    const answer = await ask({ stream: isStream });
    expect(await answer.text()).toContain('backup"');
    expect(attemptsOf(answer)).toBe(isStream ? 'main 200, backup 200' : 'main, backup 200');
  });
});

describe('a provider', () => {
  const { imageTimeouts } = waitsOf({ headersMs: 400, firstEventMs: 400 });
  const stage = useStage({ main: { imageTimeouts } });

  test.each([false, true])('times out with an image without failover, since it may still bill the image (stream: %s)', async (isStream) => {
    const { gateway, main, asked } = stage();
    main.next(isStream ? stream([], { ending: 'stall' }) : silence);
    const answer = await gateway.call('/images/generations', { json: { model: 'drawn', prompt: 'A cat.', stream: isStream } });
    await expectRefusal(answer, { code: 'upstream_timeout' });
    expect(asked()).toEqual([1, 0]);
  });

  test('F03, F04: fails over when its responses stream fails before any output, with one response.created', async () => {
    const { gateway, model, main, backup } = stage();
    main.next(stream(failedFrames({ code: 'server_is_overloaded', message: 'busy' })));
    backup.next(stream(responseFrames({ text: 'from the backup' })));
    const answer = await gateway.call('/responses', { json: { model, input: 'Hello.', stream: true } });
    const text = await answer.text();
    expect(text.match(/"type":"response.created"/g)).toHaveLength(1);
    expect(text).not.toContain('response.failed');
    expect(new Set(text.match(/"id":"resp_[^"]+"/g)).size).toBe(1);
    expect(attemptsOf(answer)).toBe('main 200, backup 200');
  });

  test('F40: leaves nothing of a failed stream in the response that the idempotency key stores', async () => {
    const { gateway, model, main, backup } = stage();
    main.next(stream(responseFrames({ text: 'from main' }), { stopAfter: { frames: 2 }, gapMs: 20, ending: 'cut' }));
    backup.next(stream(responseFrames({ text: 'from the backup' })));
    const headers = { 'idempotency-key': 'one' };
    const ask = () => gateway.call('/responses', { json: { model, input: 'Hello.', stream: true }, headers });
    const first = await (await ask()).text();
    const again = await ask();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(first);
    expect(first.match(/"type":"response.created"/g)).toHaveLength(1);
  });

  test('F03, G5: ends a stream that breaks after output with an error, without failover', async () => {
    const { main, ask, asked } = stage();
    main.next(stream(chatFrames({ text: ['one ', 'two ', 'three'] }), { stopAfter: { frames: 2 }, ending: 'cut' }));
    const text = await (await ask({ stream: true })).text();
    expect(text).toContain('one');
    expect(text).toContain('"code":"upstream_error"');
    expect(text).not.toContain('[DONE]');
    expect(asked()).toEqual([1, 0]);
  });

  test('fails over without waiting for the end of its error body', async () => {
    const { main, backup, ask } = stage();
    main.next(json({ error: { message: 'no' } }, { status: 503, stopAfter: { bytes: 4 }, ending: 'stall' }));
    backup.next(says('from the backup'));
    expect(await textOf(await ask())).toBe('from the backup');
    // The idle timeout is five minutes.
    expect(main.last).toMatchObject({ status: 503, endedAt: null });
  });

  test('G6: gets no request after the caller has disconnected between two attempts', async () => {
    const { gateway, main, backup, ask, asked } = stage();
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
    expect(await gateway.lineWhere(({ end }) => end === 'client_disconnected')).toMatchObject({ status: 499 });
    expect(asked()).toEqual([1, 1]);
  });

  test('G9: causes no failover when the shutdown ends its stream', async () => {
    const { gateway, main, backup, ask, asked } = stage();
    main.next(stream(chatFrames({ text: ['one'] }), { stopAfter: { frames: 0 }, ending: 'stall' }));
    backup.always(streams('never'));
    const answer = ask({ stream: true });
    await main.arrival(0);
    await expect.poll(() => gateway.gateway.streams.size).toBe(1);
    gateway.gateway.endStreams();
    await expectRefusal(await answer, { code: 'overloaded' });
    expect(asked()).toEqual([1, 0]);
  });
});
