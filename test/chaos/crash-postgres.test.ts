/** What callers were promised over PostgreSQL and Redis, while their only gateway is killed again and again under their load (G1, G2, G4, F30). Fewer kills than over the embedded database: PostgreSQL keeps what it acknowledged whoever dies, and what is tried is the gateway's part. */
import { expect, onTestFinished, test } from 'vitest';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openSharedServerDatabases } from '../harness/shared-server-databases.ts';
import { model, type Promised } from './crash-caller.ts';
import { Scene } from './crash-scene.ts';
import { chargesOf, expectReconciled } from './outages/books.ts';
import { isLeftOut, named, openStage, type Stage } from './outages/stage.ts';

const kills = 12;
const opening = 1_000_000_000n;
const config = {
  models: [{ id: model, kind: 'text', maxOutputTokens: 1_000, prices: { input: '1', output: '4' } }],
  log: { level: 'warn' },
  // A busy machine is slow; the answers with a slow store have tests of their own.
  database: { timeoutMs: hangLimitMs },
};

/** Request ids and response ids that were promised and are not there, each charge with its one pair of entries. */
async function lost({ postgres }: Stage, promised: readonly Promised[]): Promise<readonly unknown[]> {
  const charged = `SELECT transfer FROM entries JOIN charges ON transfer = request_id
    WHERE kind = 'charge' AND state = 'posted' AND charged > 0 AND abs(amount) = charged GROUP BY transfer HAVING count(*) = 2`;
  const text = `SELECT id FROM unnest($1::TEXT[]) AS id WHERE id NOT IN (${charged})
    UNION ALL SELECT id FROM unnest($2::TEXT[]) AS id WHERE id NOT IN (SELECT id FROM responses)`;
  const responses = promised.flatMap(({ response }) => response ?? []);
  return postgres.query({ text }, [promised.map(({ id }) => id), responses]);
}

/** Transfers with other than one pair of entries that moves money. */
const doubled = ({ sql }: Stage) =>
  sql("SELECT transfer FROM entries WHERE kind = 'charge' GROUP BY transfer HAVING count(*) <> 2 OR sum(amount) <> 0");
const held = ({ sql }: Stage) => sql("SELECT request_id FROM charges WHERE state = 'held'");

test.skipIf(isLeftOut)(
  named(`G1, G2, G4: over PostgreSQL ${kills} kills lose no charge and no response of an answered call, and charge no call twice`),
  {
    timeout: 900_000,
  },
  async () => {
    const stage = await openStage(1, config, openSharedServerDatabases);
    onTestFinished(() => stage.close());
    const holder = await stage.open(opening);
    await stage.cluster.gateways[0]?.stop('SIGKILL');
    const gateway = stage.cluster.gateways[0] ?? expect.fail('no gateway');
    const scene = new Scene({
      key: holder.key,
      get origin() {
        return gateway.origin;
      },
      start: () => gateway.start(),
      kill: () => gateway.stop('SIGKILL'),
    });
    let served = 0;
    const serve = async (count: number): Promise<void> => {
      await scene.serve({ sent: count, promised: count });
      served += count;
    };
    for (let round = 1; round <= kills; round++) {
      if (round % 4 === 0) await scene.killEarly(round * 12);
      else {
        await scene.start();
        await serve(20 + round * 7);
        await scene.kill();
      }
    }
    await scene.start();
    await serve(20);
    await scene.stop();
    // The first heartbeat after a process counts as dead expires its holds.
    await expect.poll(() => held(stage), { timeout: 120_000, interval: 500 }).toEqual([]);

    const promised = await scene.journal.read();
    expect(new Set(promised.map(({ id }) => id)).size).toBeGreaterThanOrEqual(served);
    expect(await lost(stage, promised)).toEqual([]);
    expect(await doubled(stage)).toEqual([]);
    const charges = await chargesOf(stage, holder.accountId);
    const spent = charges.reduce((sum, { charged }) => sum + charged, 0n);
    expect(await stage.ledger.getBalance(holder.accountId)).toEqual({ balance: opening - spent, held: 0n });
    // Each served call had a hold, and some calls were cut by a kill.
    expect(charges.length).toBeGreaterThanOrEqual(stage.fake.requests.length);
    expect(charges.map(({ state }) => state)).toContain('expired');
    // On a busy machine some calls get 503, and no other error.
    expect([...scene.load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const { rejected } = scene.load;
    expect(charges.filter(({ id, charged }) => charged > 0n && rejected.includes(id))).toEqual([]);
    await expectReconciled(stage);
    recordAttempts(['G1', 'G2'], { what: 'kills under load', times: kills });
    recordAttempts('G1', { what: 'answers given before a kill', times: served });
    recordAttempts(['G2', 'G4'], { what: 'calls sent around kills', times: served });
  },
);
