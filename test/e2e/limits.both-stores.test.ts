/** Limits over HTTP: the exact number of calls is admitted, rejected calls count nothing, and errors and headers are right (F37 to F39, promise G11). */
import { request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { failure, later } from '../fakes/faults.ts';
import { openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openClock, refusals, rushTo, type Said, through, times } from './limits-rush.ts';

const ask = { model: 'open', messages: [{ role: 'user', content: 'hello' }], max_tokens: 100 };
const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;

const clock = openClock();
const { pass, leaked } = clock;

const fake = useOpened(() => openFake());
const gateway = useOpened(() =>
  startGateway({
    validateResponses: false,
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url } },
    groups: { crowd: { limits: { requestsPerMinute: 20 } } },
    models: [
      { id: 'open', kind: 'text' },
      { id: 'busy', kind: 'text', limits: { requestsPerMinute: 20 } },
      { id: 'watched', kind: 'text', limits: { requestsPerMinute: { limit: 1, mode: 'observe' }, concurrency: { limit: 1, mode: 'off' } } },
      { id: 'vip-only', kind: 'text', groups: ['vip'] },
    ],
  }),
);
beforeEach(() => {
  fake.clear();
  clock.start();
});
afterEach(() => clock.stop());

/** All at once, each on its own connection. */
const rush = (key: string, count: number, body: object = ask) => rushTo(gateway.origin, { key, bodies: times(count, body) });

/** Expects so many admitted calls, and at most as many more as the elapsed time allows. */
function expectThrough(said: readonly Said[], most: number): void {
  expect(through(said)).toBeGreaterThanOrEqual(most);
  expect(through(said)).toBeLessThanOrEqual(most + leaked(most));
}

describe('many concurrent calls', () => {
  test('G11: admits exactly 100 of 1,000 calls of a key with 100 requests per minute, and sends them upstream', async () => {
    const { key } = await gateway.newKey({ account: 'hundred', limits: { ...none, requestsPerMinute: enforced(100) } });
    const said = await rush(key, 1_000);
    expectThrough(said, 100);
    expect(refusals(said)).toEqual(['429 rate_limit_exceeded']);
    expect(fake.requests).toHaveLength(through(said));
    expect(gateway.gateway.details()).toEqual(clock.stands ? [] : ['limits: shared']);
    if (clock.stands) {
      await pass(599);
      expect(through(await rush(key, 10))).toBe(0);
      await pass(1);
      expect(through(await rush(key, 10))).toBe(1);
    }
    recordAttempts('G11', { what: 'calls at once over a limit', times: said.length });
  });

  test('G11: admits exactly 100 of 1,000 with a concurrency limit of 100, and 100 more when these have ended', async () => {
    const { key } = await gateway.newKey({ account: 'slots', limits: { ...none, concurrency: enforced(100) } });
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.always(later(promise, json(chatCompletion())));
    const rushing = rush(key, 1_000);
    await fake.arrival(99);
    const isRejected = ({ code }: Record<string, unknown>) => code === 'concurrency_limit_exceeded';
    await expect.poll(() => gateway.lines.filter(isRejected).length).toBe(900);
    resolve();
    const said = await rushing;
    expect(through(said)).toBe(100);
    expect(refusals(said)).toEqual(['429 concurrency_limit_exceeded']);
    expect(fake.requests).toHaveLength(100);
    expect(through(await rush(key, 100))).toBe(100);
    recordAttempts('G11', { what: 'calls at once over a limit', times: said.length });
  });

  test.each([
    [
      'an account',
      async () => {
        const { key, accountId } = await gateway.newKey({ account: 'twenty' });
        const limits = { ...none, requestsPerMinute: enforced(20) };
        const audit = { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: Date.now() };
        await gateway.withAccess(({ store }) => store.editAccount(accountId, { limits }, audit));
        return { key, body: ask };
      },
    ],
    ['a group', async () => ({ key: (await gateway.newKey({ account: 'crowded', group: 'crowd' })).key, body: ask })],
    ['a model', async () => ({ key: gateway.key, body: { ...ask, model: 'busy' } })],
  ] as const)('G11: admits for %s with 20 requests per minute exactly 20 of 200', async (_what, prepare) => {
    const { key, body } = await prepare();
    const said = await rush(key, 200, body);
    expectThrough(said, 20);
    expect(refusals(said)).toEqual(['429 rate_limit_exceeded']);
    recordAttempts('G11', { what: 'calls at once over a limit', times: said.length });
  });

  test('G11: admits exactly 20 of 60 reads of the model list for a key with 20 requests per minute', async () => {
    const { key } = await gateway.newKey({ account: 'reader', limits: { ...none, requestsPerMinute: enforced(20) } });
    const answers = await Promise.all(Array.from({ length: 60 }, () => gateway.call('/models', { key })));
    const admitted = answers.filter(({ status }) => status === 200).length;
    expect([admitted >= 20, admitted <= 20 + leaked(20)]).toEqual([true, true]);
    recordAttempts('G11', { what: 'calls at once over a limit', times: answers.length });
  });

  test('G11, F36: admits calls while their estimated tokens fit, and frees tokens that they leave unused', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
    // The estimate: four bytes for an input token, and all output that the call allows.
    const thought = Math.ceil(JSON.stringify(ask).length / 4) + ask.max_tokens;
    // 50 more for what the gateway adds to the body: far less than a fifth call.
    const limit = 4 * thought + 50;
    const { key } = await gateway.newKey({ account: 'tokens', limits: { ...none, tokensPerMinute: enforced(limit) } });
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.always(later(promise, json(chatCompletion({ usage }))));
    const rushing = rush(key, 50);
    const isRejected = ({ code }: Record<string, unknown>) => code === 'token_limit_exceeded';
    await expect.poll(() => gateway.lines.filter(isRejected).length).toBe(46);
    resolve();
    const said = await rushing;
    expect(through(said)).toBe(4);
    expect(refusals(said)).toEqual(['429 token_limit_exceeded']);
    // Four calls used ten tokens each, and the fifth ten more.
    const [next] = await rush(key, 1);
    const remaining = Number(next?.headers['x-ratelimit-remaining-tokens']);
    expect(remaining).toBeGreaterThanOrEqual(limit - 50);
    expect(remaining).toBeLessThanOrEqual(limit - 50 + leaked(limit));
    recordAttempts('G11', { what: 'calls at once over a limit', times: said.length });
  });
});

