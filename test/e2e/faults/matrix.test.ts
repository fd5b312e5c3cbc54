/** Every fault of a vendor against all four: the caller's answer, the ledger, the slots, and the health of the place (promises G4, G8, G14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { holdTimersUntilReleased } from '../../harness/held-clock.ts';
import { tried } from '../../harness/tally.ts';
import type { Case } from './case.ts';
import { cutFrames, matrix, resets } from './cases.ts';
import { judgeAll } from './judge.ts';
import { openStage, type Stage } from './stage.ts';

/** Where redirects point: nobody may ever come here. */
let elsewhere: Fake;
let stage: Stage;
let cases: readonly Case[];
/** An opening without a word is held back for two seconds, and shown then: here it never is, however long a vendor or a busy machine takes. */
let openings: ReturnType<typeof holdTimersUntilReleased>;
/** The same titles without a listener, to name the tests by. */
const titles = [...new Set(matrix('http://127.0.0.1:1/').map(({ title }) => title))];
beforeAll(async () => {
  elsewhere = await openFake();
  cases = [...matrix(`${elsewhere.url}/chat/completions`), ...cutFrames(), ...resets()];
  stage = await openStage(cases);
  openings = holdTimersUntilReleased(2_000);
});
afterAll(async () => {
  openings.release();
  await stage.close();
  await elsewhere.close();
});

const chosen = (fits: (one: Case) => boolean): ReadonlyMap<number, Case> => new Map([...cases.entries()].filter(([, one]) => fits(one)));

describe('G4, G8: the answer, the books, the slot and the health of the place are right where a vendor', () => {
  test.concurrent.each(titles)('%s', async (title) => {
    const found = chosen((one) => one.title === title);
    expect(found.size).toBeGreaterThan(0);
    await judgeAll(stage, found);
  });
});

test('F01, F02, G8: a vendor that falls silent or ends behind any frame never looks complete before it is', async () => {
  const found = chosen(({ title }) => /^(stall|fin) /.test(title));
  expect(found.size).toBeGreaterThan(30);
  await judgeAll(stage, found);
  tried('G8', { what: 'silences and ends behind a frame', times: found.size });
});

test('F01, G8: a connection that is reset behind any byte, headers included, never looks complete before it is', {
  timeout: 900_000,
}, async () => {
  const found = chosen(({ title }) => title.startsWith('reset behind byte'));
  expect(found.size).toBeGreaterThan(2_500);
  await judgeAll(stage, found);
  tried('G8', { what: 'resets behind a byte', times: found.size });
});

test('F30, G3: behind all of it nothing is held, and the books are sound', async () => {
  expect(await stage.ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  const { accountId } = await stage.gateway.newKey();
  expect(await stage.ledger.balance(accountId)).toMatchObject({ held: 0n });
  tried(['G3', 'G4'], { what: 'faults of a vendor, and the books behind them', times: cases.length });
});

test('G14: no redirect was followed', () => {
  expect(elsewhere.connections.opened).toBe(0);
  tried('G14', { what: 'redirects of an upstream', times: chosen(({ title }) => title.startsWith('points ')).size });
});
