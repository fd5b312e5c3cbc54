/** The benchmark: Modelgate against two bare servers in the same run, one core each. `--help` tells the options. */
import { loadavg } from 'node:os';
import { findCores, pinSelf } from './child.ts';
import { WrongAnswer } from './load.ts';
import { modelgateExists } from './modelgate.ts';
import { help, type Options, readOptions } from './options.ts';
import { drawTable, drawVerdicts, judge, type Rounds, readRows } from './report.ts';
import { type Run, runClosed, runOpen, say } from './rounds.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { type Ground, type ServerName, startVendor } from './servers.ts';

async function main(options: Options): Promise<void> {
  const cores = findCores();
  if (cores) pinSelf(cores.load);
  else say('notice: cannot pin to cores (needs taskset and two cores); CPU numbers stand, latencies are less steady');
  const chosen = scenarios.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  if (chosen.length === 0) throw new Error(`no such scenario; there are: ${scenarios.map(({ name }) => name).join(', ')}`);
  const names: ServerName[] = ['node:http', 'fastify', ...(options.withModelgate && modelgateExists ? (['modelgate'] as const) : [])];
  if (!names.includes('modelgate')) say('notice: Modelgate is left out');
  say(`load of the machine before the run: ${loadavg()[0]?.toFixed(2)}`);
  const vendor = await startVendor(cores);
  const results = chosen.map((scenario): Rounds => ({ scenario, direct: [], servers: new Map(names.map((name) => [name, []])) }));
  try {
    const ground: Ground = { cores, vendorOrigin: vendor.origin, profile: options.profile };
    const run: Run = { names, ground, vendor, options };
    const closed = results.filter(({ scenario }) => scenario.kind !== 'open');
    if (closed.length > 0) await runClosed(closed, run);
    for (const rounds of results) if (rounds.scenario.kind === 'open') await runOpen(rounds, rounds.scenario, run);
  } finally {
    await vendor.stop();
  }
  print(results, options);
}

function print(results: readonly Rounds[], options: Options): void {
  const rows = results.flatMap(readRows);
  const verdicts = results.flatMap(({ scenario }) =>
    rows.filter((row) => row.scenario === scenario.name).flatMap((row) => judge(scenario, row)),
  );
  if (options.json) {
    const rounds = results.map(({ scenario, direct, servers }) => ({ scenario: scenario.name, direct, ...Object.fromEntries(servers) }));
    process.stdout.write(`${JSON.stringify({ node: process.version, options, rows, verdicts, rounds }, null, 2)}\n`);
    return;
  }
  const titles = new Map(results.map(({ scenario }) => [scenario.name, title(scenario, options)]));
  process.stdout.write(
    `\nNode ${process.version}; CPU by request, or by event of a stream. Latency is what a server adds to the direct call (its own row);\n`,
  );
  process.stdout.write('where the direct p99 is far above its p50, the machine was busy. × is against fastify.\n\n');
  process.stdout.write(`${drawTable(rows, titles)}\n\n${drawVerdicts(verdicts)}\n`);
}

function title(scenario: Scenario, { openStreams }: Options): string {
  if (scenario.kind === 'open') return `${scenario.name}: ${openStreams} ${scenario.title}`;
  const kilobytes = Buffer.byteLength(JSON.stringify(scenario.body)) / 1_000;
  return `${scenario.name}: ${scenario.title}, ${kilobytes.toFixed(1)} KB sent`;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(help);
  else await main(options);
} catch (error) {
  say(error instanceof WrongAnswer ? `WRONG ANSWER: ${error.message}` : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
}
// Sockets that are closing must not hold the result back.
process.exit();
