/** A thread that reserves on a connection of its own, as fast as it can, from the moment at which its rivals are ready too. */
import { parentPort, workerData } from 'node:worker_threads';
import { openLedgerSteps } from '../../../server/ledger/steps.ts';
import type { HoldOrder, HoldResult } from '../../../server/ledger/store.ts';
import { openDatabase } from '../../../server/storage/database.ts';

export interface Race {
  readonly folder: string;
  readonly orders: readonly HoldOrder[];
  /** How many are ready yet, and of how many. */
  readonly ready: Int32Array;
  readonly racers: number;
}

// Written by the test that starts it.
const { folder, orders, ready, racers } = workerData as Race;
const { connection, transaction, close } = openDatabase({ folder, durability: 'relaxed' });
const { reserve } = openLedgerSteps(connection);
Atomics.add(ready, 0, 1);
Atomics.notify(ready, 0);
for (let count = Atomics.load(ready, 0); count < racers; count = Atomics.load(ready, 0)) Atomics.wait(ready, 0, count);
const results: readonly HoldResult[] = orders.map((order) => transaction(() => reserve(order)));
close();
parentPort?.postMessage(results);
