/** Limits that one process counts for several: as exact as in one process, and nothing of a process that ended stays taken. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openMemoryLimits } from '../../../../server/limits/limiter.ts';
import {
  LimitCounter,
  type LimitsChannel,
  type LimitsRequest,
  type LimitsResponse,
  openRemoteLimits,
} from '../../../../server/limits/remote-limits.ts';
import { hangLimitMs } from '../../../harness/hang-limit.ts';
import { limitOf, openClocked, takeOf } from '../limit.ts';

/** What the channel between two processes does to a message. */
const sent = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

/** A counter, and processes that ask it. */
function openCounted(maxPerMessage: number[] = []) {
  const { limits: counted, pass } = openClocked();
  const counter = new LimitCounter(counted);
  const asker = (asker: number, waitMs = hangLimitMs) => {
    const held: LimitsRequest[] = [];
    let isHeld = false;
    let reply: (reply: LimitsResponse) => void = () => undefined;
    const pass = (question: LimitsRequest) => reply(sent(counter.handle(asker, sent(question))));
    const channel: LimitsChannel = {
      ask(question) {
        maxPerMessage.push(question.steps.length);
        if (isHeld) held.push(question);
        else setImmediate(() => pass(question));
      },
      onReply(listener) {
        reply = listener;
      },
    };
    const told: string[] = [];
    const log = { warn: () => void told.push('warn'), info: () => void told.push('info') };
    const fallback = openMemoryLimits(() => 0);
    const limits = openRemoteLimits({ channel, log, waitMs, fallback, processes: 2 });
    const hang = (): void => {
      isHeld = true;
    };
    const goOn = (): void => {
      isHeld = false;
      for (const question of held.splice(0)) pass(question);
    };
    return { limits, hang, goOn, told };
  };
  return { counter, counted, pass, asker };
}

