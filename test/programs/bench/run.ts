/** The benchmark: Modelgate against two bare servers in the same run, and against itself, one core each. `--help` tells the options. */
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { isMisuse } from '../../harness/options.ts';
import { type AttackResult, measureAttacks } from './attacks.ts';
import { attacks } from './attacks-list.ts';
import { findCores, pinSelf } from './child.ts';
import { type Comparison, comparisons } from './comparisons.ts';
import { type EngineResult, parts, runEngines } from './engines.ts';
import { writePage } from './engines-page.ts';
import { attackTable, engineTable, memoryTable, stepTable, waitTable, wallTable } from './engines-report.ts';
import { type GoalResult, goalTable, measureGoals } from './goals.ts';
import { WrongAnswer } from './load.ts';
import { modelgateExists } from './modelgate.ts';
import { type Moment, moments } from './moments.ts';
import { help, type Options, readOptions } from './options.ts';
import { align, drawTable, drawVerdicts, judge, type Rounds, readRows } from './report.ts';
import { type Planned, type Run, runClosed, runComparisons, runMoments, runOpen, say } from './rounds.ts';
import { latencyTarget, memoryTarget, type Scenario, scenarios } from './scenarios.ts';
import { type Ground, type ServerName, startVendor } from './servers.ts';

/** Bare Fastify + undici. */
const yardstick: ServerName = 'fastify';

async function main(options: Options): Promise<void> {
  if (options.write !== undefined && !existsSync(options.write)) throw new Error(`--write: there is no ${options.write}`);
  const cores = findCores();
  if (cores) pinSelf(cores.load);
  else say('notice: cannot pin to cores (needs taskset and two cores); CPU numbers stand, latencies are less steady');
  const hasModelgate = options.withModelgate && modelgateExists;
  const names: ServerName[] = ['node:http', yardstick, ...(hasModelgate ? (['modelgate'] as const) : [])];
  if (!hasModelgate) say('notice: Modelgate is left out');
  const plain = scenarios
    .filter(({ name }) => isChosen(options, name, 'plain'))
    .map((what) => ({ what, rounds: roundsOf(what, names, options) }));
  const own = comparisons.filter(({ name, group }) => hasModelgate && isChosen(options, name, group));
  const compared = own.map((what) => ({ what, rounds: comparedRounds(what) }));
  const single = moments
    .filter(({ name }) => (hasModelgate || name !== 'revoked') && isChosen(options, name, 'moments'))
    .map((what) => ({ what, rounds: momentRounds(what, names) }));
  const chosen = parts.filter((part) => hasModelgate && isChosen(options, part, 'engines'));
  // Only where they are asked for: they take minutes.
  const attacking = attacks.filter(({ name }) => hasModelgate && options.only.some((asked) => asked === name || asked === 'attacks'));
  const hasGoals = hasModelgate && options.only.includes('goals');
  if (plain.length + compared.length + single.length + chosen.length + attacking.length === 0 && !hasGoals)
    throw new Error(`no such scenario; there are: ${allNames.join(', ')}`);
  say(`load of the machine before the run: ${loadavg()[0]?.toFixed(2)}`);
  const vendor = await startVendor(cores);
  let engines: EngineResult | null = null;
  let attacked: readonly AttackResult[] = [];
  let goals: readonly GoalResult[] = [];
  try {
    const ground: Ground = { cores, vendorOrigin: vendor.origin, profile: options.profile };
    const run = { names, ground, vendor, options };
    await runAll(plain, compared, run);
    if (single.length > 0) await runMoments(single, run);
    if (chosen.length > 0) engines = await runEngines(run, chosen);
    attacked = await measureAttacks(attacking, run);
    if (hasGoals) goals = await measureGoals(run);
  } finally {
    await vendor.stop();
  }
  print({ results: [...plain, ...compared, ...single].map(({ rounds }) => rounds), engines, attacked, goals }, options);
  if (options.write !== undefined && engines) writePage(options.write, engines, options);
}

const allNames = [
  'plain',
  'translated',
  'governed',
  'logged',
  'clouds',
  'moments',
  'attacks',
  'goals',
  ...parts,
  ...[...scenarios, ...comparisons, ...moments, ...attacks].map(({ name }) => name),
];

const isChosen = ({ only }: Options, name: string, group: string): boolean =>
  only.length === 0 || only.includes(name) || only.includes(group);

