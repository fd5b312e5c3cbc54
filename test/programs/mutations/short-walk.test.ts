/** A few hundred random steps on limiter, ledger and their models: the tests of the models do the same at length, which takes too long for each mutant. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { openEmbedded, openEmptied, type RealLedger } from '../../stores/money/kept.ts';
import { modelStep } from '../../stores/money/model-steps.ts';
import { known, Pair } from '../../stores/money/pair.ts';
import { play, step } from '../../unit/limits/play.ts';

async function walk(walks: number, open: () => Promise<RealLedger>): Promise<void> {
  const steps = fc.array(modelStep, { minLength: 80, maxLength: 80, size: 'max' });
  const property = fc.asyncProperty(steps, async (all) => {
    const real = await open();
    const pair = new Pair(real, new Set());
    for (const step of all) await pair.take(step);
    await pair.compareAll();
    real.close();
  });
  await fc.assert(property, { numRuns: walks });
}

test('agrees with the model of the limiter', () => {
  const steps = fc.array(step, { minLength: 60, maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(steps, (all) => void play(all)),
    { numRuns: 12 },
  );
});

test('agrees with the model of the ledger on SQLite', () => walk(12, async () => openEmbedded(known)));

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('agrees with the model of the ledger', async () => {
    const { postgres } = await server.fresh();
    await walk(6, () => openEmptied(postgres, known));
  });
});
