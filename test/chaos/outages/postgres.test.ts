/** PostgreSQL hangs, stops, becomes read-only or runs out of connections while three gateways serve (F52, promises G1 to G4). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectSoundBooks, untilSettled } from './books.ts';
import { occupyAll } from './crowd.ts';
import { type Holder, isLeftOut, model, named, openStage, type Stage } from './stage.ts';
import { type Asking, ask, countStatuses, longest, newOnce, type Outcome, openStreams, openTraffic, type Traffic } from './traffic.ts';

const PROCESSES = 3;
const OPENING = 10_000_000n;
/** The timeout of a statement. */
const TIMEOUT_MS = 1_000;
/** A call that is not answered by then hangs with the server, as does a gateway that does not serve again. Long, because the machine may be busy. */
const MAX_MS = 30_000;
/** Each outage lasts until so many calls that came in it were answered. */
const MIN_ANSWERED = 50;
const EVERY_MS = 150;
const STREAMS_EACH = 2;
/** Keys for one outage that no gateway has seen. */
const NEW_KEYS = 90;

interface Outage {
  readonly holder: Holder;
  readonly traffic: Traffic;
  /** Streams that were running when the outage began, and ended within it. */
  readonly streams: readonly Outcome[];
  /** Calls that came and were answered during the outage. */
  readonly rejected: readonly Outcome[];
  /** The first call, and those that tested whether the outage was over. */
  readonly others: readonly Outcome[];
  /** Charges that went through the outbox. */
  readonly replayed: () => number;
}

interface Break {
  /** Resolves when no call can be served any more. */
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  /** At least. */
  readonly lastsMs: number;
}

