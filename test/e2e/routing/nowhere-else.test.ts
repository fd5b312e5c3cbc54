/** A circuit breaker refuses no calls where there is no other upstream, and failures of one account do not move the calls of another (F59). */
import { expect, test } from 'vitest';
import { failure } from '../../fakes/faults.ts';
import { attemptsOf, openStage, says, textOf } from './stage.ts';

const breaker = { failures: 5, cooldownMs: 60_000 };
const alone = [{ upstream: 'main' }];

test('A6: after five failures in a row, calls still reach the only upstream of a model', async () => {
  const { main, ask } = await openStage({ routing: { breaker, maxAttempts: 1 }, candidates: alone });
  main.next(failure(500), { times: breaker.failures });
  for (let n = 0; n < breaker.failures; n++) expect((await ask()).status).toBe(502);
  main.always(says('well again'));
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(await textOf(answer)).toBe('well again');
  expect(main.requests).toHaveLength(breaker.failures + 1);
});

test('A6: after five failures of one account, only its own calls go to the backup', async () => {
  const { gateway, main, backup, ask } = await openStage({ routing: { breaker, maxAttempts: 1 } });
  const { key } = await gateway.newKey({ account: 'another' });
  backup.always(says('from the backup'));
  main.next(failure(500), { times: breaker.failures }).always(says('from main'));
  for (let n = 0; n < breaker.failures; n++) expect((await ask({}, { key })).status).toBe(502);
  expect(attemptsOf(await ask({}, { key }))).toBe('backup 200');
  const answer = await ask();
  expect(await textOf(answer)).toBe('from main');
});
