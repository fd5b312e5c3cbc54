/** Runs the rounds of the benchmark: warm-up, turns of the servers, and what is noted of each. */

import type { Running } from './child.ts';
import type { Comparison, Side } from './comparisons.ts';
import { WrongAnswer } from './load.ts';
import { type LoadOrder, measureBlocked, measureLatency, measureLoad, measureOpenStreams, usualConcurrency, verify } from './measure.ts';
import { type Moment, measureHangUps, measureRevocations } from './moments.ts';
import type { Options } from './options.ts';
import type { Rounds } from './report.ts';
import { type Asked, type StreamAsked, streamScenario } from './scenarios.ts';
import { type Ground, type ServerName, startServer } from './servers.ts';

/** A stream takes longer than a call, so fewer make a latency number. */
const streamSampleShare = 0.2;
/** Each takes about a second. */
const revokedSampleShare = 0.02;
/** Long enough for the compiler of every server to be done. */
const warmUpShare = 1.5;
/** Each takes about ten seconds a server. */
const maxOpenRounds = 3;

/** Progress goes to stderr, so that stdout is the result alone. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export interface Run {
  readonly names: readonly ServerName[];
  readonly ground: Ground;
  readonly vendor: Running;
  readonly options: Options;
}

/** What is asked, and where its numbers go. */
export interface Planned<T> {
  readonly what: T;
  readonly rounds: Rounds;
}

/** Calls in a closed loop: all servers stay up, and take turns in every round. */
export async function runClosed(plan: readonly Planned<Asked>[], run: Run): Promise<void> {
  const { ground, vendor, options } = run;
  await withServers(run.names, ground, async (servers) => {
    for (const { what } of plan)
      for (const [name, server] of servers) await warmUp(name, { server, asked: what, concurrency: usualConcurrency }, run);
    for (let round = 0; round < options.rounds; round++) {
      for (const { what, rounds } of plan) {
        say(`round ${round + 1} of ${options.rounds}: ${what.name}`);
        const samples = Math.ceil(options.samples * (what.kind === 'json' ? 1 : streamSampleShare));
        rounds.direct.push(await measureLatency(vendor, what, samples));
        for (const [name, server] of turn([...servers], round)) {
          await blaming(name, what, async () => {
            const { cpu } = await measureLoad(server, what, { concurrency: usualConcurrency, loadMs: options.loadMs });
            rounds.servers.get(name)?.push({ cpu, ...(await measureLatency(server, what, samples)) });
          });
        }
      }
    }
  });
}

/** Modelgate against itself: the sides take turns in every round. */
export async function runComparisons(plan: readonly Planned<Comparison>[], run: Run): Promise<void> {
  const { ground, options } = run;
  const sidesOf = ({ base, others }: Comparison): Side[] => [base, ...others];
  const names = new Set(plan.flatMap(({ what }) => sidesOf(what).map(({ server }) => server)));
  await withServers([...names], ground, async (servers) => {
    const serverOf = (side: Side): Running => servers.get(side.server) ?? unknownServer(side.server);
    for (const { what } of plan)
      for (const side of sidesOf(what))
        await warmUp(side.name, { server: serverOf(side), asked: side.asked, ...orderOf(what, options) }, run);
    for (let round = 0; round < options.rounds; round++) {
      for (const { what, rounds } of plan) {
        say(`round ${round + 1} of ${options.rounds}: ${what.name}`);
        for (const side of turn(sidesOf(what), round)) {
          await blaming(side.name, side.asked, async () => {
            const order = orderOf(what, options);
            const load = await measureLoad(serverOf(side), side.asked, order);
            const blocked = what.group === 'governed' ? await measureBlocked(serverOf(side), side.asked, order) : undefined;
            rounds.servers.get(side.name)?.push({ ...load, ...(blocked !== undefined && { blocked }) });
          });
        }
      }
    }
  });
}

/** A rate needs time until it is one. */
const steadyShare = 2;

const orderOf = ({ concurrency, perSecond }: Comparison, { loadMs }: Options): LoadOrder => ({
  concurrency,
  perSecond,
  loadMs: perSecond === undefined ? loadMs : loadMs * steadyShare,
});

function unknownServer(name: string): never {
  throw new Error(`${name} was not started`);
}

async function withServers(
  names: readonly ServerName[],
  ground: Ground,
  work: (servers: ReadonlyMap<ServerName, Running>) => Promise<void>,
): Promise<void> {
  const servers = new Map<ServerName, Running>();
  try {
    for (const name of names) servers.set(name, await startServer(name, ground));
    await work(servers);
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

interface WarmUp extends Omit<LoadOrder, 'loadMs'> {
  readonly server: Running;
  readonly asked: Asked;
}

async function warmUp(name: string, { server, asked, concurrency, perSecond }: WarmUp, { vendor, options }: Run): Promise<void> {
  say(`warm up ${name}: ${asked.name}`);
  await blaming(name, asked, async () => {
    await verify(server, vendor.child, asked);
    await measureLoad(server, asked, { concurrency, perSecond, loadMs: options.loadMs * warmUpShare });
  });
}

/** Streams that stay open: each server starts afresh, so that memory of earlier loads does not count. */
export async function runOpen({ what: scenario, rounds: results }: Planned<StreamAsked>, run: Run): Promise<void> {
  const { names, ground, vendor, options } = run;
  const rounds = Math.min(options.rounds, maxOpenRounds);
  for (let round = 0; round < rounds; round++) {
    for (const name of turn(names, round)) {
      say(`round ${round + 1} of ${rounds}: ${options.openStreams} ${scenario.title}, ${name}`);
      const server = await startServer(name, ground);
      try {
        await blaming(name, scenario, async () => {
          await verify(server, vendor.child, streamScenario);
          await measureLatency(server, streamScenario, 20);
          const { cpuMicros, memory } = await measureOpenStreams(server, scenario, options.openStreams);
          results.servers.get(name)?.push({ cpu: cpuMicros, memory });
        });
      } finally {
        await server.stop();
      }
    }
  }
}

/** What happens once: all servers stay up, and take turns in every round. A key is revoked at Modelgate alone. */
export async function runMoments(plan: readonly Planned<Moment>[], run: Run): Promise<void> {
  const { ground, vendor, options } = run;
  const [samples, few] = [Math.ceil(options.samples * streamSampleShare), Math.ceil(options.samples * revokedSampleShare)];
  for (const { what, rounds } of plan) {
    for (let round = 0; round < options.rounds; round++) {
      say(`round ${round + 1} of ${options.rounds}: ${what.name}`);
      if (what.name === 'revoked') rounds.servers.get('governed')?.push(await measureRevocations(ground, few));
      else {
        rounds.direct.push(await measureHangUps(vendor, vendor, samples));
        await withServers(turn(run.names, round), ground, async (servers) => {
          for (const [name, server] of servers) rounds.servers.get(name)?.push(await measureHangUps(server, vendor, samples));
        });
      }
    }
  }
}

/** Says whose wrong answer it was. */
export async function blaming(name: string, scenario: Pick<Asked, 'name'>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongAnswer(`${name}, ${scenario.name}: ${error.message}`) : error;
  }
}

/** Another server begins in every round. */
export function turn<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
