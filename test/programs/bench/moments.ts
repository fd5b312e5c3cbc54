/** Two promises about time: how soon the vendor knows that a caller has hung up (G6), and how soon another process rejects a revoked key (F46). */
import { openAccess } from '../../../server/access/access.ts';
import { issueKey } from '../../../server/access/issue-key.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { pacedStream, small } from './asked.ts';
import type { GoalResult } from './goals.ts';
import { Caller, WrongAnswer } from './load.ts';
import { toLatency } from './measure.ts';
import { startModelgate } from './modelgate.ts';
import { type Run, setupOn } from './servers.ts';

const HANG_UPS = 300;
const REVOCATIONS = 20;
/** First ones, which pay for connections and compilers. */
const unmeasured = 5;

function rowsOf(row: string, promisedMs: number, times: readonly number[]): GoalResult[] {
  const { p50, p99 } = toLatency(times);
  return [
    { row: `${row}: p50`, unit: 'ms', goal: null, found: p50 },
    { row: `${row}: p99`, unit: 'ms', goal: promisedMs, found: p99 },
  ];
}

export async function measureMoments(run: Run): Promise<GoalResult[]> {
  return [
    ...rowsOf('caller hangs up, until the vendor knows', 250, await measureHangUps(run)),
    ...rowsOf('key is revoked, until another process rejects it', 2_000, await measureRevocations(run)),
  ];
}

/** From when a caller who has read the first word of a stream hangs up until the vendor's connection is closed. */
async function measureHangUps({ ground, vendor, isQuick }: Run): Promise<number[]> {
  const server = await startModelgate({ ...setupOn(ground), isGoverned: false });
  // It would go on for five seconds.
  const caller = new Caller(server, pacedStream, 1);
  const times: number[] = [];
  try {
    for (let count = -unmeasured; count < (isQuick ? HANG_UPS / 10 : HANG_UPS); count++) {
      const leftAt = await caller.leave();
      const heardAt = await vendor.child.hungUp();
      // The clock is that of the machine, the same for all processes.
      if (count >= 0) times.push(Number(heardAt - leftAt) / 1e6);
    }
  } finally {
    await caller.close();
    await server.stop();
  }
  return times;
}

/** From when a key is revoked in the database of a gateway that has just served it until its call is rejected. */
async function measureRevocations({ ground, isQuick }: Run): Promise<number[]> {
  const { origin, data, stop } = await startModelgate(setupOn(ground));
  const database = openDatabase({ folder: data, durability: 'relaxed' });
  const times: number[] = [];
  try {
    const access = { ...(await openAccess(data, database)), now: Date.now };
    for (let count = 0; count < (isQuick ? REVOCATIONS / 10 : REVOCATIONS); count++) {
      const { key, id } = await issueKey({ accountName: 'default', name: `bench ${count}` }, access);
      const caller = new Caller({ origin, key }, small, 1);
      await caller.call();
      await access.store.revokeKey(id, { actor: 'bench', action: 'key.revoke', target: id, details: {}, at: Date.now() });
      const revokedAt = performance.now();
      while (await isServed(caller));
      times.push(performance.now() - revokedAt);
      await caller.close();
    }
  } finally {
    database.close();
    await stop();
  }
  return times;
}

async function isServed(caller: Caller): Promise<boolean> {
  try {
    await caller.call();
    return true;
  } catch (error) {
    if (error instanceof WrongAnswer && error.status === 401) return false;
    throw error;
  }
}
