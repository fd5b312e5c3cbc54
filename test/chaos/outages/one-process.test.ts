/** One gateway on PostgreSQL and Redis: of more concurrent calls than the balance pays for, exactly as many are admitted as it does (F29, promise G3). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { chargesOf, expectReconciled, untilSettled } from './books.ts';
import { hold, isLeftOut, named, openStage, type Stage } from './stage.ts';
import { ask, countStatuses } from './traffic.ts';

const CALLERS = 200;

describe.skipIf(isLeftOut)(named('one gateway on PostgreSQL'), () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(1);
  });
  afterAll(() => stage.close());

  test.each([
    [7n, 0n],
    // The rest is too little for another call.
    [23n, 399n],
  ])(`F29, G3: of ${CALLERS} concurrent calls against a balance for %i, exactly so many are held and charged`, async (served, rest) => {
    const { key } = await stage.open(1_000_000_000n);
    await Promise.all(Array.from({ length: 60 }, () => ask(stage, { at: 0, key })));
    const poor = await stage.open(served * hold + rest);
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const before = stage.fake.requests.length;
    const answer = async () => {
      await gate;
      return json(chatCompletion({ text: 'hello' }));
    };
    stage.fake.next(answer, { times: Number(served) });
    let rejected = 0;
    const asked = Array.from({ length: CALLERS }, async () => {
      const told = await ask(stage, { at: 0, key: poor.key });
      if (told.status !== 200) rejected++;
      return told;
    });
    // While the served calls hold the money, all others are rejected.
    await expect.poll(() => rejected, { interval: 10 }).toBe(CALLERS - Number(served));
    expect(await stage.ledger.getBalance(poor.accountId)).toMatchObject({ held: served * hold });
    release();
    const told = await Promise.all(asked);
    expect(countStatuses(told)).toEqual({ 200: Number(served), 403: CALLERS - Number(served) });
    expect(stage.fake.requests.length - before).toBe(Number(served));
    await untilSettled(stage, poor.accountId);
    const posted = (await chargesOf(stage, poor.accountId)).filter(({ state }) => state === 'posted');
    expect(posted).toHaveLength(Number(served));
    await expectReconciled(stage);
    recordAttempts('G3', { what: 'calls at once with money for fewer', times: CALLERS });
  });
});