describe('limits counted by one process for two', () => {
  test('sends all steps of one turn in one message', async () => {
    const sizes: number[] = [];
    const { limits } = openCounted(sizes).asker(1);
    await Promise.all(Array.from({ length: 25 }, () => limits.acquire(takeOf([limitOf('requests', 100)]))));
    expect(sizes).toEqual([25]);
  });

  test('frees the slots and early counts of a process that ended, and keeps its tokens', async () => {
    const { asker, counter } = openCounted();
    const [dying, living] = [asker(1).limits, asker(2).limits];
    const limits = [limitOf('concurrency', 2), limitOf('tokens', 100), limitOf('requests', 3)];
    await dying.acquire(takeOf(limits, { tokens: 30 }));
    await living.acquire(takeOf(limits, { tokens: 30 }));
    await dying.acquire(takeOf(limits, { quantities: ['requests'], isProvisional: true }));
    expect((await living.acquire(takeOf(limits))).kind).toBe('rejected');
    counter.forget(1);
    expect((await living.getStatuses(limits)).map(({ remaining }) => remaining)).toEqual([1, 40, 1]);
    expect((await living.acquire(takeOf(limits))).kind).toBe('taken');
  });

  test('keeps tokens that a process acquired just before it ended', () => {
    const counter = new LimitCounter(openMemoryLimits(() => 0));
    const limit = limitOf('tokens', 100);
    counter.handle(1, { id: 1, steps: [{ kind: 'take', number: 1, take: { ...takeOf([limit], { tokens: 30 }), replaces: null } }] });
    counter.forget(1);
    const { answers } = counter.handle(2, { id: 1, steps: [{ kind: 'measure', limits: [limit] }] });
    expect(answers).toMatchObject([[{ most: 100, remaining: 70 }]]);
  });

  test('sends nothing for no limits, nor for the end of an unknown call', async () => {
    const sizes: number[] = [];
    const { limits } = openCounted(sizes).asker(1);
    const nothing = { requests: null, tokens: null };
    expect(await limits.acquire(takeOf([]))).toEqual({ kind: 'taken', windows: nothing, observed: [] });
    const never = takeOf([limitOf('requests', 1)]);
    expect([await limits.peek([]), await limits.release(never), await limits.finish(never, 1)]).toEqual([nothing, nothing, nothing]);
    expect(sizes).toEqual([]);
    expect(await limits.peek([limitOf('requests', 3)])).toEqual({ requests: { limit: 3, remaining: 3, resetMs: 0 }, tokens: null });
  });

  test("forgets a process once, and keeps others' slots", async () => {
    const { asker, counter } = openCounted();
    const [dying, living] = [asker(1).limits, asker(2).limits];
    const some = [limitOf('requests', 9), limitOf('concurrency', 3)];
    const door = () => takeOf(some, { quantities: ['requests'], isProvisional: true });
    await living.acquire(door());
    await living.acquire(takeOf(some, { quantities: ['concurrency'] }));
    const entered = door();
    await dying.acquire(entered);
    await dying.acquire(takeOf(some, { quantities: ['requests', 'concurrency'], replaces: entered }));
    for (const process of [1, 1, 7]) counter.forget(process);
    expect((await living.getStatuses(some)).map(({ remaining }) => remaining)).toEqual([7, 2]);
  });

  describe('without a response from the counter', () => {
    const slot = limitOf('concurrency', 1);
    const requests = limitOf('requests', 2);

    function openHeld() {
      const sizes: number[] = [];
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      return { sizes, ...openCounted(sizes).asker(1, 50) };
    }

    /** What comes of it within a few turns of the event loop; null: nothing. */
    async function soon(work: unknown): Promise<unknown> {
      let found: unknown = null;
      void Promise.resolve(work).then(
        (value) => {
          found = value;
        },
        (error: unknown) => {
          found = error;
        },
      );
      for (let turn = 0; turn < 6; turn++) await nextTurn();
      return found;
    }

    test("admits a call by its process's share after its wait, the next immediately, and logs start and end once", async () => {
      const { limits, hang, goOn, told, sizes } = openHeld();
      hang();
      const rate = limitOf('requests', 4);
      const door = takeOf([rate], { quantities: ['requests'], isProvisional: true });
      const first = limits.acquire(door);
      expect(await soon(first)).toBeNull();
      vi.advanceTimersByTime(49);
      expect([await soon(first), told, sizes]).toEqual([null, [], [1]]);
      expect(limits.getState().kind).toBe('shared');
      vi.advanceTimersByTime(1);
      expect(await soon(first)).toMatchObject({ kind: 'taken' });
      expect(limits.getState()).toMatchObject({ kind: 'own', processes: 2 });
      expect(await soon(limits.acquire(takeOf([rate], { replaces: door })))).toMatchObject({ kind: 'taken' });
      expect(await soon(limits.acquire(takeOf([rate])))).toMatchObject({ kind: 'taken' });
      // Half of four; the limit is reported as configured.
      expect(await soon(limits.acquire(takeOf([rate])))).toMatchObject({ kind: 'rejected', limit: rate });
      vi.advanceTimersByTime(0);
      await soon(null);
      expect(told).toEqual(['warn']);
      goOn();
      // What was asked at the door is given back.
      expect(await soon(limits.getStatuses([rate]))).toMatchObject([{ most: 4, remaining: 4 }]);
      expect([told, vi.getTimerCount(), limits.getState().kind]).toEqual([['warn', 'info'], 0, 'shared']);
    });

    test('keeps the slots of calls in flight, and counts those admitted without a response afterwards', async () => {
      const { limits, hang, goOn } = openHeld();
      const slots = limitOf('concurrency', 4);
      const before = takeOf([slots]);
      await soon(limits.acquire(before));
      hang();
      const during = takeOf([slots]);
      const late = limits.acquire(during);
      await soon(null);
      vi.advanceTimersByTime(50);
      expect(await soon(late)).toMatchObject({ kind: 'taken' });
      expect(await soon(limits.acquire(takeOf([slots])))).toMatchObject({ kind: 'rejected' });
      goOn();
      expect(await soon(limits.getStatuses([slots]))).toMatchObject([{ remaining: 2 }]);
      await soon(limits.finish(before, 0));
      await soon(limits.finish(during, 0));
      expect(await soon(limits.getStatuses([slots]))).toMatchObject([{ remaining: 4 }]);
    });

    test('counts no slot of a call that ended, before the outage or during it', async () => {
      const { limits, hang } = openHeld();
      // Half of them is the share of the process: one.
      const slots = limitOf('concurrency', 2);
      const [ended, running] = [takeOf([slots]), takeOf([slots])];
      await soon(limits.acquire(ended));
      await soon(limits.finish(ended, 0));
      await soon(limits.acquire(running));
      hang();
      const late = limits.acquire(takeOf([slots]));
      await soon(null);
      vi.advanceTimersByTime(50);
      expect(await soon(late)).toMatchObject({ kind: 'rejected' });
      void limits.finish(running, 0);
      expect(await soon(limits.acquire(takeOf([slots])))).toMatchObject({ kind: 'taken' });
    });

    test('measures limits by the share, and counts the end of a call later without waiting', async () => {
      const { limits, hang, goOn } = openHeld();
      const call = takeOf([slot]);
      expect(await soon(limits.acquire(call))).toMatchObject({ kind: 'taken' });
      hang();
      const measured = limits.getStatuses([slot, requests]);
      await soon(null);
      vi.advanceTimersByTime(50);
      expect(await soon(measured)).toEqual([
        { most: 1, remaining: 0, resetMs: null },
        { most: 1, remaining: 1, resetMs: 0 },
      ]);
      const ended = limits.finish(call, 0);
      await soon(null);
      vi.advanceTimersByTime(0);
      expect(await soon(ended)).toMatchObject({ requests: null, tokens: null });
      goOn();
      expect(await soon(limits.acquire(takeOf([slot])))).toMatchObject({ kind: 'taken' });
    });

    test('uses a response that is there when a pause of this process ends', async () => {
      const { limits, hang, goOn, told } = openHeld();
      hang();
      const call = limits.acquire(takeOf([slot]));
      await soon(null);
      vi.advanceTimersByTime(50);
      goOn();
      expect(await soon(call)).toMatchObject({ kind: 'taken' });
      expect(told).toEqual([]);
    });

    test('sends the last steps at the end, and waits for nothing', async () => {
      const { limits, hang, sizes } = openHeld();
      hang();
      void limits.peek([slot]);
      await limits.close();
      expect(sizes).toEqual([1]);
      await limits.close();
      expect([sizes, vi.getTimerCount()]).toEqual([[1], 0]);
    });
  });
});
