/** Limits that one process counts for several: as exact as in one process, and nothing of a process that ended stays taken. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LimitCounter } from '../../../../server/limits/asked/counter.ts';
import { openAskedLimits } from '../../../../server/limits/asked/limits.ts';
import type { LimitsChannel, Question, Reply } from '../../../../server/limits/asked/messages.ts';
import type { Limit, Take, Taken } from '../../../../server/limits/limiter.ts';
import { openMemoryLimits } from '../../../../server/limits/memory.ts';
import { hangLimitMs } from '../../../harness/hang-limit.ts';
import { limitOf, openClocked, plain, takeOf } from '../limit.ts';

const silentLog = { warn: () => undefined, info: () => undefined };
/** What the channel between two processes does to a message. */
const sent = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

/** A counter, and processes that ask it. */
function openCounted(mostPerMessage: number[] = []) {
  const { limits: counted, pass } = openClocked();
  const counter = new LimitCounter(counted);
  const asker = (asker: number, waitMs = hangLimitMs) => {
    const held: Question[] = [];
    let isHeld = false;
    let reply: (reply: Reply) => void = () => undefined;
    const pass = (question: Question) => reply(sent(counter.answer(asker, sent(question))));
    const channel: LimitsChannel = {
      ask(question) {
        mostPerMessage.push(question.steps.length);
        if (isHeld) held.push(question);
        else setImmediate(() => pass(question));
      },
      onReply(listener) {
        reply = listener;
      },
    };
    const limits = openAskedLimits({ channel, log: silentLog, waitMs });
    const hang = (): void => {
      isHeld = true;
    };
    const goOn = (): void => {
      isHeld = false;
      for (const question of held.splice(0)) pass(question);
    };
    return { limits, hang, goOn };
  };
  return { counter, counted, pass, asker };
}

const kinds = (taken: readonly Taken[], kind: Taken['kind']): number => taken.filter((one) => one.kind === kind).length;

describe('limits counted by one process for two', () => {
  test.each(['requests', 'concurrency', 'tokens'] as const)(
    'of 40 calls at once under a limit of 7 %s, exactly 7 are admitted',
    async (quantity) => {
      const { asker } = openCounted();
      const [one, other] = [asker(1).limits, asker(2).limits];
      const limit = limitOf(quantity, 7);
      const calls = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? one : other).take(takeOf([limit], { tokens: 1 })));
      const taken = await Promise.all(calls);
      expect([kinds(taken, 'taken'), kinds(taken, 'refused')]).toEqual([7, 33]);
    },
  );

  test('all steps of one turn travel in one message', async () => {
    const sizes: number[] = [];
    const { limits } = openCounted(sizes).asker(1);
    await Promise.all(Array.from({ length: 25 }, () => limits.take(takeOf([limitOf('requests', 100)]))));
    expect(sizes).toEqual([25]);
  });

  test('whatever is taken, given back and ended, each answer is that of limits in one process', async () => {
    const steps = fc.array(
      fc.record({ tokens: fc.nat(50), end: fc.constantFrom('finish', 'give back', 'count', 'stay'), used: fc.nat(80), ms: fc.nat(20_000) }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        const { asker, pass } = openCounted();
        const here = openClocked();
        const there = asker(1).limits;
        const limits: Limit[] = [
          limitOf('requests', 10),
          limitOf('tokens', 100),
          limitOf('concurrency', 3),
          limitOf('tokens', 60, { mode: 'observe', subject: 'key_2' }),
        ];
        for (const { tokens, end, used, ms } of calls) {
          const door = takeOf(limits, { quantities: ['requests'], isProvisional: true });
          const entered = await there.take(door);
          expect(entered).toEqual(plain(here.limits.take(door)));
          if (entered.kind === 'refused') continue;
          const whole: Take =
            end === 'count' ? { ...door, isProvisional: false, replaces: door } : takeOf(limits, { tokens, replaces: door });
          if (end === 'give back') expect(await there.giveBack(door)).toEqual(plain(here.limits.giveBack(door)));
          else {
            const taken = await there.take(whole);
            expect(taken).toEqual(plain(here.limits.take(whole)));
            if (taken.kind === 'refused') expect(await there.giveBack(door)).toEqual(plain(here.limits.giveBack(door)));
            pass(ms);
            here.pass(ms);
            if (taken.kind === 'taken' && end === 'finish')
              expect(await there.finish(whole, used)).toEqual(plain(here.limits.finish(whole, used)));
          }
          expect(await there.measure(limits)).toEqual(here.limits.measure(limits));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('the slots of a process that ended are free, what it did at the door is given back, and its tokens stay counted', async () => {
    const { asker, counter } = openCounted();
    const [dying, living] = [asker(1).limits, asker(2).limits];
    const limits = [limitOf('concurrency', 2), limitOf('tokens', 100), limitOf('requests', 3)];
    await dying.take(takeOf(limits, { tokens: 30 }));
    await living.take(takeOf(limits, { tokens: 30 }));
    await dying.take(takeOf(limits, { quantities: ['requests'], isProvisional: true }));
    expect((await living.take(takeOf(limits))).kind).toBe('refused');
    counter.forget(1);
    expect((await living.measure(limits)).map(({ remaining }) => remaining)).toEqual([1, 40, 1]);
    expect((await living.take(takeOf(limits))).kind).toBe('taken');
  });

  test('tokens that a process took just before it ended stay counted', () => {
    const counter = new LimitCounter(openMemoryLimits(() => 0));
    const limit = limitOf('tokens', 100);
    counter.answer(1, { id: 1, steps: [{ kind: 'take', number: 1, take: { ...takeOf([limit], { tokens: 30 }), replaces: null } }] });
    counter.forget(1);
    const { answers } = counter.answer(2, { id: 1, steps: [{ kind: 'measure', limits: [limit] }] });
    expect(answers).toMatchObject([[{ most: 100, remaining: 70 }]]);
  });

  test('a take whose answer comes too late is refused with 503, and keeps nothing', async () => {
    const { asker } = openCounted();
    const { limits, hang, goOn } = asker(1, 1);
    const [limit] = [limitOf('concurrency', 1)];
    hang();
    await expect(limits.take(takeOf([limit]))).rejects.toMatchObject({ code: 'overloaded' });
    await expect(limits.take(takeOf([limit]))).rejects.toMatchObject({ code: 'overloaded' });
    await nextTurn();
    goOn();
    expect(await limits.measure([limit])).toEqual([{ most: 1, remaining: 1, resetMs: null }]);
    expect((await limits.take(takeOf([limit]))).kind).toBe('taken');
  });

  test('the end of a call does not fail when nobody answers, and is counted when somebody does', async () => {
    const { asker } = openCounted();
    const { limits, hang, goOn } = asker(1, 1);
    const limit = limitOf('concurrency', 1);
    const take = takeOf([limit]);
    await limits.take(take);
    hang();
    expect(await limits.finish(take, 0)).toEqual({ requests: null, tokens: null });
    goOn();
    expect((await limits.take(takeOf([limit]))).kind).toBe('taken');
  });
});
