/** A breaker that has no other place to go to refuses nobody, and what one account does to a place is not held against it for others (F59). */
import { expect, test } from 'vitest';
import { failure } from '../../fakes/faults.ts';
import { attemptsOf, openStage, says, textOf } from './stage.ts';

const breaker = { failures: 5, cooldownMs: 60_000 };
const alone = [{ upstream: 'main' }];

test('A6: after failures in a row at the only place of a model its calls reach the vendor all the same', async () => {
  const { main, ask } = await openStage({ routing: { breaker, maxAttempts: 1 }, candidates: alone });
  main.next(failure(500), { times: breaker.failures });
  for (let n = 0; n < breaker.failures; n++) expect((await ask()).status).toBe(502);
  main.always(says('well again'));
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(await textOf(answer)).toBe('well again');
  expect(main.requests).toHaveLength(breaker.failures + 1);
});

test('A6: failures that one account brings about send another account nowhere else', async () => {
  const { gateway, main, backup, ask } = await openStage({ routing: { breaker, maxAttempts: 1 } });
  const { key } = await gateway.newKey({ account: 'another' });
  backup.always(says('from the backup'));
  main.next(failure(500), { times: breaker.failures }).always(says('from main'));
  for (let n = 0; n < breaker.failures; n++) expect((await ask({}, { key })).status).toBe(502);
  expect(attemptsOf(await ask({}, { key }))).toBe('backup 200');
  const answer = await ask();
  expect(await textOf(answer)).toBe('from main');
});
