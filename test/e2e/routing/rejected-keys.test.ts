/** An upstream with several API keys that all are rejected: callers get 503, and the log says why (F59). */
import { expect, test } from 'vitest';
import { json } from '../../fakes/delivery.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openStage, says, textOf } from './stage.ts';

const rejected = json({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }, { status: 401 });
const keys = { apiKey: undefined, apiKeys: ['sk-one', 'sk-two'] };

test('F59: when all API keys are rejected, later calls get 503 without a request, and the log says so', async () => {
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

test('when all API keys are rejected, the backup serves the calls, within three attempts', async () => {
  const { main, backup, ask } = await openStage({ main: keys, routing: { maxAttempts: 3 } });
  main.next(rejected).next(rejected);
  backup.next(says('one')).next(says('two'));
  expect(await textOf(await ask())).toBe('one');
  expect(await textOf(await ask())).toBe('two');
});
