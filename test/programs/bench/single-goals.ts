/** Goals that are no ratio: time to the first event of a stream, memory of an open stream, and start and idle memory of the packed gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureGateway } from '../../../client/packages/measure.ts';
import { getRecipe } from '../../../client/packages/recipes.ts';
import { packRecipe } from '../../../client/packages/tarball.ts';
import { forwardedStream, pacedStream, small } from './asked.ts';
import type { Asking, Loaded } from './child.ts';
import { titles } from './goal-servers.ts';
import type { GoalResult } from './goals.ts';
import { Caller } from './load.ts';
import { type Latency, measureLatency, measureLoad, measureOpenStreams } from './measure.ts';
import { startModelgate } from './modelgate.ts';
import { type Run, say, setupOn, startServer } from './servers.ts';
import { median } from './statistics.ts';

const OTHERS = 100;
const ROUNDS = 3;
const SAMPLES = 200;
/** A gateway answers for days, not for its first second. */
const WARM_MS = 4_000;

/** What a server adds to the time until the first event of a stream while others have streams open. */
async function measureFirstEvents({ ground, vendor, isQuick }: Run): Promise<GoalResult[]> {
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

/** Measures one caller while so many streams are open, each of which is asked for again when it ends. */
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

const STREAMS = 1_000;
const THREADS_MS = 8_000;

async function measureStreamMemory({ ground, isQuick }: Run): Promise<GoalResult[]> {
  const streams = isQuick ? STREAMS / 5 : STREAMS;
  say(`memory of ${streams} governed streams`);
  // They all begin at once, which is no load that it should shed here.
  const server = await startModelgate({ ...setupOn(ground), takesAll: true });
  try {
    // The first call starts threads, whose memory is not that of streams.
    await measureLatency(server, small, 20);
    await pause(isQuick ? 0 : THREADS_MS);
    const memory = await measureOpenStreams(server, pacedStream, streams);
    return [{ row: `memory per open stream, governed, of ${streams}`, unit: 'KB', goal: 60, found: memory / streams / 1e3 }];
  } finally {
    await server.stop();
  }
}

/** As it is published. */
async function measureStarts(): Promise<GoalResult[]> {
  say('start and idle memory of the packed gateway');
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-packed-'));
  try {
    await packRecipe(getRecipe('modelgate'), { to: folder, repository: undefined });
    const measured = await measureGateway(folder);
    return [
      { row: 'start to first response, packed', unit: 'ms', goal: 350, found: measured.get('start to first answer') ?? Number.NaN },
      { row: 'idle memory, packed', unit: 'MiB', goal: 90, found: measured.get('memory, idle') ?? Number.NaN },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By the name that `--only` takes. */
export const singleGoals = { 'first-event': measureFirstEvents, 'stream-memory': measureStreamMemory, start: measureStarts } as const;
