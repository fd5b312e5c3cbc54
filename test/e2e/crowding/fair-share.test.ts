/** The connections of an upstream are shared: no account takes all of them. */
import { expect, test } from 'vitest';
import { later } from '../../fakes/faults.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openStage, says, textOf } from '../routing/stage.ts';

test("A13: rejects a call of an account with 8 of an upstream's 10 slots, and serves another account", async () => {
  const { gateway, main, ask, asked } = await openStage({ candidates: [{ upstream: 'main' }], main: { maxConcurrentRequests: 10 } });
  const { key } = await gateway.newKey({ account: 'another' });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('slow')), { times: 8 }).always(says('to another account'));
  const running = Array.from({ length: 8 }, () => ask());
  await main.arrival(7);
  await expectRefusal(await ask(), { code: 'overloaded', says: 'account' });
  expect(await textOf(await ask({}, { key }))).toBe('to another account');
  expect(asked()).toEqual([9, 0]);
  open();
  for (const answer of await Promise.all(running)) expect(await textOf(answer)).toBe('slow');
});
