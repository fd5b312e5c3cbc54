/** Load on many gateways with many keys, and what it cost them and the stores behind them by request. */

import type { Running } from './child.ts';
import type { SharedStores, StoreNote } from './engines-stores.ts';
import { Caller, WrongAnswer } from './load.ts';
import type { Numbers } from './report.ts';
import type { Asked } from './scenarios.ts';

/** By request: microseconds of CPU, steps, or bytes. */
export interface EngineNumbers extends Numbers, Partial<StoreNote> {
  /** Part of the calls that were answered with 503: the store had no time for them. They count as nothing else. */
  readonly rejected?: number;
}

export interface EngineLoad {
  readonly gateways: readonly Pick<Running, 'child' | 'origin'>[];
  readonly keys: readonly string[];
  readonly stores: SharedStores | null;
  readonly asked: Asked;
  /** Calls at a time, over all gateways and keys. */
  readonly parallel: number;
  readonly loadMs: number;
}

export async function measureEngine(load: EngineLoad): Promise<EngineNumbers> {
  const { lanes, close } = openLanes(load);
  try {
    // Connecting is paid for before.
    await Promise.all(lanes.flatMap((lane) => lane.map(isServed)));
    const before = await noteAll(load);
    const startedAt = performance.now();
    const { calls, rejected } = await loop(lanes, load.loadMs);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await noteAll(load);
    const stores = after.stores && before.stores ? perUnit(after.stores, before.stores, calls) : {};
    return { cpu: (after.cpu - before.cpu) / calls, perSecond: calls / seconds, rejected: rejected / (calls + rejected), ...stores };
  } finally {
    await close();
  }
}

/** One that asks again as soon as it has its answer: with one key, the gateways in turns as behind a balancer. */
type Lane = readonly Caller[];

interface Lanes {
  readonly lanes: readonly Lane[];
  close(): Promise<void>;
}

/** Lanes with the same key share their connections to a gateway. */
function openLanes({ gateways, keys, asked, parallel }: EngineLoad): Lanes {
  const byKey = keys.slice(0, parallel).map((key) => gateways.map(({ origin }) => new Caller({ origin, key }, asked, parallel)));
  return {
    lanes: Array.from({ length: parallel }, (_, lane) => byKey[lane % byKey.length] ?? []),
    async close() {
      await Promise.all(byKey.flat().map((caller) => caller.close()));
    },
  };
}

interface Looped {
  readonly calls: number;
  readonly rejected: number;
}

async function loop(lanes: readonly Lane[], loadMs: number): Promise<Looped> {
  const until = Date.now() + loadMs;
  let [calls, rejected] = [0, 0];
  const work = async (lane: Lane, first: number): Promise<void> => {
    for (let turn = first; Date.now() < until; turn++) {
      const caller = lane[turn % lane.length];
      if (caller && (await isServed(caller))) calls++;
      else rejected++;
    }
  };
  await Promise.all(lanes.map(work));
  return { calls, rejected };
}

const outOfCapacity = 503;

/** Anything else than an answer, or a 503, ends the benchmark. */
async function isServed(caller: Caller): Promise<boolean> {
  try {
    await caller.call();
    return true;
  } catch (error) {
    if (error instanceof WrongAnswer && error.status === outOfCapacity) return false;
    throw error;
  }
}

async function noteAll({ gateways, stores }: EngineLoad): Promise<{ readonly cpu: number; readonly stores: StoreNote | null }> {
  const [used, note] = await Promise.all([Promise.all(gateways.map(({ child }) => child.used())), stores?.note() ?? null]);
  return { cpu: used.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0), stores: note };
}

export function perUnit(after: StoreNote, before: StoreNote, units: number): StoreNote {
  const share = (name: keyof StoreNote): number => (after[name] - before[name]) / units;
  return {
    postgres: share('postgres'),
    redis: share('redis'),
    commits: share('commits'),
    log: share('log'),
    scripts: share('scripts'),
    scriptMicros: share('scriptMicros'),
    redisBytes: share('redisBytes'),
  };
}
