/** Each fault of a vendor with its answer, its charge, its concurrency slot and its circuit breaker (promises G4, G8, G14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { holdTimersUntilReleased } from '../../harness/held-clock.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import type { Case } from './case.ts';
import { matrix, resets } from './cases.ts';
import { judgeAll } from './judge.ts';
import { openStage, type Stage } from './stage.ts';

/** The target of redirects, which must get no connection. */
let elsewhere: Fake;
let stage: Stage;
let cases: readonly Case[];
/** The timer after which events before any output are shown. It is held, so that a busy machine does not change the result. */
let openings: ReturnType<typeof holdTimersUntilReleased>;
/** The titles of the tests, made without a listener. */
const titles = [...new Set(matrix('http://127.0.0.1:1/').map(({ title }) => title))];
beforeAll(async () => {
  elsewhere = await openFake();
  cases = [...matrix(`${elsewhere.url}/chat/completions`), ...resets()];
  stage = await openStage(cases);
  openings = holdTimersUntilReleased(2_000);
});
afterAll(async () => {
  openings.release();
  await stage.close();
  await elsewhere.close();
});

const chosen = (fits: (one: Case) => boolean): ReadonlyMap<number, Case> => new Map([...cases.entries()].filter(([, one]) => fits(one)));

describe('G4, G8: a provider fault', () => {
  test.concurrent.each(titles)('leaves response, charge, slot and circuit breaker right when the provider %s', async (title) => {
    const found = chosen((one) => one.title === title);
    expect(found.size).toBeGreaterThan(0);
    await judgeAll(stage, found);
  });
});

test('F01, G8: shows no response as complete that is reset after any byte, headers included', {
  timeout: 900_000,
}, async () => {
  const found = chosen(({ title }) => title.startsWith('reset behind byte'));
  expect(found.size).toBeGreaterThan(2_500);
  await judgeAll(stage, found);
  recordAttempts('G8', { what: 'resets behind a byte', times: found.size });
});

test('F30, G3: holds nothing after all faults, and the ledger reconciles', async () => {
  expect(await stage.ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  const { accountId } = await stage.gateway.newKey();
  expect(await stage.ledger.getBalance(accountId)).toMatchObject({ held: 0n });
  recordAttempts(['G3', 'G4'], { what: 'faults of a vendor, and the books behind them', times: cases.length });
});

test('G14: follows no redirect', () => {
  expect(elsewhere.connections.opened).toBe(0);
  recordAttempts('G14', { what: 'redirects of an upstream', times: chosen(({ title }) => title.startsWith('points ')).size });
});
