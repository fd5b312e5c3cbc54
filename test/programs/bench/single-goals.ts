/** Goals that are no ratio of CPU: latency, memory, start and memory of the packed gateway, the gain of a second worker, and time in SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureGateway } from '../../../client/packages/measure.ts';
import { getRecipe } from '../../../client/packages/recipes.ts';
import { packRecipe } from '../../../client/packages/tarball.ts';
import { small } from './asked.ts';
import type { Loaded } from './child.ts';
import type { GoalResult } from './goals.ts';
import { measureFirstEvents, measureUpkeep } from './latency-goals.ts';
import { type Load, measureLoad } from './measure.ts';
import { measureRunMemory, measureSocketMemory, measureStreamMemory } from './memory-goals.ts';
import { type RunningModelgate, startModelgate } from './modelgate.ts';
import { canReadTrees, cpuOf } from './process-tree.ts';
import { type Run, say, setupOn } from './servers.ts';
import type { ThreadClock } from './sqlite-clock.ts';
import { median, turn } from './statistics.ts';

/** As it is published. */
async function measureStarts(): Promise<GoalResult[]> {
  say('start, idle memory, and memory of workers of the packed gateway');
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-packed-'));
  try {
    await packRecipe(getRecipe('modelgate'), { to: folder, repository: undefined });
    const measured = await measureGateway(folder);
    const createRow = (row: string, unit: 'ms' | 'MiB', goal: number, name: Parameters<typeof measured.get>[0]): GoalResult => {
      return { row: `${row}, packed`, unit, goal, found: measured.get(name) ?? Number.NaN };
    };
    return [
      createRow('start to first response', 'ms', 350, 'start to first answer'),
      createRow('CPU of --help', 'ms', 150, '--help'),
      createRow('idle memory, one process', 'MiB', 90, 'memory, idle'),
      createRow('idle memory of each further worker', 'MiB', 70, 'memory of another worker'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const WARM_MS = 5_000;
const ROUND_MS = 500;
const ROUNDS = 12;

/** What two workers on two cores can do, compared with one on one core. The CPU is that of all processes of a gateway. */
async function measureWorkers({ ground, isQuick, rounds = ROUNDS }: Run): Promise<GoalResult[]> {
  const cores = ground.cores?.all.slice(-2);
  if (cores === undefined || !canReadTrees) {
    say('notice: without two cores, taskset and /proc, the rows of workers are skipped');
    return [];
  }
  if (ground.cores?.all.length === 2)
    say('notice: the load and the provider use the same two cores as the workers, which hides most of their gain');
  const gateways: RunningModelgate[] = [];
  const start = async (workers: number): Promise<{ readonly server: Loaded; readonly loads: Load[] }> => {
    const gateway = await startModelgate({ ...setupOn(ground), takesAll: true, workers, core: cores.slice(-workers) });
    gateways.push(gateway);
    const { origin, key, stop } = gateway;
    return { server: { origin, key, stop, child: { used: async () => ({ cpuMicros: cpuOf(gateway.child.pid) }) } }, loads: [] };
  };
  try {
    const [one, two] = [await start(1), await start(2)];
    const order = { concurrency: 64, loadMs: ROUND_MS };
    for (const { server } of [one, two]) await measureLoad(server, small, { ...order, loadMs: isQuick ? ROUND_MS : WARM_MS });
    for (let round = 0; round < rounds; round++)
      for (const { server, loads } of turn([one, two], round)) loads.push(await measureLoad(server, small, order));
    const ratio = (of: (load: Load) => number): number => median(two.loads.map(of)) / median(one.loads.map(of));
    const row = 'two workers on two cores to one on one core';
    return [
      { row: `calls per second, ${row}`, unit: '×', goal: 1.8, isLeast: true, found: ratio(({ perSecond }) => perSecond) },
      { row: `calls per CPU-second, ${row}`, unit: '×', goal: null, found: ratio(({ cpu }) => 1 / cpu) },
    ];
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
}

const SQLITE_CLOCK = new URL('./sqlite-clock.ts', import.meta.url).href;
/** The request log writes its rows, and all threads report their time, within this time. */
const SETTLE_MS = 1_500;

/** Hold, charge, and row of the request log, 32 calls at a time. `sqlite-clock.ts` says what is counted. */
async function measureSqlite({ ground, isQuick }: Run): Promise<GoalResult[]> {
  const gateway = await startModelgate({ ...setupOn(ground), preload: SQLITE_CLOCK });
  const order = { concurrency: 32, loadMs: isQuick ? ROUND_MS : 2_000 };
  const found: number[] = [];
  try {
    await measureLoad(gateway, small, { ...order, loadMs: isQuick ? ROUND_MS : WARM_MS });
    await pause(SETTLE_MS);
    for (let round = 0; round < (isQuick ? 1 : 5); round++) {
      const before = await gateway.child.clocks();
      const { units } = await measureLoad(gateway, small, order);
      await pause(SETTLE_MS);
      found.push(sqliteMicros(before, await gateway.child.clocks()) / units);
    }
  } finally {
    await gateway.stop();
  }
  return [{ row: 'SQLite in a governed call: hold, charge, and log row', unit: 'µs', goal: 28, found: median(found) }];
}

/** CPU of all threads in SQLite, between two readings of their clocks. */
function sqliteMicros(before: readonly ThreadClock[], after: readonly ThreadClock[]): number {
  const spent = after.map((clock, index) => {
    const from = before[index] ?? { sqlite: 0, active: 0, cpu: 0 };
    return ((clock.sqlite - from.sqlite) * (clock.cpu - from.cpu)) / (clock.active - from.active);
  });
  return spent.reduce((sum, one) => sum + one, 0);
}

/** By the name that `--only` takes. */
export const singleGoals = {
  'first-event': measureFirstEvents,
  upkeep: measureUpkeep,
  'stream-memory': measureStreamMemory,
  'websocket-memory': measureSocketMemory,
  'background-memory': measureRunMemory,
  start: measureStarts,
  workers: measureWorkers,
  sqlite: measureSqlite,
} as const;
