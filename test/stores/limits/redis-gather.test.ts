/** Steps of one event-loop turn are sent to Redis in one script: each gets the answer that it would get alone, and the failure of one fails no other (promise G11). */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Acquisition, Limit, Limiter } from '../../../server/limits/limiter.ts';
import type { RedisLimits, RedisLimitsOptions } from '../../../server/limits/redis/redis-limits.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { openKeptLog } from './redis-log.ts';
import { redisStage } from './redis-stage.ts';
import { stepsStage } from './steps-stage.ts';

const redis = redisStage();
const openSteps = stepsStage(() => redis.server.url);

/** The clock stands still, a busy machine is no outage, and no beat is counted among the scripts of a test. */
async function open(options: Partial<RedisLimitsOptions> = {}): Promise<RedisLimits> {
  holdBeats();
  const limits = await redis.open({ prefix: `${randomUUID()}:`, now: () => 5_000, waitMs: 20_000, trustMs: 0, ...options });
  // Redis knows the script from here on.
  await limits.peek([limitOf('requests', 1)]);
  return limits;
}

const setRealInterval = globalThis.setInterval;
const HEARTBEAT_MS = 2_000;
const NEVER_MS = 2 ** 31 - 1;

/**
 * Until the test ends, no heartbeat is sent. Other intervals stay real: the timeouts of all stores share intervals that outlive a test
 * (server/primitives/shared-timeout.ts), and one that was held here would never tick again in this worker.
 */
function holdBeats(): void {
  const spy = vi
    .spyOn(globalThis, 'setInterval')
    .mockImplementation((act, ms, ...rest) => setRealInterval(act, ms === HEARTBEAT_MS ? NEVER_MS : ms, ...rest));
  onTestFinished(() => spy.mockRestore());
}

