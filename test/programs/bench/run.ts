/** `npm run bench`: what a call costs, measured with Modelgate, bare servers and other gateways on one core. `-- --help` tells the options. */
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { isMisuse, readNumber, WrongOption } from '../../harness/options.ts';
import { findCores, pinSelf } from './child.ts';
import { engineBounds, engineTables, writePage } from './engine-tables.ts';
import { measureEngines } from './engines.ts';
import { type GoalResult, goalTable, measurePlan, plans } from './goals.ts';
import { WrongAnswer } from './load.ts';
import { measureMoments } from './moments.ts';
import { type Run, say, startVendor } from './servers.ts';
import { singleGoals } from './single-goals.ts';

const help = `npm run bench -- [options]
  --only NAMES   groups or rows, with commas between (goals):
                 goals      what a call may cost, in 12 rounds; takes up to 45 minutes. Its rows:
                            ${plans.flatMap(({ name, group }) => (group === 'goals' ? [name] : [])).join(', ')},
                            ${Object.keys(singleGoals).join(', ')}
                 governed   a governed call compared with a plain one, one and 32 at a time, and at a rate
                 engines    the same on SQLite, and on PostgreSQL and Redis with one to three processes
                 moments    until the vendor knows of a hang-up, and until a revoked key is rejected
  --rounds N     rounds, each server once in every one (12 for goals and workers, otherwise 5)
  --quick        2 short rounds, a fifth of the streams: for a look, not for a number
  --write PAGE   writes the tables of engines into it: docs/scale.md
`;

interface Order {
  readonly only: readonly string[];
  readonly rounds: number | undefined;
  readonly isQuick: boolean;
  readonly page: string | undefined;
}

/** Null where the caller asked for help. */
function readOrder(args: string[]): Order | null {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: 'goals' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const only = values.only.split(',');
  const known = ['goals', 'engines', 'moments', ...plans.map(({ name }) => name), ...Object.keys(singleGoals)];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new WrongOption(`--only: '${unknown}' is none of ${known.join(', ')}.`);
  if (values.write !== undefined && !existsSync(values.write)) throw new WrongOption(`--write: ${values.write} doesn't exist.`);
  const rounds = values.rounds === undefined ? undefined : readNumber('--rounds', values.rounds, { from: 1, to: 10_000 });
  return { only, rounds: rounds ?? (values.quick ? 2 : undefined), isQuick: values.quick, page: values.write };
}

async function main({ only, rounds, isQuick, page }: Order): Promise<void> {
  const cores = findCores();
  if (cores) pinSelf(cores.load);
  else say('notice: cannot pin to cores (needs taskset and two cores); CPU numbers stand, latencies are less steady');
  say(`load of the machine before the run: ${loadavg()[0]?.toFixed(2)}`);
  const vendor = await startVendor(cores);
  try {
    await measure(only, { ground: { cores, vendorOrigin: vendor.origin, takesAll: isQuick }, vendor, isQuick, rounds }, page);
  } finally {
    await vendor.stop();
  }
}

async function measure(only: readonly string[], run: Run, page: string | undefined): Promise<void> {
  const isChosen = (name: string, group: string): boolean => only.includes(name) || only.includes(group);
  const results: GoalResult[] = [];
  const cpu: GoalResult[] = [];
  for (const plan of plans.filter(({ name, group }) => isChosen(name, group))) {
    const found = await measurePlan(plan, run);
    results.push(...found.ratios);
    cpu.push(...found.cpu);
  }
  for (const [name, measureSingle] of Object.entries(singleGoals)) {
    if (!isChosen(name, 'goals')) continue;
    try {
      results.push(...(await measureSingle(run)));
    } catch (error) {
      // Such as a tool that is missing: the rows before it took minutes.
      if (error instanceof WrongAnswer) throw error;
      say(`notice: ${name} can't be measured here, its rows are skipped: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (only.includes('moments')) results.push(...(await measureMoments(run)));
  if (only.includes('engines')) {
    const engines = await measureEngines(run);
    for (const table of Object.values(engineTables(engines))) print(table);
    results.push(...engineBounds(engines));
    if (page !== undefined) writePage(page, engines);
  }
  print(goalTable([...results, ...cpu]));
}

/** The first column to the left, the others to the right. */
function print(table: readonly (readonly string[])[]): void {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => (line[column] ?? '').length)));
  const pad = (cell: string, column: number): string => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0));
  process.stdout.write(`${table.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')}\n\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

try {
  const order = readOrder(process.argv.slice(2));
  if (order) await main(order);
  else process.stdout.write(help);
} catch (error) {
  if (isMisuse(error)) say(`bench: ${error.message}`);
  else say(error instanceof WrongAnswer ? `WRONG ANSWER: ${error.message}` : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
}
// Sockets that are closing must not hold the result back.
process.exit();
