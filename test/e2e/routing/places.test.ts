/** Where calls go: sessions keep to their place, conversations to who answered last, resting places are left alone, and keys are spread. */
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

test('F26: calls of one session go to one vendor; sessions are spread over both', async () => {
  const { main, backup, ask } = await openStage({ candidates: both });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = await Promise.all(Array.from({ length: 40 }, async (_, n) => await whoOf(await ask({ prompt_cache_key: `s${n}` }))));
  expect(new Set(homes)).toEqual(new Set(['main', 'backup']));
  for (const [n, home] of homes.entries()) expect(await whoOf(await ask({ prompt_cache_key: `s${n}` }))).toBe(home);
});

test('calls without a session keep to the place of their key', async () => {
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

test('without affinity one key is served by both', async () => {
  const { main, backup, ask } = await openStage({ candidates: both, routing: { affinity: 'none' } });
  main.always(says('main'));
  backup.always(says('backup'));
  const homes = await Promise.all(Array.from({ length: 40 }, async () => await whoOf(await ask({ prompt_cache_key: 'same' }))));
  expect(new Set(homes).size).toBe(2);
});

test('F12: a conversation goes on where its last answer came from, whatever the priorities say', async () => {
  const { gateway, main, backup, asked } = await openStage();
  const respond = async (fields: Record<string, unknown>) =>
    Stored.parse(await (await gateway.call('/responses', { method: 'POST', json: { model: 'm', ...fields } })).json());
  main.next(failure(500));
  backup.next(json(response({ text: 'One.' }))).next(json(response({ text: 'Two.' })));
  const { id } = await respond({ input: 'First.' });
  await respond({ input: 'Second.', previous_response_id: id });
  expect(asked()).toEqual([1, 2]);
});

test('F59: a vendor that asks to be left alone gets no call in that time, and the caller hears how long all of them rest', async () => {
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
  // What is left of the shorter time of the two.
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(100);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  await expectRefusal(refused, { code: 'no_upstream_available' });
  expect(asked()).toEqual([1, 3]);
});

const failsTwice = (cooldownMs: number) => openStage({ routing: { breaker: { failures: 2, cooldownMs } } });

test('a vendor that keeps failing is left alone for a while', async () => {
  const { main, backup, ask, asked } = await failsTwice(600_000);
  main.next(failure(500), { times: 2 });
  backup.always(says('backup'));
  for (let n = 0; n < 6; n++) expect(await whoOf(await ask())).toBe('backup');
  expect(asked()[0]).toBe(2);
});

test('a vendor that kept failing is taken back after one good trial', async () => {
  const { main, backup, ask } = await failsTwice(10);
  main.next(failure(500), { times: 2 }).always(says('main'));
  backup.always(says('backup'));
  for (let n = 0; n < 2; n++) expect(await whoOf(await ask())).toBe('backup');
  await expect.poll(async () => whoOf(await ask())).toBe('main');
  for (let n = 0; n < 6; n++) expect(await whoOf(await ask())).toBe('main');
});

test('a place that cannot be asked for this is passed over, not asked without it', async () => {
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

test('however many keys are refused, one that works is found within the attempts', async () => {
  const { main, ask } = await openStage({
    candidates: [{ upstream: 'main' }],
    main: { apiKey: undefined, apiKeys: ['sk-one', 'sk-two', 'sk-three'] },
  });
  main.next(failure(401), { times: 2 }).always(says('main'));
  expect(attemptsOf(await ask())).toBe('main 401, main 401, main 200');
});

test('of several keys one that is refused rests, and its calls go on with another', async () => {
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
