/** A store or a gateway is silent for longer than a process may be before it counts as dead: running streams are charged all the same (promises G1, G2, G4). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargesOf, expectSoundBooks, heldOn, untilSettled } from './books.ts';
import { isLeftOut, named, openStage, type Stage } from './stage.ts';
import { openStreams } from './traffic.ts';

const OPENING = 1_000_000n;
const STREAMS = 5;
/** A process counts as dead after fifteen seconds without a heartbeat. */
const AWAY_MS = 17_000;

describe.skipIf(isLeftOut)(named('two gateways in a long outage'), () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(2);
  });
  afterAll(() => stage.close());

  test('charges streams once across a PostgreSQL outage, even if another gateway starts right after it', async () => {
    const { cluster, origins } = stage;
    const [staying, starting] = cluster.gateways;
    const { key, accountId } = await stage.open(OPENING);
    const running = await openStreams({ ...stage, origins: origins.slice(0, 1) }, key, STREAMS);
    await starting?.stop();
    await cluster.postgres.stop();
    await pause(AWAY_MS);
    await cluster.postgres.restart();
    await starting?.start();
    // Long enough for several searches for dead processes.
    await pause(AWAY_MS);
    running.release();
    const promised = await running.outcomes;
    for (const { status, text } of promised) expect([status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true]);
    await untilSettled(stage, accountId);
    await expectSoundBooks(stage, { accountId, opening: OPENING, promised });
    expect(stage.logged(1, 'hold of a dead process expired')).toEqual([]);
    expect([staying?.isRunning, starting?.isRunning]).toEqual([true, true]);
  });

  test('A9, G1: streams of a paused gateway whose holds another one expired are charged when they end', async () => {
    const { cluster, origins } = stage;
    const standing = cluster.gateways[0] ?? expect.fail('there is no gateway');
    const { key, accountId } = await stage.open(OPENING);
    const running = await openStreams({ ...stage, origins: origins.slice(0, 1) }, key, STREAMS);
    process.kill(standing.pid, 'SIGSTOP');
    try {
      await expect.poll(() => heldOn(stage, accountId), { timeout: 120_000, interval: 100 }).toBe(0n);
    } finally {
      process.kill(standing.pid, 'SIGCONT');
    }
    expect((await chargesOf(stage, accountId)).map(({ state }) => state)).toEqual(Array(STREAMS).fill('expired'));
    running.release();
    const promised = await running.outcomes;
    for (const { status, text } of promised) expect([status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true]);
    await expectSoundBooks(stage, { accountId, opening: OPENING, promised });
  });
});
