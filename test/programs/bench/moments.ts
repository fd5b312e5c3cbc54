/** What happens once and takes a time of its own: until the vendor knows that a caller has hung up, and until a revoked key is rejected. */

import { openAccess } from '../../../server/access/access.ts';
import { issueKey } from '../../../server/access/issue-key.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import type { Running } from './child.ts';
import { Caller, WrongAnswer } from './load.ts';
import type { Latency } from './measure.ts';
import { startModelgate } from './modelgate.ts';
import type { Numbers } from './report.ts';
import { type Asked, scenarios } from './scenarios.ts';
import type { Ground } from './servers.ts';
import { percentile } from './statistics.ts';

export interface Moment {
  readonly name: 'hang-up' | 'revoked';
  readonly title: string;
  /** What was promised, in milliseconds. */
  readonly bounds: Numbers;
}

export const hangUps: Moment = { name: 'hang-up', title: 'a caller leaves a stream, until the vendor knows (G6)', bounds: { p99: 250 } };
export const revocations: Moment = {
  name: 'revoked',
  title: 'a key is revoked by another process, until it is rejected (F46)',
  bounds: { p99: 2_000 },
};
export const moments = [hangUps, revocations] as const;

/** First ones, which pay for connections and compilers. */
const unmeasured = 5;
const latencyOf = (times: readonly number[]): Latency => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });

function scenario(name: string): Asked {
  const found = scenarios.find((one) => one.name === name);
  if (!found) throw new Error(`there is no scenario ${name}`);
  return found;
}

/** From when a caller who has read the first word of a stream hangs up until the vendor's connection is closed. */
export async function measureHangUps(server: Pick<Running, 'origin' | 'key'>, vendor: Running, samples: number): Promise<Latency> {
  // It would go on for five seconds.
  const caller = new Caller(server, scenario('open'), 1);
  const times: number[] = [];
  try {
    for (let count = -unmeasured; count < samples; count++) {
      const leftAt = await caller.leave();
      const heardAt = await vendor.child.hungUp();
      // The clock is that of the machine, the same for all processes.
      if (count >= 0) times.push(Number(heardAt - leftAt) / 1e6);
    }
  } finally {
    await caller.close();
  }
  return latencyOf(times);
}

/** From when a key is revoked in the database of a gateway that has just served it until its call is rejected. */
export async function measureRevocations({ cores, vendorOrigin, profile }: Ground, samples: number): Promise<Latency> {
  const setup = { vendorUrl: `${vendorOrigin}/v1`, isGoverned: true, core: cores?.server, profile };
  const { origin, data, stop } = await startModelgate(setup);
  const database = openDatabase({ folder: data, durability: 'relaxed' });
  const times: number[] = [];
  try {
    const access = { ...(await openAccess(data, database)), now: Date.now };
    for (let count = 0; count < samples; count++) {
      const { key, id } = await issueKey({ accountName: 'default', name: `bench ${count}` }, access);
      const audit = { actor: 'bench', action: 'key.revoke', target: id, details: {}, at: Date.now() };
      times.push(await untilRejected({ origin, key }, () => access.store.revokeKey(id, audit)));
    }
  } finally {
    database.close();
    await stop();
  }
  return latencyOf(times);
}

async function untilRejected(server: Pick<Running, 'origin' | 'key'>, revoke: () => Promise<unknown>): Promise<number> {
  const caller = new Caller(server, scenario('small'), 1);
  try {
    await caller.call();
    await revoke();
    const revokedAt = performance.now();
    while (await isServed(caller));
    return performance.now() - revokedAt;
  } finally {
    await caller.close();
  }
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
