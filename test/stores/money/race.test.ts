/** Several connections reserve at the same time, as several processes would: as many holds are granted as the money suffices for (promise G3, failure F29). */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import type { HoldOrder, HoldResult, LedgerStore } from '../../../server/money/store.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { addAccounts, order, runHere, subscription, topUp } from '../../unit/money/open.ts';
import { openPostgresEngine } from './engines.ts';
import type { Course, Race } from './racer.ts';

const racers = 3;
const tries = 120;
const most = 100n;

interface Ring {
  readonly course: Course;
  readonly ledger: LedgerStore;
}

function openEmbedded(): Ring {
  const folder = temporaryFolder();
  const { connection, close } = openDatabase({ folder, durability: 'relaxed' });
  onTestFinished(close);
  addAccounts(connection, ['ada']);
  const ledger = openSqliteLedger({ connection, steps: runHere(connection, openLedgerSteps(connection)) });
  return { course: { kind: 'sqlite', folder }, ledger };
}

function useServer(): () => Promise<Ring> {
  const server = usePostgres();
  return async () => {
    const { url, ledger } = await openPostgresEngine(server, ['ada']);
    return { course: { kind: 'postgres', url }, ledger };
  };
}

async function race(course: Course, orderOf: (racer: number, index: number) => HoldOrder): Promise<readonly HoldResult[]> {
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const started = Array.from({ length: racers }, (_, racer) => {
    const orders = Array.from({ length: tries }, (__, index) => orderOf(racer, index));
    const workerData: Race = { course, orders, ready, racers };
    return once(new Worker(new URL('./racer.ts', import.meta.url), { workerData }), 'message');
  });
  // The one message of a racer is its results.
  return (await Promise.all(started)).flatMap(([results]) => results as readonly HoldResult[]);
}

const heldAmong = (results: readonly HoldResult[]): number => results.filter(({ kind }) => kind === 'held').length;
const named = (racer: number, index: number): string => `r${racer}_${index}`;
const sound = { differences: [], unbalanced: [], contradictions: [] };

describe.each([
  { title: 'sqlite', isMissing: false, use: () => async () => openEmbedded() },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
])('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const openRing = use();

  test('G3: grants exactly a hundred of many concurrent holds on a balance for a hundred', async () => {
    const { course, ledger } = await openRing();
    await topUp(ledger, 'ada', most);
    const results = await race(course, (racer, index) => order({ requestId: named(racer, index), amount: 1n }));
    expect(results).toHaveLength(racers * tries);
    expect(heldAmong(results)).toBe(100);
    expect(await ledger.getBalance('ada')).toEqual({ balance: most, held: most });
    expect(await ledger.reconcile()).toMatchObject(sound);
    recordAttempts('G3', { what: 'reservations at once from three connections', times: results.length });
  });

  test('G3: grants exactly a hundred of many concurrent holds under a cap for a hundred', async () => {
    const { course, ledger } = await openRing();
    await topUp(ledger, 'ada', 10n * most);
    const caps = [{ owner: 'key:key_1', micros: most, period: 'never', scope: 'key' } as const];
    const results = await race(course, (racer, index) => order({ requestId: named(racer, index), amount: 1n, caps }));
    expect(heldAmong(results)).toBe(100);
    expect(await ledger.getBalance('ada')).toEqual({ balance: 10n * most, held: most });
    recordAttempts('G3', { what: 'reservations at once from three connections', times: results.length });
  });

  test('G3: grants exactly a hundred of many concurrent holds on a subscription for a hundred', async () => {
    const { course, ledger } = await openRing();
    await topUp(ledger, 'ada', 10n * most);
    await ledger.addSubscription(subscription({ included: most }));
    const results = await race(course, (racer, index) => order({ requestId: named(racer, index), amount: 1n }));
    expect(heldAmong(results)).toBe(100);
    expect(await ledger.getBalance('ada')).toEqual({ balance: 10n * most, held: 0n });
    recordAttempts('G3', { what: 'reservations at once from three connections', times: results.length });
  });

  test('G3: keeps concurrent holds of mixed costs within the available amount', async () => {
    const { course, ledger } = await openRing();
    await topUp(ledger, 'ada', most);
    const results = await race(course, (racer, index) => order({ requestId: named(racer, index), amount: BigInt(1 + (index % 7)) }));
    expect(heldAmong(results)).toBeGreaterThan(0);
    expect(await ledger.getBalance('ada')).toEqual({ balance: most, held: most });
    recordAttempts('G3', { what: 'reservations at once from three connections', times: results.length });
  });

  test('G2: makes each of several concurrent holds with the same request IDs once', async () => {
    const { course, ledger } = await openRing();
    await topUp(ledger, 'ada', 10n * most);
    const results = await race(course, (_, index) => order({ requestId: `r${index}`, amount: 1n }));
    expect(heldAmong(results)).toBe(tries);
    expect(await ledger.getBalance('ada')).toEqual({ balance: 10n * most, held: BigInt(tries) });
  });
});
