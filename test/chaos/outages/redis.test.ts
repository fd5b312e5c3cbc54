/** Redis hangs, stops, loses its data or its scripts while three gateways serve: calls go on, and each gateway enforces its share (promise G11). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { KeySettings } from '../../../server/access/store.ts';
import { stream } from '../../fakes/delivery.ts';
import { responseFrames } from '../../fakes/responses.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { type Holder, isLeftOut, maxTokens, model, named, openStage, type Stage } from './stage.ts';
import { ask, countStatuses, type Outcome, openTraffic, type Traffic } from './traffic.ts';

const PROCESSES = 3;
const LIMIT = 30;
const EVERY_MS = 50;
/** On a busy machine Redis may answer a call 50 ms late, and its gateway then counts it alone. In one of so many tries that must happen to no call. */
const TRIES = 8;

const gone = "Redis doesn't respond; enforcing this process's share of each limit";
const back = 'Redis responds again; limits are shared';

const limitsOf = (requests: number): Pick<KeySettings, 'limits'> => ({
  limits: {
    requestsPerMinute: { limit: requests, mode: 'enforce' },
    tokensPerMinute: null,
    concurrency: { limit: requests, mode: 'enforce' },
  },
});

describe.skipIf(isLeftOut)(named('three gateways on a Redis that fails'), () => {
  let stage: Stage;
  /** Of the constant traffic: its calls are counted, but its limits are out of reach. */
  let busy: Holder;
  beforeAll(async () => {
    stage = await openStage(PROCESSES, { database: { timeoutMs: hangLimitMs } });
    busy = await stage.open(1_000_000_000n, limitsOf(1_000_000));
    await untilAllBeat();
    // With its second heartbeat each process knows the others.
    await untilAllBeat();
  });
  afterAll(() => stage.close());

  const detailsOf = async (origin: string): Promise<string> => {
    const answer = await fetch(`${origin}/readyz`);
    expect(answer.status).toBe(200);
    return String(((await answer.json()) as { readonly details?: unknown }).details);
  };
  const details = () => Promise.all(stage.origins.map(detailsOf));
  const all = (wanted: unknown) => stage.origins.map(() => wanted);
  const own = /^limits: enforcing own share since 20/;
  async function untilOwn(): Promise<void> {
    await expect.poll(details, { interval: 20 }).toEqual(all(expect.stringMatching(own)));
  }
  async function untilShared(): Promise<void> {
    await expect.poll(details, { interval: 20 }).toEqual(all('limits: shared'));
  }
  /** The last heartbeat of each process in Redis. */
  async function beats(): Promise<ReadonlyMap<string, number>> {
    // `as`: the answer of Redis to this command.
    return new Map((await stage.redis('ZRANGE', '{modelgate}:limits:processes', '0', '-1', 'WITHSCORES')) as readonly [string, number][]);
  }
  /** Waits for a new heartbeat of each process. */
  async function untilAllBeat(): Promise<void> {
    const before = await beats();
    const spoke = async () => [...(await beats())].filter(([name, at]) => at !== before.get(name)).length;
    await vi.waitFor(async () => expect(await spoke()).toBe(PROCESSES), { timeout: 60_000, interval: 50 });
  }
  const countLines = (message: string) => stage.origins.map((_, at) => stage.logged(at, message).length);

  const openLoad = (): Traffic => openTraffic(stage, EVERY_MS, () => [0, 1, 2].map((at) => ({ at, key: busy.key })));

  /** Waits until each gateway has served five calls that came since then. */
  async function untilServed({ told }: Traffic, since: number): Promise<void> {
    const served = () =>
      stage.origins.map((_, at) => told.filter((one) => one.asking.at === at && one.at > since && one.status === 200).length);
    await expect.poll(() => Math.min(...served()), { interval: 20 }).toBeGreaterThanOrEqual(5);
  }

  interface Pressed {
    /** The number of admitted calls for each gateway. */
    readonly served: readonly number[];
    /** How much of a limit of this size a minute was refilled meanwhile. */
    comesBack(limit: number): number;
  }

  /** Sends as many concurrent calls to each gateway, together more than the limit. */
  async function press({ key }: Holder, each: number): Promise<Pressed> {
    const from = performance.now();
    const told = await Promise.all(Array.from({ length: each * PROCESSES }, (_, at) => ask(stage, { at, key })));
    expect(told.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    const minutes = (performance.now() - from) / 60_000;
    return {
      served: stage.origins.map((_, at) => told.filter(({ asking, status }) => asking.at % PROCESSES === at && status === 200).length),
      comesBack: (limit) => Math.ceil(minutes * limit),
    };
  }
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

  /** Checks what holds while Redis answers in time; each try has a fresh limit. */
  async function inOneOfTheTries(look: (holder: Holder) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      await untilShared();
      try {
        return await look(await stage.open(1_000_000n, limitsOf(LIMIT)));
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  }

  const expectOneLimit = () =>
    inOneOfTheTries(async (holder) => {
      const { served, comesBack } = await press(holder, 20);
      expect(sum(served)).toBeGreaterThanOrEqual(LIMIT);
      expect(sum(served)).toBeLessThanOrEqual(LIMIT + PROCESSES + comesBack(LIMIT));
    });

  async function expectAllServed(traffic: Traffic): Promise<void> {
    const told: readonly Outcome[] = await traffic.stop();
    expect(countStatuses(told)).toEqual({ 200: told.length });
  }

  /** The log lines about a Redis that does not answer, but for those where it was only late. */
  const blamed = () =>
    stage.origins.flatMap((_, at) => stage.logged(at, gone)).filter(({ err }) => !JSON.stringify(err).includes("didn't respond within"));

  test.each([
    ['hangs', (at: Stage) => at.cluster.redis.pause(), (at: Stage) => at.cluster.redis.resume()],
    ['is stopped', (at: Stage) => at.cluster.redis.stop(), (at: Stage) => at.cluster.redis.restart()],
  ] as const)(
    'keeps serving when it %s, enforces a third of the limit each, logs it once, and shares limits again',
    async (_name, begin, end) => {
      onTestFinished(() => stage.cluster.redis.resume());
      const holder = await stage.open(1_000_000n, limitsOf(LIMIT));
      const traffic = openLoad();
      await untilServed(traffic, 0);
      await untilShared();
      const [goneBefore, backBefore] = [countLines(gone), countLines(back)];
      await begin(stage);
      const beganAt = performance.now();
      await untilOwn();
      const { served, comesBack } = await press(holder, 20);
      const third = LIMIT / PROCESSES;
      for (const count of served) {
        expect(count).toBeGreaterThanOrEqual(third);
        expect(count).toBeLessThanOrEqual(third + comesBack(third));
      }
      await untilServed(traffic, beganAt);
      await expect.poll(() => countLines(gone)).toEqual(goneBefore.map((count) => count + 1));
      expect(countLines(back)).toEqual(backBefore);
      await end(stage);
      await expectOneLimit();
      await expectAllServed(traffic);
      await expect.poll(() => countLines(back).map((count, at) => count > (backBefore[at] ?? 0))).toEqual(all(true));
      for (const at of [0, 1, 2]) expect(stage.logged(at, gone).at(-1)).toMatchObject({ level: 'warn', processes: PROCESSES });
    },
  );

  test('keeps serving calls during a Redis restart, then shares limits again', async () => {
    const traffic = openLoad();
    await untilServed(traffic, 0);
    await stage.cluster.redis.restart();
    await untilServed(traffic, performance.now());
    await expectOneLimit();
    await expectAllServed(traffic);
  });

  test('keeps serving calls after Redis loses its scripts, and loses no count', async () => {
    const before = blamed();
    const traffic = openLoad();
    await inOneOfTheTries(async (holder) => {
      const first = await press(holder, 6);
      expect(sum(first.served)).toBe(18);
      await stage.redis('SCRIPT', 'FLUSH');
      const second = await press(holder, 10);
      const both = sum(first.served) + sum(second.served);
      expect(both).toBeGreaterThanOrEqual(LIMIT);
      expect(both).toBeLessThanOrEqual(LIMIT + PROCESSES + first.comesBack(LIMIT) + second.comesBack(LIMIT));
    });
    await expectAllServed(traffic);
    expect(blamed()).toEqual(before);
  });

  test('loses its data: calls go on, at most one more limit is admitted, and running calls keep their slots', async () => {
    const before = blamed();
    const traffic = openLoad();
    const few = { limits: { ...limitsOf(1_000).limits, concurrency: { limit: 4, mode: 'enforce' } } } as const;
    await inOneOfTheTries(async (holder) => {
      const crowded = await stage.open(1_000_000n, few);
      const running = await holdPlaces(crowded, 3);
      onTestFinished(() => running.release());
      const first = await press(holder, 20);
      expect(sum(first.served)).toBeLessThanOrEqual(LIMIT + PROCESSES + first.comesBack(LIMIT));
      await stage.redis('FLUSHALL');
      const second = await press(holder, 20);
      expect(sum(second.served)).toBeGreaterThanOrEqual(LIMIT);
      expect(sum(second.served)).toBeLessThanOrEqual(LIMIT + PROCESSES + second.comesBack(LIMIT));
      await untilAllBeat();
      // Three of four slots are still taken.
      const more = await holdPlaces(crowded, 1);
      onTestFinished(() => more.release());
      expect((await ask(stage, { at: 1, key: crowded.key })).code).toBe('concurrency_limit_exceeded');
      for (const { release } of [running, more]) release();
      expect(countStatuses([...(await running.outcomes), ...(await more.outcomes)])).toEqual({ 200: 4 });
    });
    await expectAllServed(traffic);
    expect(blamed()).toEqual(before);
    await untilShared();
  });

  /** Starts calls that the vendor does not answer until they are released. */
  async function holdPlaces({ key }: Holder, count: number) {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const marked = { path: '/v1/responses', body: { model, max_output_tokens: maxTokens, input: 'wait', stream: true } };
    const frames = responseFrames({ model });
    stage.fake.next(stream([...frames.slice(0, 3), { until: gate }, ...frames.slice(3)]), { times: count, path: marked.path });
    const before = stage.fake.requests.filter(({ path }) => path === marked.path).length;
    const outcomes = Promise.all(Array.from({ length: count }, (_, at) => ask(stage, { at, key, what: marked })));
    outcomes.catch(() => undefined);
    await expect.poll(() => stage.fake.requests.filter(({ path }) => path === marked.path).length, { interval: 10 }).toBe(before + count);
    return { outcomes, release };
  }
});
