/** Routing: session affinity, conversations, resting upstreams, the circuit breaker, and several API keys. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { json } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { response } from '../../fakes/responses.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { attemptsOf, openStage, says, textOf } from './stage.ts';

const both = [{ upstream: 'main' }, { upstream: 'backup' }] as const;
const whoOf = async (answer: Response): Promise<string> => String(await textOf(answer));

const Stored = z.object({ id: z.string() });

test('F26: calls of one session go to one upstream, and sessions are spread over both', async () => {
  const { main, backup, ask } = await openStage({ candidates: both });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = await Promise.all(Array.from({ length: 40 }, async (_, n) => await whoOf(await ask({ prompt_cache_key: `s${n}` }))));
  expect(new Set(homes)).toEqual(new Set(['main', 'backup']));
  for (const [n, home] of homes.entries()) expect(await whoOf(await ask({ prompt_cache_key: `s${n}` }))).toBe(home);
});

test('calls without a session go to the upstream of their key', async () => {
  const { gateway, main, backup, ask } = await openStage({ candidates: both });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = new Set<string>();
  for (let n = 0; n < 12; n++) {
    const { key } = await gateway.newKey();
    const home = await whoOf(await ask({}, { key }));
    expect(await whoOf(await ask({}, { key }))).toBe(home);
    homes.add(home);
  }
  expect(homes.size).toBe(2);
});

test('with affinity: none, calls of one session go to both', async () => {
  const { main, backup, ask } = await openStage({ candidates: both, routing: { affinity: 'none' } });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = await Promise.all(Array.from({ length: 40 }, async () => await whoOf(await ask({ prompt_cache_key: 'same' }))));
  expect(new Set(homes).size).toBe(2);
});

test('F12: a conversation continues at the upstream of its last answer, whatever the priorities are', async () => {
  const { gateway, main, backup, asked } = await openStage();
  const respond = async (fields: Record<string, unknown>) =>
    Stored.parse(await (await gateway.call('/responses', { method: 'POST', json: { model: 'm', ...fields } })).json());
  main.next(failure(500));
  backup.next(json(response({ text: 'One.' }))).next(json(response({ text: 'Two.' })));
  const { id } = await respond({ input: 'First.' });
  await respond({ input: 'Second.', previous_response_id: id });
  expect(asked()).toEqual([1, 2]);
});

test('F59: an upstream gets no calls during its retry-after, and when all rest the caller gets the shortest time', async () => {
  const { main, backup, ask, asked } = await openStage();
  main.next(failure(429, { headers: { 'retry-after': '600' } }));
  backup
    .next(says('one'))
    .next(says('two'))
    .next(failure(503, { headers: { 'retry-after': '300' } }));
  expect(attemptsOf(await ask())).toBe('main 429, backup 200');
  expect(attemptsOf(await ask())).toBe('backup 200');
  await expectRefusal(await ask(), { code: 'overloaded' });
  const refused = await ask();
  // The rest of the shorter of the two times.
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(100);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  await expectRefusal(refused, { code: 'no_upstream_available' });
  expect(asked()).toEqual([1, 3]);
});

const failsTwice = (cooldownMs: number) => openStage({ routing: { breaker: { failures: 2, cooldownMs } } });

test('an upstream that fails twice gets no more calls during the cooldown', async () => {
  const { main, backup, ask, asked } = await failsTwice(600_000);
  main.next(failure(500), { times: 2 });
  backup.always(says('backup'));
  for (let n = 0; n < 6; n++) expect(await whoOf(await ask())).toBe('backup');
  expect(asked()[0]).toBe(2);
});

test('after the cooldown one good trial brings an upstream back', async () => {
  const { main, backup, ask } = await failsTwice(10);
  main.next(failure(500), { times: 2 }).always(says('main'));
  backup.always(says('backup'));
  for (let n = 0; n < 2; n++) expect(await whoOf(await ask())).toBe('backup');
  await expect.poll(async () => whoOf(await ask())).toBe('main');
  for (let n = 0; n < 6; n++) expect(await whoOf(await ask())).toBe('main');
});

test('a candidate that cannot serve a field is skipped', async () => {
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

test('after two refused API keys the third is tried', async () => {
  const { main, ask } = await openStage({
    candidates: [{ upstream: 'main' }],
    main: { apiKey: undefined, apiKeys: ['sk-one', 'sk-two', 'sk-three'] },
  });
  main.next(failure(401), { times: 2 }).always(says('main'));
  expect(attemptsOf(await ask())).toBe('main 401, main 401, main 200');
});

test('an API key with a 429 rests, and its calls use another key', async () => {
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