async function runAll(plain: readonly Planned<Scenario>[], compared: readonly Planned<Comparison>[], run: Run): Promise<void> {
  const closed = plain.filter(({ what }) => what.kind !== 'open');
  if (closed.length > 0) await runClosed(closed, run);
  for (const { what, rounds } of plain) if (what.kind === 'open') await runOpen({ what, rounds }, run);
  if (compared.length > 0) await runComparisons(compared, run);
}

function roundsOf(scenario: Scenario, names: readonly ServerName[], options: Options): Rounds {
  return {
    name: scenario.name,
    title: titleOf(scenario, options),
    base: yardstick,
    judged: ['modelgate'],
    targets: { cpu: scenario.cpuTarget, p99: latencyTarget, memory: memoryTarget },
    direct: [],
    servers: new Map(names.map((name) => [name, []])),
  };
}

function comparedRounds({ name, title, base, others, cpuTarget, throughputTarget }: Comparison): Rounds {
  return {
    name,
    title,
    base: base.name,
    judged: others.map((side) => side.name),
    targets: { cpu: cpuTarget, ...(throughputTarget !== undefined && { perSecond: throughputTarget }) },
    direct: [],
    servers: new Map([base, ...others].map((side) => [side.name, []])),
  };
}

function momentRounds({ name, title, bounds }: Moment, names: readonly ServerName[]): Rounds {
  const servers: readonly ServerName[] = name === 'revoked' ? ['governed'] : names;
  return {
    name,
    title,
    base: servers[0] ?? yardstick,
    judged: ['modelgate', 'governed'],
    targets: {},
    bounds,
    direct: [],
    servers: new Map(servers.map((server) => [server, []])),
  };
}

interface Found {
  readonly results: readonly Rounds[];
  readonly engines: EngineResult | null;
  readonly attacked: readonly AttackResult[];
  readonly goals: readonly GoalResult[];
}

function print({ results, engines, attacked, goals }: Found, options: Options): void {
  const all = [...results, ...(engines?.rounds ?? [])];
  const verdicts = all.flatMap(judge);
  if (options.json) {
    const rounds = all.map(({ name, direct, servers }) => ({ scenario: name, direct, ...Object.fromEntries(servers) }));
    const { memory, walls, waits, bytesOfCharge, missing } = engines ?? {};
    const rest = { rows: all.flatMap(readRows), verdicts, rounds, memory, walls, waits, bytesOfCharge, missing, attacked, goals };
    process.stdout.write(`${JSON.stringify({ node: process.version, options, ...rest }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`\nNode ${process.version}; CPU by request, or by event of a stream.\n`);
  if (results.length > 0) process.stdout.write(`${legend}\n${drawTable(results)}\n\n`);
  if (engines) process.stdout.write(drawEngines(engines));
  if (attacked.length > 0) process.stdout.write(`${align(attackTable(attacked))}\n`);
  if (goals.length > 0) process.stdout.write(`${align(goalTable(goals))}\n`);
  process.stdout.write(`${drawVerdicts(verdicts)}\n`);
}

const legend = `Latency is what a server adds to the direct call (its own row); where the direct p99 is far above its p50, the machine was busy.
× is against fastify, and where Modelgate is held against itself against the first row.
Blocked is the longest stop of the event loop, the rest of the machine included.
`;

function drawEngines({ rounds, memory, walls, waits, missing }: EngineResult): string {
  const tables = [engineTable(rounds), stepTable(rounds), memoryTable(memory), wallTable(walls), waitTable(waits)].filter(
    (table) => table.length > 1,
  );
  const notice = missing === null ? '' : `PostgreSQL + Redis LEFT OUT: ${missing}\n\n`;
  return `${notice}${tables.map((table) => `${align(table)}\n\n`).join('')}`;
}

function titleOf(scenario: Scenario, { openStreams }: Options): string {
  if (scenario.kind === 'open') return `${openStreams} ${scenario.title}`;
  const kilobytes = Buffer.byteLength(JSON.stringify(scenario.body)) / 1_000;
  return `${scenario.title}, ${kilobytes.toFixed(1)} KB sent`;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(help);
  else await main(options);
} catch (error) {
  if (isMisuse(error)) say(`bench: ${error.message}`);
  else say(error instanceof WrongAnswer ? `WRONG ANSWER: ${error.message}` : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
}
// Sockets that are closing must not hold the result back.
process.exit();
