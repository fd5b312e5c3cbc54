/** Routing: session affinity, conversations, resting upstreams, the circuit breaker, several API keys, and log lines without an upstream. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { json } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { response } from '../../fakes/responses.ts';
import { holdClock } from '../../harness/held-clock.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { attemptsOf, openStage, says, textOf } from './stage.ts';

const both = [{ upstream: 'main' }, { upstream: 'backup' }] as const;
const whoOf = async (answer: Response): Promise<string> => String(await textOf(answer));

const Stored = z.object({ id: z.string() });

test('F26, G12: sends calls of one session to one upstream, spreads sessions over both, and separates accounts', async () => {
  const { gateway, main, backup, ask } = await openStage({ candidates: both });
  main.always(says('main'));
  backup.always(says('backup'));
  const { key } = await gateway.newKey({ account: 'another' });
  const homesOf = async (init?: { key: string }) =>
    await Promise.all(Array.from({ length: 40 }, async (_, n) => await whoOf(await ask({ prompt_cache_key: `s${n}` }, init))));
  const homes = await homesOf();
  expect(new Set(homes)).toEqual(new Set(['main', 'backup']));
  expect(await homesOf()).toEqual(homes);
  // The chance that two accounts have the same forty is about 1 in 10^12.
  expect(await homesOf({ key })).not.toEqual(homes);
});

test('sends calls without a session to the upstream of their key', async () => {
  const { gateway, main, backup, ask } = await openStage({ candidates: both });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = new Set<string>();
  for (let n = 0; n < 24; n++) {
    const { key } = await gateway.newKey();
    const home = await whoOf(await ask({}, { key }));
    expect(await whoOf(await ask({}, { key }))).toBe(home);
    homes.add(home);
  }
  expect(homes.size).toBe(2);
});

test('keeps an unnamed conversation at one upstream with affinity: session, and spreads conversations over both', async () => {
  const { main, backup, ask } = await openStage({ candidates: both, routing: { affinity: 'session' } });
  main.always(says('main'));
  backup.always(says('backup'));
  const begin = (n: number) => [
    { role: 'system', content: 'You look.' },
    { role: 'user', content: `Question ${n}` },
  ];
  const more = [
    { role: 'assistant', content: 'Well.' },
    { role: 'user', content: 'And?' },
  ];
  const homesOf = (rest: readonly object[]) =>
    Promise.all(Array.from({ length: 20 }, async (_, n) => await whoOf(await ask({ messages: [...begin(n), ...rest] }))));
  const homes = await homesOf([]);
  expect(new Set(homes)).toEqual(new Set(['main', 'backup']));
  expect(await homesOf(more)).toEqual(homes);
});

test.each([
  ['none', { prompt_cache_key: 'same' }],
  ['session', {}],
])('spreads calls over both upstreams with affinity: %s and %j', async (affinity, fields) => {
  const { main, backup, ask } = await openStage({ candidates: both, routing: { affinity } });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = await Promise.all(Array.from({ length: 40 }, async () => await whoOf(await ask(fields))));
  expect(new Set(homes).size).toBe(2);
});

test('F12: continues a conversation at the upstream of its last response, whatever the priorities are', async () => {
  const { gateway, main, backup, asked } = await openStage();
  const respond = async (fields: Record<string, unknown>) =>
    Stored.parse(await (await gateway.call('/responses', { method: 'POST', json: { model: 'm', ...fields } })).json());
  main.next(failure(500));
  backup.next(json(response({ text: 'One.' }))).next(json(response({ text: 'Two.' })));
  const { id } = await respond({ input: 'First.' });
  await respond({ input: 'Second.', previous_response_id: id });
  expect(asked()).toEqual([1, 2]);
  main.next(json(response({ text: 'Elsewhere.' })));
  await respond({ input: 'Another conversation.' });
  expect(asked()).toEqual([2, 2]);
});

test('sends no calls to an upstream after two failures during the cooldown, and all after one good trial', async () => {
  const { main, backup, ask, asked } = await openStage({ routing: { breaker: { failures: 2, cooldownMs: 600_000 } } });
  const clock = holdClock();
  main.next(failure(500), { times: 2 }).always(says('main'));
  backup.always(says('backup'));
  for (let n = 0; n < 6; n++) expect(await whoOf(await ask())).toBe('backup');
  clock.pass(599_999);
  expect([await whoOf(await ask()), asked()]).toEqual(['backup', [2, 7]]);
  clock.pass(1);
  for (let n = 0; n < 6; n++) expect(await whoOf(await ask())).toBe('main');
});

test("skips a candidate that can't serve a field", async () => {
  const candidates = [
    { upstream: 'main', protocols: ['responses'] },
    { upstream: 'backup', priority: 2 },
  ];
  const { backup, ask, asked } = await openStage({ candidates });
  backup.next(says('twice'));
  const answer = await ask({ n: 2 });
  expect(await textOf(answer)).toBe('twice');
  expect(asked()).toEqual([0, 1]);
  expect(backup.last.fields).toMatchObject({ n: 2 });
});

test('tries the third API key after two rejected ones', async () => {
  const { main, ask } = await openStage({
    candidates: [{ upstream: 'main' }],
    main: { apiKey: undefined, apiKeys: ['sk-one', 'sk-two', 'sk-three'] },
  });
  main.next(failure(401), { times: 2 }).always(says('main'));
  expect(attemptsOf(await ask())).toBe('main 401, main 401, main 200');
});

test('F59: uses another API key while one is cooling down after a 429', async () => {
  const keys = ['sk-one', 'sk-two', 'sk-three'];
  const { main, ask, asked } = await openStage({ candidates: [{ upstream: 'main' }], main: { apiKey: undefined, apiKeys: keys } });
  main.always(says('main'));
  await ask();
  const home = main.last.headers.authorization;
  main.clear();
  main.next(failure(429, { headers: { 'retry-after': '60' } })).always(says('main'));
  expect(attemptsOf(await ask())).toBe('main 429, main 200');
  await ask();
  expect(asked()).toEqual([3, 0]);
  const used = main.requests.map(({ headers }) => headers.authorization);
  expect(used[0]).toBe(home);
  expect(used[1]).not.toBe(home);
  expect(used[2]).toBe(used[1]);
});

const rejected = json({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }, { status: 401 });
const keys = { apiKey: undefined, apiKeys: ['sk-one', 'sk-two'] };

test('F59: returns 503 without a request when all API keys are rejected, and logs the reason', async () => {
  const { gateway, main, ask, asked } = await openStage({ candidates: [{ upstream: 'main' }], main: keys });
  main.next(rejected).next(rejected);
  await expectRefusal(await ask(), { code: 'upstream_error' });
  const later = await ask();
  expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(200);
  await expectRefusal(later, { code: 'no_upstream_available' });
  expect(asked()).toEqual([2, 0]);
  const line = await gateway.lineWhere(({ level, code }) => level === 'error' && code === 'no_upstream_available');
  expect(JSON.stringify(line)).toContain('rejected every key');
  expect(gateway.gateway.health.getStates()).toMatchObject([{ state: 'closed' }]);
});

test('serves calls by the backup when all API keys are rejected, within three attempts', async () => {
  const { main, backup, ask } = await openStage({ main: keys, routing: { maxAttempts: 3 } });
  main.next(rejected).next(rejected);
  backup.next(says('one')).next(says('two'));
  expect(await textOf(await ask())).toBe('one');
  expect(await textOf(await ask())).toBe('two');
});

const breaker = { failures: 5, cooldownMs: 60_000 };

test('A6: sends calls to the only upstream of a model after five failures in a row', async () => {
  const { main, ask } = await openStage({ routing: { breaker, maxAttempts: 1 }, candidates: [{ upstream: 'main' }] });
  main.next(failure(500), { times: breaker.failures }).always(says('well again'));
  for (let n = 0; n < breaker.failures; n++) expect((await ask()).status).toBe(502);
  expect(await whoOf(await ask())).toBe('well again');
  expect(main.requests).toHaveLength(breaker.failures + 1);
});

test('A6: sends only the calls of an account to the backup after five failures of that account', async () => {
  const { gateway, main, backup, ask } = await openStage({ routing: { breaker, maxAttempts: 1 } });
  const { key } = await gateway.newKey({ account: 'another' });
  backup.always(says('from the backup'));
  main.next(failure(500), { times: breaker.failures }).always(says('from main'));
  for (let n = 0; n < breaker.failures; n++) expect((await ask({}, { key })).status).toBe(502);
  expect(attemptsOf(await ask({}, { key }))).toBe('backup 200');
  const answer = await ask();
  expect(await textOf(answer)).toBe('from main');
});

const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
test.each([
  ['without a balance', 'insufficient_balance', { balance: 0n }],
  ['over a limit', 'token_limit_exceeded', { limits: { ...none, tokensPerMinute: { limit: 1, mode: 'enforce' as const } } }],
] as const)('C11: logs no upstream for a call %s', async (_what, code, order) => {
  const { gateway, ask } = await openStage();
  const { key } = await gateway.newKey({ account: 'rejected', ...order });
  await (await ask({}, { key })).text();
  const rejected = await ask({}, { key });
  const line = await gateway.lineOf(rejected);
  expect(line).toMatchObject({ code, model: 'm', end: 'rejected' });
  expect([line.upstream, line.attempts]).toEqual([undefined, undefined]);
  await expectRefusal(rejected, { code });
});
