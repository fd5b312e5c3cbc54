/** Runs the rounds of the benchmark: warm-up, turns of the servers, and what is noted of each. */
import { WrongAnswer } from './load.ts';
import { measureCpu, measureLatency, measureOpenStreams, verify } from './measure.ts';
import type { Options } from './options.ts';
import type { Rounds } from './report.ts';
import { type Scenario, type StreamScenario, scenarios } from './scenarios.ts';
import { type Ground, type Running, type ServerName, startServer } from './servers.ts';

/** A stream takes longer than a call, so fewer make a latency number. */
const streamSampleShare = 0.2;
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

/** Calls in a closed loop: all servers stay up, and take turns in every round. */
export async function runClosed(results: readonly Rounds[], run: Run): Promise<void> {
  const { names, ground, vendor, options } = run;
  const servers = new Map<ServerName, Running>();
  try {
    for (const name of names) servers.set(name, await startServer(name, ground));
    for (const { scenario } of results) {
      for (const [name, server] of servers) {
        say(`warm up ${name}: ${scenario.name}`);
        await blaming(name, scenario, async () => {
          await verify(server, vendor.child, scenario);
          await measureCpu(server, scenario, options.loadMs * warmUpShare);
        });
      }
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const { scenario, direct, servers: numbers } of results) {
        say(`round ${round + 1} of ${options.rounds}: ${scenario.name}`);
        const samples = Math.ceil(options.samples * (scenario.kind === 'json' ? 1 : streamSampleShare));
        direct.push(await measureLatency(vendor, scenario, samples));
        for (const [name, server] of turn([...servers], round)) {
          await blaming(name, scenario, async () => {
            const cpu = await measureCpu(server, scenario, options.loadMs);
            numbers.get(name)?.push({ cpu, ...(await measureLatency(server, scenario, samples)) });
          });
        }
      }
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

/** Streams that stay open: each server starts afresh, so that memory of earlier loads does not count. */
export async function runOpen(results: Rounds, scenario: StreamScenario, { names, ground, vendor, options }: Run): Promise<void> {
  const warmUp = scenarios.find(({ kind }) => kind === 'stream') ?? scenario;
  const rounds = Math.min(options.rounds, maxOpenRounds);
  for (let round = 0; round < rounds; round++) {
    for (const name of turn(names, round)) {
      say(`round ${round + 1} of ${rounds}: ${options.openStreams} ${scenario.title}, ${name}`);
      const server = await startServer(name, ground);
      try {
        await blaming(name, scenario, async () => {
          await verify(server, vendor.child, warmUp);
          await measureLatency(server, warmUp, 20);
          const { cpuMicros, memory } = await measureOpenStreams(server, scenario, options.openStreams);
          results.servers.get(name)?.push({ cpu: cpuMicros, memory });
        });
      } finally {
        await server.stop();
      }
    }
  }
}

/** Says whose wrong answer it was. */
async function blaming(name: ServerName, scenario: Scenario, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongAnswer(`${name}, ${scenario.name}: ${error.message}`) : error;
  }
}

/** Another server begins in every round. */
function turn<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
