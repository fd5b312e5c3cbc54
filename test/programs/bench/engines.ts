/** The engines side by side: SQLite with memory, PostgreSQL with Redis, one to three processes; on each a governed call is held against a plain one. */
import { loadavg } from 'node:os';
import { postgresMissing, redisMissing } from '../../harness/servers.ts';
import { compare, type Engine, type EngineRounds, withFleet } from './engines-compare.ts';
import { measureWalls, type Wall } from './engines-walls.ts';
import { measureOpenStreams, verify } from './measure.ts';
import { canReadTrees } from './process-tree.ts';
import { type Run, say } from './rounds.ts';
import { scenarios } from './scenarios.ts';
import { measureWaits, type Wait } from './waits.ts';

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
  readonly waits: readonly Wait[];
  /** Bytes on the disk by charge in PostgreSQL. */
  readonly bytesOfCharge: number | undefined;
  /** Of the machine, by programs that are none of ours. */
  readonly loadBefore: number;
  /** Why there is nothing on PostgreSQL and Redis; null where there is. */
  readonly missing: string | null;
}

/** Parts of the comparison that can be had alone, beside the group with its name. */
export type Part = 'engines' | 'memory' | 'walls' | 'waits';
export const parts: readonly Part[] = ['engines', 'memory', 'walls', 'waits'];

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
  const waits = chosen.includes('waits') ? await measureWaits(run, missing === null) : [];
  return { rounds, memory, loadBefore, missing, waits, ...walls };
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
