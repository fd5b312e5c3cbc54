/** A gateway is killed again and again under load: no answer that was given is lost, and no call is charged twice (G1, G2, G4, G9, F30). */
import { expect, test } from 'vitest';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { isNightly } from '../harness/thorough.ts';
import { chargedOf, openHolds, readBooks } from './crash-books.ts';
import { model, type Work } from './crash-caller.ts';
import { perSecond, Scene } from './crash-scene.ts';

/** MODELGATE_KILLS sets another number. */
const kills = Number(process.env.MODELGATE_KILLS ?? (isNightly ? 200 : 60));

const settingsOver = (fake: Fake, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } },
  models: [{ id: model, kind: 'text', maxOutputTokens: 1_000 }],
  log: { level: 'warn' },
  ...more,
});

/** The same numbers in every run, without a pattern that could match a timer of the gateway. */
const spread = (round: number, from: number, to: number): number => from + ((round * 7919) % (to - from));

/** Each fifth process is killed while it starts, some of them during recovery. */
const isKilledEarly = (round: number): boolean => round % 5 === 0;
/** The least work between a start and a kill, however long the machine takes for it. */
const workOf = (round: number): Work => ({ sent: spread(round, 60, 82), promised: spread(round, 20, 40) });
const lastWork: Work = { sent: 40, promised: 8 };

/** The least work around so many kills. */
function workAround(count: number): Work {
  const rounds = Array.from({ length: count }, (_, index) => index + 1).filter((round) => !isKilledEarly(round));
  const works = [...rounds.map(workOf), lastWork];
  const sum = (of: keyof Work): number => works.reduce((total, work) => total + work[of], 0);
  return { sent: sum('sent'), promised: sum('promised') };
}

async function killAgain(scene: Scene, count: number): Promise<void> {
  for (let round = 1; round <= count; round++) {
    if (isKilledEarly(round)) await scene.killEarly(spread(round, 20, 140));
    else {
      await scene.start();
      await scene.serve(workOf(round));
      await scene.kill();
    }
  }
}

interface Survived {
  readonly promised: number;
  readonly sent: number;
  readonly states: Readonly<Record<string, number>>;
}

async function survive(durability: 'relaxed' | 'strict', count: number): Promise<Survived> {
  const fake = await openFake();
  const served = await setUp({ settings: settingsOver(fake, { durability }) });
  const scene = new Scene(served);
  const { load, journal } = scene;
  // One that ends in good order leaves the others what it has compiled.
  await served.run();
  await served.stop();
  await killAgain(scene, count);
  await scene.start();
  const forsaken = openHolds(served);
  await scene.serve(lastWork);
  await scene.stop();
  // The next beat after 15 seconds of silence takes the holds of the dead.
  await expect.poll(() => openHolds(served), { timeout: 120_000, interval: 500 }).toEqual([]);
  expect(await served.stop()).toBe(0);

  const promised = await journal.read();
  const books = readBooks(served, promised);
  expect(books).toMatchObject({ lost: [], doubled: [], wrong: [] });
  // Each served call had a hold, and the log names each hold that a process expired before it was killed itself.
  const { posted = 0, voided = 0, expired = 0 } = books.states;
  expect(posted + voided + expired).toBeGreaterThanOrEqual(fake.requests.length);
  const logged = served.logged('hold of a dead process expired').map(({ id }) => id);
  expect(forsaken.filter((id) => books.expired.includes(id) && !logged.includes(id))).toEqual([]);
  expect(logged.length).toBeGreaterThan(0);
  // On a busy machine some calls get 503, and no other error.
  expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(chargedOf(served, load.rejected)).toEqual([]);
  await fake.close();
  return { promised: new Set(promised.map(({ id }) => id)).size, sent: load.sent, states: books.states };
}

test(`G1, G2, G4: loses and doubles no charge or response over ${kills} kills under ${perSecond} requests per second`, {
  timeout: 1_800_000,
}, async () => {
  const began = Date.now();
  // In parallel, each with its own data: a start takes half a second of one core.
  const both = await Promise.all([survive('relaxed', kills / 2), survive('strict', kills / 2)]);
  const work = workAround(kills / 2);
  for (const { promised, sent } of both) {
    expect(promised).toBeGreaterThanOrEqual(work.promised);
    expect(sent).toBeGreaterThanOrEqual(work.sent);
  }
  recordAttempts(['G1', 'G2'], { what: 'kills under load', times: kills });
  recordAttempts('G1', { what: 'answers given before a kill', times: 2 * work.promised });
  recordAttempts(['G2', 'G4'], { what: 'calls sent around kills', times: 2 * work.sent });
  console.info(`${kills} kills in ${Math.round((Date.now() - began) / 1_000)} s: ${JSON.stringify(both)}`);
});