describe.skipIf(isLeftOut)(named('three gateways on a PostgreSQL that fails'), () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(PROCESSES, { database: { timeoutMs: TIMEOUT_MS } });
  });
  afterAll(() => stage.close());

  /** For each gateway: a known key, an unseen key, a request with an idempotency key, and a response that continues another. */
  async function openCallers(): Promise<{ readonly holder: Holder; readonly round: () => Asking[]; readonly first: Outcome }> {
    const holder = await stage.open(OPENING);
    const { key } = holder;
    const unseen = await Promise.all(Array.from({ length: NEW_KEYS }, () => stage.another(holder)));
    const response = { path: '/v1/responses', body: { model, max_output_tokens: 100, input: 'hi' } };
    const first = await ask(stage, { at: 0, key, what: response });
    // All of them continue this one, which is known before the outage.
    const { id } = JSON.parse(first.text) as { readonly id: string };
    const chained = { ...response, body: { ...response.body, previous_response_id: id } };
    const round = (): Asking[] =>
      [0, 1, 2].flatMap((at) => [
        { at, key },
        { at, key: unseen.pop() ?? key },
        { at, key, once: newOnce() },
        { at, key, what: chained },
      ]);
    return { holder, round, first };
  }

  const replayed = (): number => {
    const replays = stage.origins.flatMap((_, at) => stage.logged(at, 'outbox replayed'));
    return replays.reduce((sum, { settlements }) => sum + Number(settlements), 0);
  };

  /** Sends calls, begins the outage in the middle and ends it; all gateways serve again when it resolves. */
  async function during({ begin, end, lastsMs }: Break): Promise<Outage> {
    const { holder, round, first } = await openCallers();
    const postedBefore = replayed();
    // Before anybody else comes, who would be given their answers.
    const running = await openStreams(stage, holder.key, STREAMS_EACH);
    const traffic = openTraffic(stage, EVERY_MS, round);
    await pause(400);
    await begin();
    const beganAt = performance.now();
    await pause(lastsMs / 2);
    running.release();
    await pause(lastsMs / 2);
    // Calls that began in the outage and were answered in it.
    const answered = (): number => traffic.told.filter(({ at }) => at > beganAt).length;
    await expect.poll(answered, { timeout: MAX_MS }).toBeGreaterThan(MIN_ANSWERED);
    const streams = await running.outcomes;
    const endAt = performance.now();
    await end();
    const others: Outcome[] = [first];
    for (let isServed = false; !isServed; ) {
      const told = await Promise.all([0, 1, 2].map((at) => ask(stage, { at, key: holder.key })));
      others.push(...told);
      isServed = told.every(({ status }) => status === 200);
      expect(performance.now() - endAt).toBeLessThan(MAX_MS);
    }
    await traffic.stop();
    await untilSettled(stage, holder.accountId);
    const rejected = traffic.told.filter(({ at, ms }) => at > beganAt && at + ms < endAt);
    return { holder, traffic, others, streams, rejected, replayed: () => replayed() - postedBefore };
  }

  /** As long as nothing can be paid nobody is served, but who was before. */
  async function expectAllRejected({ rejected, streams, replayed }: Outage): Promise<void> {
    expect(rejected.length).toBeGreaterThan(MIN_ANSWERED);
    expect(countStatuses(rejected)).toEqual({ 503: rejected.length });
    // Written when the last of them is out of the file.
    await expect.poll(replayed, { timeout: MAX_MS }).toBeGreaterThanOrEqual(streams.length);
  }

  /** What holds for every outage: how calls failed, that streams ended, and that the books are right. */
  async function expectKept({ holder, traffic: { told }, others, streams }: Outage): Promise<void> {
    // Each call that failed got 503 with a wait; none was told that its key is wrong.
    const failed = told.filter(({ status }) => status !== 200);
    expect(failed.filter(({ status, code, retryAfter }) => status !== 503 || code !== 'overloaded' || retryAfter === null)).toEqual([]);
    expect(longest(failed)).toBeLessThan(MAX_MS);
    for (const { status, text } of streams) expect([status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true]);
    const promised = [...others, ...told, ...streams].filter(({ status }) => status === 200);
    await expectSoundBooks(stage, { accountId: holder.accountId, opening: OPENING, promised });
  }

  /** Sends the calls with an idempotency key that got 503 again. */
  async function comeBack({ traffic, holder }: Outage): Promise<void> {
    const again = traffic.told.filter(({ status, asking }) => status === 503 && asking.once !== undefined);
    const comeAgain = () => Promise.all(again.map(({ asking }) => ask(stage, { ...asking, at: asking.at + 1 })));
    // A call that hung may count as running for a moment, and answer 409.
    await expect.poll(async () => countStatuses(await comeAgain()), { timeout: MAX_MS, interval: 500 }).toEqual({ 200: again.length });
    await untilSettled(stage, holder.accountId);
  }

  const hangs = () =>
    stage.origins.map((_, at) => stage.logged(at, "PostgreSQL doesn't respond; rejecting calls that need it until it does").length);
  const answers = () => stage.origins.map((_, at) => stage.logged(at, 'PostgreSQL responds again').length);

  test('C16: hangs: each gateway reports it once, calls get 503, streams end complete and are charged once later', async () => {
    onTestFinished(() => stage.cluster.postgres.resume());
    const { postgres } = stage.cluster;
    const [hungBefore, answeredBefore] = [hangs(), answers()];
    const begin = async (): Promise<void> => {
      postgres.pause();
      await expect.poll(hangs, { timeout: MAX_MS, interval: 20 }).toEqual(hungBefore.map((count) => count + 1));
    };
    const outage = await during({ begin, end: () => postgres.resume(), lastsMs: 2_400 });
    await expectAllRejected(outage);
    expect([hangs(), answers()]).toEqual([hungBefore, answeredBefore].map((counts) => counts.map((count) => count + 1)));
    await expectKept(outage);
    await comeBack(outage);
  });

  let leave = async (): Promise<void> => undefined;
  const readOnly = 'default_transaction_read_only';
  const breaks: readonly (readonly [string, Break])[] = [
    ['is stopped', { begin: () => stage.cluster.postgres.stop(), end: () => stage.cluster.postgres.restart(), lastsMs: 2_000 }],
    [
      'is read-only',
      {
        async begin() {
          await stage.sql(`ALTER SYSTEM SET ${readOnly} = on`, 'SELECT pg_reload_conf()');
          await pause(200);
        },
        end: async () => void (await stage.sql(`SET ${readOnly} = off`, `ALTER SYSTEM RESET ${readOnly}`, 'SELECT pg_reload_conf()')),
        lastsMs: 1_600,
      },
    ],
    [
      'has no connection left',
      {
        async begin() {
          leave = await occupyAll(stage);
        },
        end: () => leave(),
        lastsMs: 2_000,
      },
    ],
    ['restarts', { begin: () => stage.cluster.postgres.restart(), end: () => undefined, lastsMs: 400 }],
  ];

  test.each(breaks)('rejects calls with 503, completes streams and charges them once later when it %s', async (what, one) => {
    const outage = await during(one);
    // After a restart some calls are served.
    if (what !== 'restarts') await expectAllRejected(outage);
    await expectKept(outage);
    await comeBack(outage);
  });

  test.each([
    ['a deadlock', '40P01', 'INSERT'],
    ['a deadlock', '40P01', 'UPDATE'],
    ['a serialization failure', '40001', 'INSERT'],
    ['a serialization failure', '40001', 'UPDATE'],
  ])(
    'ends transactions because of %s (%s at each first %s of a charge): each call succeeds and is charged once',
    async (_what, state, step) => {
      const holder = await stage.open(OPENING);
      // A rollback does not undo a sequence, so the second attempt succeeds.
      await stage.sql(`
      CREATE SEQUENCE troubles;
      CREATE FUNCTION trouble() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('troubles') % 2 = 1 THEN RAISE EXCEPTION 'trouble' USING ERRCODE = '${state}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER trouble BEFORE ${step} ON charges FOR EACH ROW EXECUTE FUNCTION trouble()`);
      onTestFinished(async () => void (await stage.sql('DROP TRIGGER trouble ON charges; DROP FUNCTION trouble; DROP SEQUENCE troubles')));
      const downLine = 'ledger unavailable; charge written to the outbox';
      const downBefore = stage.origins.flatMap((_, at) => stage.logged(at, downLine)).length;
      const told: Outcome[] = [];
      for (let at = 0; at < 6; at++) told.push(await ask(stage, { at, key: holder.key }));
      expect(countStatuses(told)).toEqual({ 200: 6 });
      expect(stage.origins.flatMap((_, at) => stage.logged(at, downLine)).length).toBe(downBefore);
      await untilSettled(stage, holder.accountId);
      expect(await stage.sql('SELECT last_value::INT AS n FROM troubles')).toEqual([{ n: 12 }]);
      await expectSoundBooks(stage, { accountId: holder.accountId, opening: OPENING, promised: told });
    },
  );
});
