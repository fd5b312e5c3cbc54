/** Redis hangs, dies, comes back empty, or forgets its scripts, in the middle of the work of three gateways: calls go on, and each gateway keeps to its share (promise G11). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { KeySettings } from '../../../server/access/store.ts';
import { stream } from '../../fakes/delivery.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { type Holder, isLeftOut, model, mostTokens, named, openStage, type Stage } from './stage.ts';
import { ask, countStatuses, longest, openTraffic, type Told, type Traffic } from './traffic.ts';

const PROCESSES = 3;
const LIMIT = 30;
const EVERY_MS = 50;
/** A call waits 50 ms for Redis, at the door and inside, and that three times before nobody asks it. The rest is for a machine with other things to do. */
const MOST_MS = 1_000;
/** Beats are two seconds apart; with the second each gateway knows of the others. */
const ALL_KNOWN_MS = 2_200;

const gone = 'Redis does not answer; this process enforces its own share of each limit';
const back = 'Redis answers again; limits are shared';

const limitsOf = (requests: number): Pick<KeySettings, 'limits'> => ({
  limits: {
    requestsPerMinute: { limit: requests, mode: 'enforce' },
    tokensPerMinute: null,
    concurrency: { limit: requests, mode: 'enforce' },
  },
});

describe.skipIf(isLeftOut)(named('three gateways on a Redis that fails'), () => {
  let stage: Stage;
  /** Of those who come all the time: no limit is in their way, but each is counted. */
  let busy: Holder;
  beforeAll(async () => {
    stage = await openStage(PROCESSES);
    busy = await stage.open(1_000_000_000n, limitsOf(1_000_000));
    await pause(ALL_KNOWN_MS);
  });
  afterAll(() => stage.close());

  const detailsOf = async (origin: string): Promise<string> => {
    const answer = await fetch(`${origin}/readyz`);
    expect(answer.status).toBe(200);
    return String(((await answer.json()) as { readonly details?: unknown }).details);
  };
  const details = () => Promise.all(stage.origins.map(detailsOf));
  const all = (wanted: unknown) => stage.origins.map(() => wanted);
  const own = /^limits: own share since 20/;
  async function untilOwn(): Promise<void> {
    await expect.poll(details, { timeout: 5_000, interval: 20 }).toEqual(all(expect.stringMatching(own)));
  }
  async function untilShared(): Promise<void> {
    await expect.poll(details, { timeout: 10_000, interval: 20 }).toEqual(all('limits: shared'));
  }
  const countLines = (message: string) => stage.origins.map((_, at) => stage.logged(at, message).length);

  const openLoad = (): Traffic => openTraffic(stage, EVERY_MS, () => [0, 1, 2].map((at) => ({ at, key: busy.key })));

  /** Twice the limit, at once, from each gateway as many; who was let in, by gateway. */
  async function press({ key }: Holder, each: number): Promise<number[]> {
    const told = await Promise.all(Array.from({ length: each * PROCESSES }, (_, at) => ask(stage, { at, key })));
    expect(told.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    return stage.origins.map((_, at) => told.filter(({ asking, status }) => asking.at % PROCESSES === at && status === 200).length);
  }
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

  async function expectOneLimit(): Promise<void> {
    const served = sum(await press(await stage.open(1_000_000n, limitsOf(LIMIT)), 20));
    expect(served).toBeGreaterThanOrEqual(LIMIT);
    // What comes back while they run, and one for each process.
    expect(served).toBeLessThanOrEqual(LIMIT + PROCESSES + 2);
  }

  async function expectAllServed(traffic: Traffic): Promise<void> {
    const told: readonly Told[] = await traffic.stop();
    expect(countStatuses(told)).toEqual({ 200: told.length });
    expect(longest(told)).toBeLessThan(MOST_MS);
  }

  test.each([
    ['hangs', (at: Stage) => at.cluster.redis.pause(), (at: Stage) => at.cluster.redis.resume()],
    ['is gone', (at: Stage) => at.cluster.redis.stop(), (at: Stage) => at.cluster.redis.restart()],
  ] as const)(
    '%s: calls go on, each gateway enforces its third and says so once, and limits are shared again when it is back',
    async (_name, begin, end) => {
      onTestFinished(() => stage.cluster.redis.resume());
      const [goneBefore, backBefore] = [countLines(gone), countLines(back)];
      const holder = await stage.open(1_000_000n, limitsOf(LIMIT));
      const traffic = openLoad();
      await pause(300);
      await begin(stage);
      await untilOwn();
      for (const served of await press(holder, 20)) {
        expect(served).toBeGreaterThanOrEqual(LIMIT / PROCESSES);
        expect(served).toBeLessThanOrEqual(LIMIT / PROCESSES + 1);
      }
      await pause(500);
      await end(stage);
      await untilShared();
      await pause(200);
      await expectOneLimit();
      await expectAllServed(traffic);
      expect(countLines(gone)).toEqual(goneBefore.map((count) => count + 1));
      await expect.poll(() => countLines(back)).toEqual(backBefore.map((count) => count + 1));
      for (const at of [0, 1, 2]) expect(stage.logged(at, gone).at(-1)).toMatchObject({ level: 'warn', processes: PROCESSES });
    },
  );

  test('is started again in the middle of it: calls go on, and soon limits are shared again', async () => {
    const traffic = openLoad();
    await pause(300);
    await stage.cluster.redis.restart();
    await pause(300);
    await untilShared();
    await expectOneLimit();
    await expectAllServed(traffic);
  });

  test('forgets its scripts in the middle of it: nobody notices, and no count is lost', async () => {
    const before = countLines(gone);
    const holder = await stage.open(1_000_000n, limitsOf(LIMIT));
    const traffic = openLoad();
    const first = sum(await press(holder, 6));
    expect(first).toBe(18);
    await stage.redis('SCRIPT', 'FLUSH');
    const second = sum(await press(holder, 10));
    expect(first + second).toBeGreaterThanOrEqual(LIMIT);
    expect(first + second).toBeLessThanOrEqual(LIMIT + PROCESSES + 2);
    await expectAllServed(traffic);
    expect(countLines(gone)).toEqual(before);
  });

  test('is emptied in the middle of it: nobody is turned away for it, at most one more limit gets through, and calls that run keep their places', async () => {
    const before = countLines(gone);
    const holder = await stage.open(1_000_000n, limitsOf(LIMIT));
    const few = await stage.open(1_000_000n, { limits: { ...limitsOf(1_000).limits, concurrency: { limit: 4, mode: 'enforce' } } });
    const running = await holdPlaces(few, 3);
    const traffic = openLoad();
    const first = sum(await press(holder, 20));
    expect(first).toBeLessThanOrEqual(LIMIT + PROCESSES);
    await stage.redis('FLUSHALL');
    const second = sum(await press(holder, 20));
    expect(second).toBeGreaterThanOrEqual(LIMIT);
    expect(second).toBeLessThanOrEqual(LIMIT + PROCESSES);
    await pause(ALL_KNOWN_MS);
    // Three of four places are still taken.
    const more = await holdPlaces(few, 1);
    expect((await ask(stage, { at: 1, key: few.key })).code).toBe('concurrency_limit_exceeded');
    for (const { release } of [running, more]) release();
    expect(countStatuses([...(await running.outcomes), ...(await more.outcomes)])).toEqual({ 200: 4 });
    await expectAllServed(traffic);
    expect(countLines(gone)).toEqual(before);
    expect(await details()).toEqual(all('limits: shared'));
  });

  /** Calls that the vendor does not answer until they are released. */
  async function holdPlaces({ key }: Holder, count: number) {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const marked = { path: '/v1/responses', body: { model, max_output_tokens: mostTokens, input: 'wait', stream: true } };
    const frames = responseFrames({ model });
    stage.fake.next(stream([...frames.slice(0, 3), { until: gate }, ...frames.slice(3)]), { times: count, path: marked.path });
    const before = stage.fake.requests.filter(({ path }) => path === marked.path).length;
    const outcomes = Promise.all(Array.from({ length: count }, (_, at) => ask(stage, { at, key, what: marked })));
    outcomes.catch(() => undefined);
    await expect.poll(() => stage.fake.requests.filter(({ path }) => path === marked.path).length, { interval: 10 }).toBe(before + count);
    return { outcomes, release };
  }
});
