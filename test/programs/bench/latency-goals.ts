/** Goals about latency: what a gateway adds to the first event of a stream, and to calls while its request log is pruned and exported. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { DAY_MS } from '../../../server/records/time-bucket.ts';
import { readDatabase } from '../../../server/store/sqlite/database.ts';
import { forwardedStream, pacedStream, small } from './asked.ts';
import type { Asking, Loaded } from './child.ts';
import { titles } from './goal-servers.ts';
import type { GoalResult } from './goals.ts';
import { Caller } from './load.ts';
import { type Latency, measureLatency, measureLoad, measureRate } from './measure.ts';
import { createAdminKey, createKeys, type RunningModelgate, startModelgate } from './modelgate.ts';
import { fillLog } from './pages-fill.ts';
import { type Run, say, setupOn, startServer } from './servers.ts';
import { median } from './statistics.ts';

const OTHERS = 100;
const ROUNDS = 3;
const SAMPLES = 200;
/** A gateway answers for days, not for its first second. */
const WARM_MS = 4_000;

/** What a server adds to the time until the first event of a stream while others have streams open. */
export async function measureFirstEvents({ ground, vendor, isQuick }: Run): Promise<GoalResult[]> {
  const names = ['modelgate', 'governed', 'fastify'] as const;
  const servers = new Map<(typeof names)[number], Loaded>();
  const direct: Latency[] = [];
  const found = new Map(names.map((name) => [name, [] as Latency[]]));
  try {
    for (const name of names) servers.set(name, await startServer(name, ground));
    for (const server of servers.values())
      await measureLoad(server, forwardedStream, { concurrency: 16, loadMs: isQuick ? WARM_MS / 10 : WARM_MS });
    for (let round = 0; round < (isQuick ? 1 : ROUNDS); round++) {
      say(`first events: round ${round + 1}`);
      direct.push(await measureWhileOpen(vendor));
      for (const [name, server] of servers) found.get(name)?.push(await measureWhileOpen(server));
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
  const added = (own: readonly Latency[], share: keyof Latency): number =>
    median(own.map((one) => one[share])) - median(direct.map((one) => one[share]));
  return [...found].flatMap(([name, times]) => {
    const row = `time to first event, added, ${titles[name]}, with ${OTHERS} open streams`;
    return [
      { row: `${row}: p50`, unit: 'ms', goal: name === 'fastify' ? null : 1, found: added(times, 'p50') } as const,
      { row: `${row}: p99`, unit: 'ms', goal: name === 'fastify' ? null : 3, found: added(times, 'p99') } as const,
    ];
  });
}

/** Measures one caller while `OTHERS` streams are open. A stream that ends is replaced by a new one. */
async function measureWhileOpen(server: Asking): Promise<Latency> {
  const others = new Caller(server, pacedStream, OTHERS);
  let isOver = false;
  const listen = async (): Promise<void> => {
    while (!isOver) await others.call();
  };
  const open = Promise.allSettled(Array.from({ length: OTHERS }, listen));
  try {
    return await measureLatency(server, forwardedStream, SAMPLES);
  } finally {
    isOver = true;
    await others.close();
    await open;
  }
}

/** Two thirds of these are older than the 30 days that a gateway keeps them by default. */
const LOG_ROWS = 450_000;
const KEPT_DAYS = 30;
const PER_SECOND = 200;
const RATE_MS = 3_000;

/** The gateway has one core for its calls, for deleting a batch of old rows at a time, and for reading all others. */
export async function measureUpkeep(run: Run): Promise<GoalResult[]> {
  const bare = await startServer('fastify', run.ground);
  const fastify = await measureAddedP99(bare, run).finally(() => bare.stop());
  const rows = run.isQuick ? LOG_ROWS / 3 : LOG_ROWS;
  say(`a request log of ${rows} rows is filled`);
  const filledAt = Date.now();
  const gateway = await startModelgate({ ...setupOn(run.ground), hasAdmin: true, fill: (data) => fillLog(data, rows, filledAt) });
  try {
    const [key = ''] = await createKeys(gateway, 1, true);
    const exports = startExports(gateway, await createAdminKey(gateway));
    const governed = await measureAddedP99({ ...gateway, key }, run).finally(exports.stop);
    if (exports.hasEnded()) say('notice: the export of the request log failed, so the next row is measured without it');
    const old = readDatabase(gateway.data, 5_000, (database) => database.prepare(COUNT_OLD).get(filledAt - KEPT_DAYS * DAY_MS)?.n);
    say(old === 0 ? 'notice: all old rows were deleted too early, the next row is measured without it' : `${old} old rows are left`);
    const row = `added latency at ${PER_SECOND} calls per second`;
    return [
      { row: `${row}, governed, while its log is pruned and exported: p99`, unit: 'ms', goal: 5, found: governed },
      { row: `${row}, ${titles.fastify}: p99`, unit: 'ms', goal: null, found: fastify },
    ];
  } finally {
    await gateway.stop();
  }
}

const COUNT_OLD = 'SELECT count(*) AS n FROM requests WHERE ended_at < ?';

/** In turns with the provider, asked directly. */
async function measureAddedP99(server: Loaded, run: Run): Promise<number> {
  const order = { concurrency: 32, perSecond: PER_SECOND, loadMs: run.isQuick ? RATE_MS / 3 : RATE_MS };
  await measureLoad(server, small, { concurrency: 16, loadMs: run.isQuick ? WARM_MS / 10 : WARM_MS });
  const added: number[] = [];
  for (let round = 0; round < (run.isQuick ? 1 : ROUNDS); round++) {
    const direct = await measureRate(run.vendor, small, order);
    added.push((await measureRate(server, small, order)).p99 - direct.p99);
  }
  return median(added);
}

/** Reads the export of all requests again and again, in a process that leaves the processor to the load. */
function startExports({ adminOrigin }: RunningModelgate, adminKey: string): { stop(): void; hasEnded(): boolean } {
  const program = `for (;;) {
    const answer = await fetch('${adminOrigin}/admin/v1/requests.csv', { headers: { authorization: 'Bearer ${adminKey}' } });
    if (!answer.ok) throw new Error(String(answer.status) + ' ' + (await answer.text()));
    for await (const _ of answer.body);
  }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'ignore', 'inherit'] });
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  process.once('exit', () => child.kill());
  return { stop: () => void child.kill(), hasEnded: () => child.exitCode !== null };
}
