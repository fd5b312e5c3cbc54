/** Gateways on one engine, plain and governed, with the accounts and keys that call them; and load on all of them at once. */
import type { Asked } from './asked.ts';
import { Caller, WrongAnswer } from './load.ts';
import type { Load } from './measure.ts';
import { createKeys, type RunningModelgate, startModelgate } from './modelgate.ts';
import { type Run, setupOn } from './servers.ts';
import { dividePerUnit, type SharedStores, type StoreNote, startStores } from './stores.ts';

export const sideNames = ['plain', 'governed'] as const;
export type SideName = (typeof sideNames)[number];

interface Side {
  readonly gateways: readonly RunningModelgate[];
  /** One for each account. */
  readonly keys: readonly string[];
}

export type Fleet = Readonly<Record<SideName, Side>>;

interface FleetSize {
  readonly engine: 'sqlite' | 'postgres';
  /** Of each side. */
  readonly processes: number;
  readonly accounts: number;
}

export async function withFleet<T>(size: FleetSize, run: Run, work: (fleet: Fleet, stores: SharedStores | null) => Promise<T>): Promise<T> {
  // On SQLite, each side has a folder of its own.
  const stores = size.engine === 'postgres' ? await startStores(run.ground.cores) : null;
  const gateways: RunningModelgate[] = [];
  try {
    return await work(await startFleet(size, run, { stores, gateways }), stores);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await stores?.close();
  }
}

interface Ends {
  readonly stores: SharedStores | null;
  /** All that were started, to be stopped in the end. */
  readonly gateways: RunningModelgate[];
}

async function startFleet({ processes, accounts }: FleetSize, { ground }: Run, { stores, gateways }: Ends): Promise<Fleet> {
  const spare = ground.cores?.all.filter((core) => core !== ground.cores?.load) ?? [];
  const startSide = async (isGoverned: boolean): Promise<RunningModelgate[]> => {
    const own: RunningModelgate[] = [];
    // The first one makes the tables.
    for (let index = 0; index < processes; index++) {
      const more = { isGoverned, core: spare[index % spare.length], hasAdmin: index === 0, ...(stores && { stores: stores.variables }) };
      own.push(await startModelgate({ ...setupOn(ground), ...more }));
      gateways.push(...own.slice(-1));
    }
    return own;
  };
  const [governed, plain] = [await startSide(true), await startSide(false)];
  const keys = await createKeys(governed[0], accounts, true);
  // On shared stores the keys of one side are those of the other.
  const plainKeys = stores ? keys : await createKeys(plain[0], accounts, false);
  return { governed: { gateways: governed, keys }, plain: { gateways: plain, keys: plainKeys } };
}

/** By request: microseconds of CPU, steps, or bytes. */
export interface EngineLoad extends Load, Partial<StoreNote> {
  /** Part of the calls that were answered with 503: the store had no time for them. They count as nothing else. */
  readonly rejected: number;
}

interface FleetLoad extends Side {
  readonly stores: SharedStores | null;
  readonly asked: Asked;
  /** Calls at a time, over all gateways and keys. */
  readonly parallel: number;
  readonly loadMs: number;
}

export async function measureFleet(load: FleetLoad): Promise<EngineLoad> {
  const { gateways, keys, asked, parallel, loadMs } = load;
  const callers = gateways.map(({ origin, key }) => new Caller({ origin, key, keys }, asked, parallel));
  try {
    // Connecting is paid for before.
    await Promise.all(callers.flatMap((caller) => Array.from({ length: parallel }, () => isServed(caller))));
    const before = await noteAll(load);
    const startedAt = performance.now();
    const { calls, rejected } = await callAll(callers, parallel, loadMs);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await noteAll(load);
    const stores = after.stores && before.stores ? dividePerUnit(after.stores, before.stores, calls) : {};
    return { cpu: (after.cpu - before.cpu) / calls, perSecond: calls / seconds, rejected: rejected / (calls + rejected), ...stores };
  } finally {
    await Promise.all(callers.map((caller) => caller.close()));
  }
}

/** Each lane asks again as soon as it has its answer, the gateways in turns as behind a balancer. */
async function callAll(callers: readonly Caller[], lanes: number, loadMs: number): Promise<{ calls: number; rejected: number }> {
  const until = Date.now() + loadMs;
  let [calls, rejected] = [0, 0];
  const work = async (_: unknown, lane: number): Promise<void> => {
    for (let turn = lane; Date.now() < until; turn++) {
      const caller = callers[turn % callers.length];
      if (caller && (await isServed(caller))) calls++;
      else rejected++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { calls, rejected };
}

/** Anything else than an answer, or a 503, ends the benchmark. */
async function isServed(caller: Caller): Promise<boolean> {
  try {
    await caller.call();
    return true;
  } catch (error) {
    if (error instanceof WrongAnswer && error.status === 503) return false;
    throw error;
  }
}

async function noteAll({ gateways, stores }: FleetLoad): Promise<{ readonly cpu: number; readonly stores: StoreNote | null }> {
  const [used, note] = await Promise.all([Promise.all(gateways.map(({ child }) => child.used())), stores?.note() ?? null]);
  return { cpu: used.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0), stores: note };
}
