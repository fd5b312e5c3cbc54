/** The engines side by side: SQLite with memory, PostgreSQL with Redis, one to three processes; on each a governed call is held against a plain one. */
import { loadavg } from 'node:os';
import { postgresMissing, redisMissing } from '../harness/servers.ts';
import { type Fleet, type Side, type SideName, sideNames, startFleet } from './engines-fleet.ts';
import { type EngineNumbers, measureEngine } from './engines-load.ts';
import { type SharedStores, startStores } from './engines-stores.ts';
import { measureWalls, type Wall } from './engines-walls.ts';
import { WrongAnswer } from './load.ts';
import { measureOpenStreams, verify } from './measure.ts';
import { canReadTrees } from './process-tree.ts';
import type { Rounds } from './report.ts';
import { type Run, say } from './rounds.ts';
import { scenarios } from './scenarios.ts';

export type Engine = 'sqlite' | 'postgres';

/** One line of the comparison. */
export interface EngineRounds extends Rounds {
  readonly engine: Engine;
  readonly processes: number;
  readonly accounts: number;
  readonly servers: ReadonlyMap<SideName, EngineNumbers[]>;
}

/** Resident, in bytes. */
export interface Memory {
  /** After its first calls. */
  readonly idle: number;
  readonly byStream: number;
}

export interface EngineResult {
  readonly rounds: readonly EngineRounds[];
  /** Of a governed gateway. */
  readonly memory: Readonly<Partial<Record<Engine, Memory>>>;
  readonly walls: readonly Wall[];
  /** Bytes on the disk by charge in PostgreSQL. */
  readonly bytesOfCharge: number | undefined;
  /** Of the machine, by programs that are none of ours. */
  readonly loadBefore: number;
  /** Why there is nothing on PostgreSQL and Redis; null where there is. */
  readonly missing: string | null;
}

/** Parts of the comparison that can be had alone, beside the group with its name. */
export type Part = 'engines' | 'memory' | 'walls';
export const parts: readonly Part[] = ['engines', 'memory', 'walls'];

/** What a governed call may cost the gateways, by one that is neither held nor limited on the same engine. */
const cpuTarget = 1.8;
/** Calls at a time; as many accounts where each has its own. */
export const parallel = 200;
/** Short rounds leave the clock of the kernel too few ticks to count by. */
export const loadShare = 2;
const processCounts: Readonly<Record<Engine, readonly number[]>> = { sqlite: [1], postgres: [1, 2, 3] };

export const missingStores = (): string | null => {
  const reasons = [postgresMissing, redisMissing].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(' ');
};

export async function runEngines(run: Run, chosen: readonly Part[]): Promise<EngineResult> {
  const missing = missingStores();
  const [loadBefore = Number.NaN] = loadavg();
  if (missing !== null) say(`NOTICE: PostgreSQL + Redis LEFT OUT. ${missing} On Debian: apt-get install postgresql redis-server`);
  if (!canReadTrees) say('NOTICE: without /proc the CPU of PostgreSQL and Redis cannot be told');
  const rounds: EngineRounds[] = [];
  const memory: Partial<Record<Engine, Memory>> = {};
  for (const engine of missing === null ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)) {
    if (chosen.includes('engines')) for (const processes of processCounts[engine]) rounds.push(...(await compare(engine, processes, run)));
    if (chosen.includes('memory')) memory[engine] = await memoryOf(engine, run);
  }
  const walls = chosen.includes('walls') && missing === null ? await measureWalls(run) : { walls: [], bytesOfCharge: undefined };
  return { rounds, memory, loadBefore, missing, ...walls };
}

/** Both sides on one engine, with one account and with many, each in every round. */
async function compare(engine: Engine, processes: number, run: Run): Promise<EngineRounds[]> {
  const { options, vendor } = run;
  return withFleet({ engine, processes, accounts: parallel + 1 }, run, async (fleet, stores) => {
    const plan = [1, parallel].map((accounts) => roundsOf(engine, processes, accounts));
    const measure = (side: SideName, accounts: number, loadMs: number) =>
      blaming(fleet.sides[side], () => measureEngine({ ...at(fleet, side, accounts), stores, asked: small, parallel, loadMs }));
    for (const side of sideNames) {
      for (const gateway of fleet.sides[side].gateways)
        await verify({ ...gateway, key: fleet.sides[side].keys[0] ?? '' }, vendor.child, small);
      for (const { accounts } of plan) await measure(side, accounts, options.loadMs * loadShare);
    }
    for (let round = 0; round < options.rounds; round++)
      for (const { name, accounts, servers } of plan) {
        say(`round ${round + 1} of ${options.rounds}: ${name}`);
        for (const side of round % 2 === 0 ? sideNames : sideNames.toReversed())
          servers.get(side)?.push(await measure(side, accounts, options.loadMs * loadShare));
      }
    return plan;
  });
}

/** With what the gateways themselves say about it. */
async function blaming<T>({ gateways }: Side, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongAnswer([error.message, ...gateways.map(({ troubles }) => troubles())].join('\n')) : error;
  }
}

/** The first key is that of the hot account. */
function at({ sides }: Fleet, side: SideName, accounts: number) {
  const { gateways, keys } = sides[side];
  return { gateways, keys: accounts === 1 ? keys.slice(0, 1) : keys.slice(1) };
}

const [small] = scenarios.flatMap((scenario) => (scenario.name === 'small' ? [scenario] : [])) as [(typeof scenarios)[number]];

function roundsOf(engine: Engine, processes: number, accounts: number): EngineRounds {
  return {
    ...{ engine, processes, accounts, base: 'plain', judged: ['governed'], targets: { cpu: cpuTarget }, direct: [] },
    name: `${engine}-${processes}-${accounts === 1 ? 'hot' : 'many'}`,
    title: `${parallel} at a time, ${accounts === 1 ? 'one account' : `${accounts} accounts`}`,
    servers: new Map(sideNames.map((side) => [side, []])),
  };
}

/** A gateway of its own, so that the memory of other loads is not in the way. */
async function memoryOf(engine: Engine, run: Run): Promise<Memory> {
  const { openStreams } = run.options;
  say(`${openStreams} open streams on ${engine}`);
  return withFleet({ engine, processes: 1, accounts: 1 }, run, async ({ sides }) => {
    const { gateways, keys } = sides.governed;
    const [gateway] = gateways;
    const [stream, open] = (['stream', 'open'] as const).map((kind) => scenarios.find((scenario) => scenario.kind === kind));
    if (!gateway || !stream || open?.kind !== 'open') throw new Error('there is no gateway or no scenario with open streams');
    const server = { ...gateway, key: keys[0] ?? '' };
    await verify(server, run.vendor.child, stream);
    const idle = (await gateway.child.settle()).rssBytes;
    return { idle, byStream: (await measureOpenStreams(server, open, openStreams)).memory / openStreams };
  });
}

interface FleetSize {
  readonly engine: Engine;
  readonly processes: number;
  readonly accounts: number;
}

async function withFleet<T>(
  { engine, processes, accounts }: FleetSize,
  { ground }: Run,
  work: (fleet: Fleet, stores: SharedStores | null) => Promise<T>,
): Promise<T> {
  const stores = engine === 'postgres' ? await startStores(ground.cores) : null;
  try {
    const fleet = await startFleet({ ground, stores, processes, accounts });
    try {
      return await work(fleet, stores);
    } finally {
      await fleet.close();
    }
  } finally {
    await stores?.close();
  }
}
