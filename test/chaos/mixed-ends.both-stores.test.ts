/** Thousands of calls end in every possible way, a hundred at once: no slot and no hold is left, and each is charged for what the vendor produced (F30 to F33, F35, F36, F38, F42). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordAttempts } from '../harness/record-attempts.ts';
import { onSharedStores } from '../harness/stores.ts';
import { type Case, draw, openDice } from './ends/case.ts';
import { faultOf } from './ends/check.ts';
import { claudeCases } from './ends/claude-cases.ts';
import { cutCases } from './ends/cut-cases.ts';
import { pictureCases } from './ends/picture-cases.ts';
import { type Outcome, openStage, type Stage } from './ends/stage.ts';
import { textCases } from './ends/text-cases.ts';
import { toolCases } from './ends/tool-cases.ts';

const kinds = Object.entries({ ...textCases, ...cutCases, ...toolCases, ...pictureCases, ...claudeCases });
const AT_ONCE = 100;
/** Ends a test whose calls hang; far above what a busy machine needs. */
const hangMs = 1_200_000;
/** Fewer on PostgreSQL, where a call takes longer. */
const [COUNT, CHECKED] = onSharedStores() ? [2_000, 200] : [10_000, 500];

/** Every kind in turn, so that each comes equally often and runs beside every other. */
function caseOf(number: number): Case {
  const [name, make] = kinds[number % kinds.length] ?? expect.fail('no cases');
  return { name, ...make(draw(openDice(number), number)) };
}

async function runAll(stage: Stage, count: number): Promise<{ readonly one: Case; readonly outcome: Outcome }[]> {
  const done: { readonly one: Case; readonly outcome: Outcome }[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const one = caseOf(number);
      done.push({ one, outcome: await stage.run(number, one) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await stage.quiet();
  return done;
}

function expectQuietBooks(stageOf: () => Stage): void {
  test('F30, F38, G2: holds nothing, posts or voids every charge, and takes no slot', async () => {
    const stage = stageOf();
    const { held } = (await stage.ledger.getBalance(stage.accountId)) ?? expect.fail('no balance');
    expect(held).toBe(0n);
    const states = new Set((await stage.charges(stage.accountId)).map(({ state, settledAt }) => `${state} ${settledAt !== null}`));
    expect([...states].sort()).toEqual(['posted true', 'voided true']);
    expect(await stage.slotsTaken()).toEqual([]);
  });

  test('G2: reduces the balance by the sum of the charges, and the ledger reconciles', async () => {
    const stage = stageOf();
    const paid = (await stage.charges(stage.accountId)).reduce((sum, { charged }) => sum + charged, 0n);
    expect((await stage.ledger.getBalance(stage.accountId))?.balance).toBe(stage.opening - paid);
    expect(paid).toBeGreaterThan(0n);
    expect(await stage.ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });
}

describe(`${COUNT} calls`, () => {
  let stage: Stage;
  let done: Awaited<ReturnType<typeof runAll>>;
  beforeAll(async () => {
    stage = await openStage();
    done = await runAll(stage, COUNT);
  }, hangMs);
  afterAll(() => stage.close());

  test('F31, F32, F33, F35, F36, F42, G4: charges each call for what the provider produced, if anything', async () => {
    const faults: string[] = [];
    for (const { one, outcome } of done) {
      const charge = outcome.requestId === null ? undefined : await stage.ledger.findCharge(outcome.requestId);
      const fault = faultOf(one, outcome, charge);
      if (fault !== null) faults.push(fault);
    }
    expect(done).toHaveLength(COUNT);
    expect(faults.slice(0, 8)).toEqual([]);
    recordAttempts('G4', { what: 'calls whose charge was compared with what the vendor made', times: done.length, lost: faults.length });
  });

  expectQuietBooks(() => stage);

  test('G2: logs only upstream and overload errors', () => {
    const errors = stage.gateway.lines.filter(({ level, code }) => level === 'error' && !/^upstream_|^overloaded$/.test(String(code)));
    expect(errors.slice(0, 5)).toEqual([]);
  });
});

// Answers that break the contract are rejected here, so that charges differ; still no hold and no slot may be left.
describe(`${CHECKED} calls whose answers are checked against the contract`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ validateResponses: true });
    await runAll(stage, CHECKED);
  }, hangMs);
  afterAll(() => stage.close());

  expectQuietBooks(() => stage);
});
