/** The engines side by side: on SQLite, and on PostgreSQL and Redis with one to three processes, a governed call is compared with a plain one. */
import { loadavg } from 'node:os';
import { postgresMissing, redisMissing } from '../../harness/servers.ts';
import { type Asked, pacedStream, slow, small } from './asked.ts';
import { type EngineLoad, type Fleet, measureFleet, type SideName, sideNames, withFleet } from './fleet.ts';
import { measureLatency, measureOpenStreams } from './measure.ts';
import { canReadTrees } from './process-tree.ts';
import { blaming, type Run, say } from './servers.ts';
import type { SharedStores } from './stores.ts';
import { measureWalls, type Wall } from './walls.ts';

export type Engine = 'sqlite' | 'postgres';

/** One line of the comparison. */
export interface EngineRounds {
  readonly engine: Engine;
  readonly processes: number;
  readonly accounts: number;
  /** How long the vendor takes: nothing at all, or 50 to 250 ms. */
  readonly isSlow: boolean;
  readonly sides: Readonly<Record<SideName, EngineLoad[]>>;
}

/** Resident, in bytes. */
interface Memory {
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
  /** How it was measured. */
  readonly about: string;
  /** Why there is nothing on PostgreSQL and Redis; null where there is. */
  readonly missing: string | null;
}

/** Calls at a time; as many accounts where each has its own. */
export const parallel = 200;
const roundsOf = (run: Run): number => run.rounds ?? 5;
/** Shorter rounds leave the clock of the kernel too few ticks to count by. */
const loadMsOf = ({ isQuick }: Run): number => (isQuick ? 800 : 2_000);
const streamsOf = ({ isQuick }: Run): number => (isQuick ? 200 : 1_000);

const processCounts: Readonly<Record<Engine, readonly number[]>> = { sqlite: [1], postgres: [1, 2, 3] };

export async function measureEngines(run: Run): Promise<EngineResult> {
  const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null).join(' ') || null;
  const [loadBefore = Number.NaN] = loadavg();
  if (missing !== null) say(`NOTICE: PostgreSQL + Redis LEFT OUT. ${missing} On Debian: apt-get install postgresql redis-server`);
  if (!canReadTrees) say('NOTICE: without /proc the CPU of PostgreSQL and Redis cannot be told');
  const rounds: EngineRounds[] = [];
  const memory: Partial<Record<Engine, Memory>> = {};
  for (const engine of missing === null ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)) {
    for (const processes of processCounts[engine]) rounds.push(...(await compare(engine, processes, run)));
    memory[engine] = await memoryOf(engine, run);
  }
  const walls = missing === null ? await measureWalls(run) : { walls: [], bytesOfCharge: undefined };
  const how = `${roundsOf(run)} rounds of ${loadMsOf(run) / 1_000} s, ${streamsOf(run)} open streams`;
  const about = `${how}; load of the machine before the run: ${loadBefore.toFixed(2)}`;
  return { rounds, memory, missing, about, ...walls };
}

/** Both sides on one engine, with one account and with many, each in every round. */
async function compare(engine: Engine, processes: number, run: Run): Promise<EngineRounds[]> {
  return withFleet({ engine, processes, accounts: parallel + 1 }, run, async (fleet, stores) => {
    const plan = [false, true].flatMap((isSlow) =>
      [1, parallel].map((accounts): EngineRounds => ({ engine, processes, accounts, isSlow, sides: { plain: [], governed: [] } })),
    );
    for (const side of sideNames) for (const line of plan) await measureSide(side, line, { fleet, stores, run });
    for (let round = 0; round < roundsOf(run); round++)
      for (const line of plan) {
        say(`round ${round + 1} of ${roundsOf(run)}: ${engine}, ${processes} processes, ${line.accounts} accounts, ${askedIn(line).title}`);
        for (const side of round % 2 === 0 ? sideNames : sideNames.toReversed())
          line.sides[side].push(await measureSide(side, line, { fleet, stores, run }));
      }
    return plan;
  });
}

const askedIn = ({ isSlow }: EngineRounds): Asked => (isSlow ? slow : small);

interface Bench {
  readonly fleet: Fleet;
  readonly stores: SharedStores | null;
  readonly run: Run;
}

/** The first key is that of the hot account. */
function measureSide(side: SideName, line: EngineRounds, { fleet, stores, run }: Bench): Promise<EngineLoad> {
  const { gateways, keys } = fleet[side];
  const own = line.accounts === 1 ? keys.slice(0, 1) : keys.slice(1);
  const asked = askedIn(line);
  return blaming(side, asked, () => measureFleet({ gateways, keys: own, stores, asked, parallel, loadMs: loadMsOf(run) }));
}

/** A gateway of its own, so that the memory of other loads is not in the way. */
async function memoryOf(engine: Engine, run: Run): Promise<Memory> {
  const streams = streamsOf(run);
  say(`${streams} open streams on ${engine}`);
  return withFleet({ engine, processes: 1, accounts: 1 }, run, async ({ governed: { gateways, keys } }) => {
    const [gateway] = gateways;
    if (!gateway) throw new Error('there is no gateway');
    const server = { ...gateway, key: keys[0] ?? '' };
    await measureLatency(server, small, 1);
    const idle = (await gateway.child.settle()).rssBytes;
    return { idle, byStream: (await measureOpenStreams(server, pacedStream, streams)) / streams };
  });
}