test('admits all calls over a limit in observe mode and logs it, and logs none for one that is off', async () => {
  const said = await rush(gateway.key, 5, { ...ask, model: 'watched' });
  expect(through(said)).toBe(5);
  const line = await gateway.lineWhere(({ msg }) => msg === 'limit exceeded in observe mode');
  expect(line.limit).toMatchObject({ scope: 'model', subject: 'watched', quantity: 'requests', mode: 'observe' });
  expect(gateway.lines.filter(({ msg, limit }) => msg === line.msg && (limit as { quantity: string }).quantity !== 'requests')).toEqual([]);
});

describe('F39: a call', () => {
  const faulty: readonly (readonly [string, (key: string) => Promise<Response>])[] = [
    ['for its body', (key) => gateway.call('/chat/completions', { key, json: { ...ask, temperature: 'hot' } })],
    ['for its content type', (key) => gateway.call('/chat/completions', { key, body: 'hello', headers: { 'content-type': 'text/plain' } })],
    ['for its model', (key) => gateway.call('/chat/completions', { key, json: { ...ask, model: 'nobody' } })],
    ['for its group', (key) => gateway.call('/chat/completions', { key, json: { ...ask, model: 'vip-only' } })],
    ['for its path', (key) => gateway.call('/responses/resp_unknown', { key })],
  ];

  test.each(faulty)('counts towards no limit when rejected %s', async (what, call) => {
    const limits = { requestsPerMinute: enforced(3), tokensPerMinute: enforced(1_000), concurrency: enforced(3) };
    const { key } = await gateway.newKey({ account: `faulty ${what}`, limits });
    for (let count = 0; count < 10; count++) {
      const answer = await call(key);
      expect(answer.status).toBeLessThan(500);
      expect(answer.status).not.toBe(429);
      expect([answer.headers.get('x-ratelimit-remaining-requests'), answer.headers.get('x-ratelimit-remaining-tokens')]).toEqual([
        '3',
        '1000',
      ]);
      await answer.text();
    }
    expectThrough(await rush(key, 10), 3);
  });

  test('counts towards no limit when rejected for its balance, or by the limit itself', async () => {
    const limits = { ...none, requestsPerMinute: enforced(3) };
    const { key, accountId } = await gateway.newKey({ account: 'penniless', balance: 0n, limits });
    expect(refusals(await rush(key, 5))).toContain('403 insufficient_balance');
    const topUp = { accountId, transfer: 'late', kind: 'top_up', amount: 10_000_000n, note: null, at: Date.now() } as const;
    await gateway.gateway.money?.ledger.adjust(topUp);
    expectThrough(await rush(key, 20), 3);
    if (clock.stands) {
      await pass(20_000);
      expect(through(await rush(key, 5))).toBe(1);
    }
  });

  test('leaves the request limit unchanged when rejected by the token limit', async () => {
    const { key } = await gateway.newKey({
      account: 'wordy',
      limits: { ...none, requestsPerMinute: enforced(5), tokensPerMinute: enforced(1) },
    });
    expect(through(await rush(key, 1))).toBe(1);
    for (let count = 0; count < 10; count++) expect(refusals(await rush(key, 1))).toEqual(['429 token_limit_exceeded']);
    const { headers } = await gateway.call('/models', { key });
    const remaining = Number(headers.get('x-ratelimit-remaining-requests'));
    expect([remaining >= 3, remaining <= 3 + leaked(5)]).toEqual([true, true]);
  });
});

