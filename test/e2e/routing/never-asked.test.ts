/** The log line of a call that is rejected before any upstream was asked has no upstream. */
import { expect, test } from 'vitest';
import { expectRefusal } from '../../harness/refusal.ts';
import { openStage } from './stage.ts';

test('C11: the log line of a call without a balance has no upstream', async () => {
  const { gateway, ask, asked } = await openStage();
  const { key } = await gateway.newKey({ account: 'penniless', balance: 0n });
  const rejected = await ask({}, { key });
  const line = await gateway.lineOf(rejected);
  expect(line).toMatchObject({ status: 403, code: 'insufficient_balance', model: 'm', end: 'rejected' });
  expect([line.upstream, line.attempts]).toEqual([undefined, undefined]);
  await expectRefusal(rejected, { code: 'insufficient_balance' });
  expect(asked()).toEqual([0, 0]);
});

test('C11: the log line of a call over a limit has no upstream', async () => {
  const { gateway, ask } = await openStage();
  const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
  const { key } = await gateway.newKey({ account: 'limited', limits: { ...none, tokensPerMinute: { limit: 1, mode: 'enforce' } } });
  await (await ask({}, { key })).text();
  const rejected = await ask({}, { key });
  await expectRefusal(rejected, { code: 'token_limit_exceeded' });
  expect((await gateway.lineOf(rejected)).upstream).toBeUndefined();
});
