/** A thread that reserves on its own connections, as fast as it can, as soon as all its rivals are ready. */
import { parentPort, workerData } from 'node:worker_threads';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import { openLedgerSteps } from '../../../server/money/sqlite.ts';
import type { HoldOrder, HoldResult } from '../../../server/money/store.ts';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';

/** The location of the ledger: a data folder, or the URL of a server. */
export type Course = { readonly kind: 'sqlite'; readonly folder: string } | { readonly kind: 'postgres'; readonly url: string };

export interface Race {
  readonly course: Course;
  readonly orders: readonly HoldOrder[];
  /** The number of threads that are ready, and the number of all threads. */
  readonly ready: Int32Array;
  readonly racers: number;
}

// Written by the test that starts it.
const { course, orders, ready, racers } = workerData as Race;

function waitForRivals(): void {
  Atomics.add(ready, 0, 1);
  Atomics.notify(ready, 0);
  for (let count = Atomics.load(ready, 0); count < racers; count = Atomics.load(ready, 0)) Atomics.wait(ready, 0, count);
}

function runEmbedded(folder: string): readonly HoldResult[] {
  const { connection, transaction, close } = openDatabase({ folder, durability: 'relaxed' });
  const { reserve } = openLedgerSteps(connection);
  waitForRivals();
  const results = orders.map((order) => transaction(() => reserve(order)));
  close();
  return results;
}

/** Some are sent together and some alone, like real calls. */
async function runOverNetwork(url: string): Promise<readonly HoldResult[]> {
  const postgres = openPostgres({ url });
  const ledger = openPostgresLedger(postgres);
  await ledger.getBalance('ada');
  waitForRivals();
  const results: HoldResult[] = [];
  for (let at = 0; at < orders.length; at += 1 + (at % 5)) {
    const some = orders.slice(at, at + 1 + (at % 5));
    results.push(...(await Promise.all(some.map((order) => ledger.reserve(order)))));
  }
  await postgres.close();
  return results;
}

parentPort?.postMessage(course.kind === 'sqlite' ? runEmbedded(course.folder) : await runOverNetwork(course.url));