test('F38: frees the limit of callers who disconnect in the middle of their bodies', async () => {
  const { key } = await gateway.newKey({ account: 'fickle', limits: { ...none, requestsPerMinute: enforced(120) } });
  for (let count = 0; count < 2; count++) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 1_000 };
    const calling = send(`${gateway.baseURL}/chat/completions`, { method: 'POST', headers });
    calling.on('error', () => undefined);
    await new Promise((sent) => calling.write('{"model":', sent));
    // A whole call on another connection: by then the gateway has read what was sent on this one.
    await (await gateway.call('/models')).text();
    calling.destroy();
    await gateway.lineWhere(({ end }) => end === 'client_disconnected');
    gateway.lines.length = 0;
  }
  // After this time two requests are free again.
  await pass(1_000);
  const [next] = await rush(key, 1);
  expect(next?.headers['x-ratelimit-remaining-requests']).toBe('119');
});

describe('rate limit headers', () => {
  const names = ['limit', 'remaining', 'reset'].flatMap((name) =>
    ['requests', 'tokens'].map((quantity) => `x-ratelimit-${name}-${quantity}`),
  );
  const limits = { ...none, requestsPerMinute: enforced(30), tokensPerMinute: enforced(6_000) };
  let key: string;
  beforeEach(async () => {
    if (clock.stands) await pass(600_000);
    key = (await gateway.newKey({ account: 'headed', limits })).key;
  });

  test.each([
    [200, '/chat/completions', ask, () => json(chatCompletion())],
    [200, '/chat/completions', { ...ask, stream: true }, () => stream(chatFrames())],
    [400, '/chat/completions', { ...ask, temperature: 'hot' }, null],
    [404, '/chat/completions', { ...ask, model: 'nobody' }, null],
    [403, '/chat/completions', { ...ask, model: 'vip-only' }, null],
    [502, '/chat/completions', ask, () => failure(500)],
    [429, '/chat/completions', ask, () => failure(429)],
  ] as const)('sends them with status %s to %s %j', async (status, path, body, script) => {
    if (script) fake.next(script());
    const answer = await gateway.call(path, { key, json: body });
    await answer.text();
    expect(answer.status).toBe(status);
    for (const name of names)
      expect([name, answer.headers.get(name)]).toEqual([name, expect.stringMatching(/^\d+(?:\.\d+)?(?:ms|s|m\d.*s)?$/)]);
    expect([answer.headers.get('x-ratelimit-limit-requests'), answer.headers.get('x-ratelimit-limit-tokens')]).toEqual(['30', '6000']);
  });

  test('shows the tokens that were used after the call has ended', async () => {
    fake.next(json(chatCompletion({ usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 } })));
    const answer = await gateway.call('/chat/completions', { key, json: ask });
    // At most the estimate counts: the call allowed 100 output tokens.
    const remaining = Number(answer.headers.get('x-ratelimit-remaining-tokens'));
    expect(remaining).toBeLessThan(5_900);
    const later = Number((await gateway.call('/models', { key })).headers.get('x-ratelimit-remaining-tokens'));
    expect(later).toBeGreaterThanOrEqual(remaining);
    expect(later).toBeLessThanOrEqual(remaining + leaked(6_000));
  });
});

test('admits a caller who waits for retry-after-ms', async () => {
  clock.stop();
  const { key } = await gateway.newKey({ account: 'patient', limits: { ...none, requestsPerMinute: enforced(120) } });
  // More calls than the limit admits in the time that they take.
  const rejected = (await rush(key, 400)).filter(({ status }) => status === 429);
  expect(rejected).not.toEqual([]);
  const waits = rejected.map(({ headers }) => Number(headers['retry-after-ms']));
  // One is admitted every 500 ms, and from now on there is only this caller.
  expect(waits.filter((waitMs) => waitMs < 1 || waitMs > 500)).toEqual([]);
  expect(new Set(rejected.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['1']));
  // Timers may be a millisecond early.
  await pause(Math.max(...waits) + 2);
  expect((await gateway.call('/chat/completions', { key, json: ask })).status).toBe(200);
});
