/** Random steps on the ledger and on its model, which must agree after each step (promises G2 and G3). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { isNightly, isThorough } from '../../harness/thorough.ts';
import { openEmbedded, openEmptied, type RealLedger } from './kept.ts';
import { modelStep } from './model-steps.ts';
import { known, Pair } from './pair.ts';

/** All possible results of a step; if the run never reached one, its rule would be untested. */
const everything = [
  'adjust adjusted',
  'adjust mismatch',
  'adjust rejected',
  'adjust repeated',
  'adjust unknown_account',
  'cancel false',
  'cancel true',
  'heartbeat nothing',
  'heartbeat orphans',
  'leave nothing',
  'leave orphans',
  'post earlier posted',
  'post earlier voided',
  'post settled',
  'post settled late',
  'post settled late overrun',
  'post settled overrun',
  'post unknown',
  'reserve held balance',
  'reserve held balance less',
  'reserve held subscription',
  'reserve held subscription less',
  'reserve rejected balance',
  'reserve rejected cap',
  'reserve rejected duplicate',
  'reserve rejected subscription',
  'subscribe added',
  'subscribe overlaps',
  'subscribe too_much',
  'subscribe unknown_account',
  'void earlier expired',
  'void earlier posted',
  'void earlier voided',
  'void settled',
  'void unknown',
];

interface Walk {
  /** At least. */
  readonly steps: number;
  /** An empty ledger for each run. */
  readonly open: () => Promise<RealLedger>;
}

/** Of the results, by a short walk. */
const MAX_MISSED = 3;

/** What was seen on the way. A walk that has missed too much goes on, up to three times as far: with new seeds each time, luck alone may be the reason. */
async function walk({ steps: least, open }: Walk): Promise<readonly string[]> {
  let taken = 0;
  const seen = new Set<string>();
  const run = fc.asyncProperty(fc.array(modelStep, { maxLength: 400, size: 'max' }), async (steps) => {
    const real = await open();
    const pair = new Pair(real, seen);
    try {
      for (const step of steps) await pair.take(step);
      await pair.compareAll();
    } finally {
      real.close();
    }
    taken += steps.length;
  });
  while (taken < least || (taken < 3 * least && seen.size < everything.length - MAX_MISSED)) await fc.assert(run, { numRuns: 25 });
  return [...seen].sort();
}

/** The chaos lane takes more of them, and most at night. */
const times = isThorough() ? (isNightly ? 6 : 2) : 1;
const steps = { sqlite: 20_000 * times, postgres: 3_000 * times };

/** A short walk may miss the rarest few results. */
function expectToHaveSeen(seen: readonly string[], taken: number): void {
  if (taken > 100_000) expect(seen).toEqual(everything);
  expect(seen.length).toBeGreaterThan(everything.length - MAX_MISSED - 1);
  expect(everything).toEqual(expect.arrayContaining([...seen]));
  recordAttempts(['G2', 'G3'], { what: 'steps beside a model of the ledger', times: taken });
}

const promise = 'G2, G3: whatever callers, operators and dying processes do, the ledger agrees with the model to the last unit';

describe('sqlite', () => {
  test(promise, async () => {
    expectToHaveSeen(await walk({ steps: steps.sqlite, open: async () => openEmbedded(known) }), steps.sqlite);
  });
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test(promise, async () => {
    const { postgres } = await server.fresh();
    expectToHaveSeen(await walk({ steps: steps.postgres, open: () => openEmptied(postgres, known) }), steps.postgres);
  });
});