/** And no timer. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

async function asked<T>(...words: readonly string[]): Promise<T> {
  const client = await createClient({ url: redis.server.url, RESP: 2 }).connect();
  try {
    return await client.sendCommand<T>([...words]);
  } finally {
    client.destroy();
  }
}

/** The number of scripts that Redis ran during the work. */
async function scriptsOf(work: () => Promise<unknown>): Promise<number> {
  await redis.command('CONFIG', 'RESETSTAT');
  await work();
  const stats = await asked<string>('INFO', 'commandstats');
  return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
/** Runs all in one turn, and returns the result of each in order. */
const takeAll = async (store: Limiter, takes: readonly Acquisition[]): Promise<string[]> =>
  (await Promise.all(takes.map((take) => store.acquire(take)))).map(({ kind }) => kind);
const firstOf = (count: number, all: number): string[] => [...times(count, () => 'taken'), ...times(all - count, () => 'rejected')];

describe.skipIf(redisMissing)(`limits of one turn${leftOut(redisMissing)}`, () => {
  test.each([
    [1, 1],
    [32, 1],
    [33, 2],
    [100, 4],
  ])('serves %i callers in one turn with %i scripts, whichever accounts they belong to', async (callers, scripts) => {
    const store = await open();
    const takes = Array.from({ length: callers }, (_, subject) => takeOf([limitOf('requests', 5, { subject: `key_${subject % 40}` })]));
    expect(await scriptsOf(() => takeAll(store, takes))).toBe(scripts);
  });

  test('keeps callers of different turns from waiting for each other', async () => {
    const store = await open();
    const one = () => store.acquire(takeOf([limitOf('requests', 5)]));
    const late = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await one();
    };
    expect(await scriptsOf(() => Promise.all([one(), one(), late(), late()]))).toBe(2);
  });

  test('gathers calls that end in different turns while others run, together with a new caller', async () => {
    const store = await open();
    holdTimers();
    const slots = limitOf('concurrency', 100);
    const takes = times(9, () => takeOf([slots]));
    await takeAll(store, takes);
    const endOneByOne = async (ending: readonly Acquisition[]): Promise<unknown> => {
      const told: unknown[] = [];
      for (const take of ending) {
        told.push(store.finish(take, 0));
        await nextTurn();
      }
      return Promise.all(told);
    };
    const inAMoment = async () => {
      const ended = endOneByOne(takes.slice(0, 4));
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      await vi.advanceTimersByTimeAsync(5);
      await ended;
    };
    expect(await scriptsOf(inAMoment)).toBe(1);
    // The moment does not come to an end here.
    const withOneMore = async () => {
      const ended = endOneByOne(takes.slice(4, 6));
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      await Promise.all([ended, store.acquire(takeOf([slots]))]);
    };
    expect(await scriptsOf(withOneMore)).toBe(1);
  });

  test('reports the call that has just ended when the process closes, although it waits for another call', async () => {
    const prefix = `${randomUUID()}:`;
    const [closing, other] = [await open({ prefix }), await open({ prefix })];
    holdTimers();
    const [slots, tokens] = [limitOf('concurrency', 2), limitOf('tokens', 1_000)];
    const takes = times(2, () => takeOf([slots, tokens], { tokens: 500 }));
    expect(await takeAll(closing, takes)).toEqual(['taken', 'taken']);
    const told = closing.finish(takes[0] as Acquisition, 0);
    await closing.close();
    await told;
    const kinds = await takeAll(other, [...times(2, () => takeOf([slots])), takeOf([tokens], { tokens: 500 })]);
    expect(kinds).toEqual(['taken', 'taken', 'taken']);
  });

  test.each([
    ['requests', limitOf('requests', 10), 0],
    ['tokens', limitOf('tokens', 1_000), 100],
    ['concurrency', limitOf('concurrency', 10), 0],
  ] as const)('G11: admits by a limit on %s the first ten of 32 callers in one script and no other', async (_, limit, tokens) => {
    const store = await open();
    let kinds: string[] = [];
    const work = async () => {
      kinds = await takeAll(
        store,
        times(32, () => takeOf([limit], { tokens })),
      );
    };
    expect(await scriptsOf(work)).toBe(1);
    expect(kinds).toEqual(firstOf(10, 32));
    // The end was stored too.
    expect(
      await takeAll(
        store,
        times(32, () => takeOf([limit], { tokens })),
      ),
    ).toEqual(firstOf(0, 32));
  });

  test('G11: counts provisional takes within a script, together with admitted calls', async () => {
    const store = await open();
    const limit = limitOf('requests', 6);
    const door = () => takeOf([limit], { quantities: ['requests'], isProvisional: true });
    const takes = [...times(3, door), ...times(2, () => takeOf([limit])), ...times(3, door)];
    expect(await takeAll(store, takes)).toEqual(firstOf(6, 8));
    await Promise.all([takes[0], takes[1], takes[5]].map((take) => take && store.release(take)));
    expect(
      await takeAll(
        store,
        times(5, () => takeOf([limit])),
      ),
    ).toEqual(firstOf(3, 5));
  });

  test('shows a caller the other callers of the same turn', async () => {
    const store = await open();
    const [rate, slots] = [limitOf('requests', 10), limitOf('concurrency', 1)];
    const running = takeOf([slots, rate]);
    await store.acquire(running);
    let told: unknown[] = [];
    const work = async () => {
      told = await Promise.all([
        store.acquire(takeOf([slots])),
        store.peek([rate]),
        store.acquire(takeOf([rate])),
        store.peek([rate]),
        store.finish(running, 0),
        store.acquire(takeOf([slots])),
        store.acquire(takeOf([slots])),
      ]);
    };
    expect(await scriptsOf(work)).toBe(1);
    expect(told).toMatchObject([
      { kind: 'rejected' },
      { requests: { remaining: 9 } },
      { kind: 'taken', windows: { requests: { remaining: 8 } } },
      { requests: { remaining: 8 } },
      { requests: { remaining: 8 } },
      { kind: 'taken' },
      { kind: 'rejected' },
    ]);
  });

  test.each([
    [limitOf('requests', 2, { subject: 'odd' }), ''],
    [limitOf('requests', 2, { subject: 'odd' }), ':pending'],
    [limitOf('tokens', 2, { subject: 'odd' }), ''],
    [limitOf('concurrency', 2, { subject: 'odd' }), ''],
  ])("G11: gives a caller that Redis can't count the process's own share, and counts the others", async (odd, end) => {
    const prefix = `${randomUUID()}:`;
    const log = openKeptLog();
    const store = await open({ prefix, log });
    const key = `${prefix}key:odd:${odd.quantity}${end}`;
    await redis.command('LPUSH', key, 'of somebody else');
    const [account, good] = [limitOf('requests', 9, { scope: 'account', subject: 'odd' }), limitOf('requests', 4, { subject: 'good' })];
    const takes = times(6, () => [takeOf([account, odd], { tokens: 1 }), takeOf([good])]).flat();
    let kinds: string[] = [];
    const work = async () => {
      kinds = await takeAll(store, takes);
    };
    expect(await scriptsOf(work)).toBe(1);
    expect(kinds.filter((__, index) => index % 2 === 0)).toEqual(firstOf(2, 6));
    expect(kinds.filter((__, index) => index % 2 === 1)).toEqual(firstOf(4, 6));
    const other = await open({ prefix });
    // All or nothing: the account of the odd one is not counted either.
    expect(await other.peek([account])).toMatchObject({ requests: { remaining: 9 } });
    expect(await other.peek([good])).toMatchObject({ requests: { remaining: 0 } });
    expect(await asked<number>('LLEN', key)).toBe(1);
    expect(log.lines).toEqual([]);
    expect(store.getState().kind).toBe('shared');
  });

  test('costs Redis nothing for a caller without limits that are counted at the door', async () => {
    const log = openKeptLog();
    const store = await open({ log });
    const slots: Limit = limitOf('concurrency', 2);
    for (let call = 0; call < 5; call++) {
      const door = takeOf([slots], { quantities: ['requests'], scopes: ['key'], isProvisional: true });
      expect((await store.acquire(door)).kind).toBe('taken');
      // As with a list of models.
      expect((await store.acquire({ ...door, isProvisional: false, replaces: door })).kind).toBe('taken');
    }
    expect(log.lines).toEqual([]);
    expect(store.getState().kind).toBe('shared');
  });

  test('G11: counts each caller exactly once if Redis loses its scripts between the scripts of one turn', async () => {
    const steps = await openSteps();
    const limit = limitOf('requests', 60);
    let ran = 0;
    let flushed: Promise<unknown> | null = null;
    const { take } = steps.on(async (run) => {
      // All scripts of the turn but the first find it missing.
      if (++ran > 1) {
        flushed ??= redis.command('SCRIPT', 'FLUSH');
        await flushed;
      }
      return run();
    });
    await redis.command('CONFIG', 'RESETSTAT');
    const kinds = (await Promise.all(times(100, () => take(takeOf([limit]))))).map(({ taken }) => taken.kind);
    const stats = await asked<string>('INFO', 'commandstats');
    expect(stats).toMatch(/^cmdstat_eval:calls=[34],/m);
    expect(kinds.filter((kind) => kind === 'taken')).toHaveLength(60);
    expect(await steps.look([limit])).toMatchObject({ requests: { remaining: 0, resetMs: 60_000 } });
  });
});
