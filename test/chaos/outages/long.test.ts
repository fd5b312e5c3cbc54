/** PostgreSQL is gone for longer than it takes to be dead, and a gateway that waited for it is the first to be back: nobody living is taken for dead (promises G2, G4). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSoundBooks, untilSettled } from './books.ts';
import { isLeftOut, named, openStage, type Stage } from './stage.ts';
import { openStreams } from './traffic.ts';

const OPENING = 1_000_000n;
const STREAMS = 5;
/** After fifteen seconds of silence a process is dead. */
const AWAY_MS = 17_000;

describe.skipIf(isLeftOut)(named('two gateways on a PostgreSQL that is away for long'), () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(2);
  });
  afterAll(() => stage.close());

  test('streams that ran the whole time are charged once, though another gateway starts before theirs has spoken again', async () => {
    const { cluster, origins } = stage;
    const [staying, starting] = cluster.gateways;
    const { key, accountId } = await stage.open(OPENING);
    const running = await openStreams({ ...stage, origins: origins.slice(0, 1) }, key, STREAMS);
    await starting?.stop();
    await cluster.postgres.stop();
    await pause(AWAY_MS);
    await cluster.postgres.restart();
    await starting?.start();
    // Long enough for several looks for the dead.
    await pause(AWAY_MS);
    running.release();
    const promised = await running.outcomes;
    for (const { status, text } of promised) expect([status, text.trimEnd().endsWith('data: [DONE]')]).toEqual([200, true]);
    await untilSettled(stage, accountId);
    await expectSoundBooks(stage, { accountId, opening: OPENING, promised });
    expect(stage.logged(1, 'a hold without its process has expired')).toEqual([]);
    expect([staying?.isRunning, starting?.isRunning]).toEqual([true, true]);
  });
});
