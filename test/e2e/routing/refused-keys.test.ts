/** Several keys at one vendor who takes none of them any more: callers hear that nothing can be served, and the log says why (F59). */
import { expect, test } from 'vitest';
import { json } from '../../fakes/delivery.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openStage, says, textOf } from './stage.ts';

const refused = json({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }, { status: 401 });
const keys = { apiKey: undefined, apiKeys: ['sk-one', 'sk-two'] };

test('F59: callers of an upstream whose keys are all refused get 503, never 429, and its operator reads what is wrong', async () => {
  const { gateway, main, ask, asked } = await openStage({ candidates: [{ upstream: 'main' }], main: keys });
  main.next(refused).next(refused);
  await expectRefusal(await ask(), { code: 'upstream_error' });
  const later = await ask();
  expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(200);
  await expectRefusal(later, { code: 'no_upstream_available' });
  expect(asked()).toEqual([2, 0]);
  const line = await gateway.lineWhere(({ level, code }) => level === 'error' && code === 'no_upstream_available');
  expect(JSON.stringify(line)).toContain('refused every key');
  expect(gateway.gateway.health.states()).toMatchObject([{ state: 'closed' }]);
});

test('another upstream serves them, and no attempt is spent on the one without a key', async () => {
  const { main, backup, ask } = await openStage({ main: keys, routing: { maxAttempts: 3 } });
  main.next(refused).next(refused);
  backup.next(says('one')).next(says('two'));
  expect(await textOf(await ask())).toBe('one');
  expect(await textOf(await ask())).toBe('two');
});
