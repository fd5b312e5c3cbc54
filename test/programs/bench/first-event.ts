/** What a server adds to the time until the first event of a stream while others have streams open. Fastify stands beside it, and nginx where it is installed. */

import type { Asking } from './child.ts';
import { isInstalled, startForeign } from './foreign.ts';
import { Caller } from './load.ts';
import { type Latency, measureLatency } from './measure.ts';
import { type Run, say } from './rounds.ts';
import { openScenario, streamScenario } from './scenarios.ts';
import { startServer } from './servers.ts';
import { median } from './statistics.ts';

export interface FirstEvents extends Latency {
  readonly server: string;
}

const OPEN = 100;
const ROUNDS = 3;
const SAMPLES = 200;
const CALLERS = 16;
const WARM_MS = 4_000;

export async function measureFirstEvents({ ground, vendor }: Run): Promise<readonly FirstEvents[]> {
  const nginx = isInstalled('nginx') ? await startForeign('nginx', ground) : null;
  const fastify = await startServer('fastify', ground);
  const plain = await startServer('modelgate', ground);
  const governed = await startServer('governed', ground);
  const own: readonly (readonly [string, Asking])[] = [
    ['modelgate', plain],
    ['modelgate, governed', governed],
    ['fastify', fastify],
  ];
  const servers = nginx ? [...own, ['nginx', nginx] as const] : own;
  const direct: Latency[] = [];
  const found = new Map<string, Latency[]>(servers.map(([name]) => [name, []]));
  try {
    for (const [, server] of servers) await warmUp(server);
    for (let round = 0; round < ROUNDS; round++) {
      say(`round ${round + 1} of ${ROUNDS}: first events`);
      direct.push(await whileOpen(vendor));
      for (const [name, server] of servers) found.get(name)?.push(await whileOpen(server));
    }
  } finally {
    for (const server of [plain, governed, fastify]) await server.stop();
    await nginx?.stop();
  }
  return [...found].map(([server, times]) => ({ server, p50: added(times, direct, 'p50'), p99: added(times, direct, 'p99') }));
}

/** Until the compilers are done: a gateway answers for days, not for its first second. */
async function warmUp(server: Asking): Promise<void> {
  const caller = new Caller(server, streamScenario, CALLERS);
  const until = performance.now() + WARM_MS;
  const work = async (): Promise<void> => {
    while (performance.now() < until) await caller.call();
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, work));
  } finally {
    await caller.close();
  }
}

const added = (own: readonly Latency[], direct: readonly Latency[], share: keyof Latency): number =>
  median(own.map((one) => one[share])) - median(direct.map((one) => one[share]));

/** Measures one caller while so many streams are open, each of which is asked for again when it ends. */
async function whileOpen(server: Asking): Promise<Latency> {
  const others = new Caller(server, openScenario, OPEN);
  let isOver = false;
  const listen = async (): Promise<void> => {
    while (!isOver) await others.call();
  };
  const open = Promise.allSettled(Array.from({ length: OPEN }, listen));
  try {
    return await measureLatency(server, streamScenario, SAMPLES);
  } finally {
    isOver = true;
    await others.close();
    await open;
  }
}
