/** The engines' numbers as tables: medians over the rounds, the plan for a million requests per minute, and how they are written into a page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { table } from '../../../docs/generate/table.ts';
import { type Engine, type EngineResult, type EngineRounds, parallel } from './engines.ts';
import type { EngineLoad } from './fleet.ts';
import type { GoalResult } from './goals.ts';
import { median } from './statistics.ts';
import type { Wall } from './walls.ts';

/** The first row is the head. */
type Table = readonly (readonly string[])[];

const engineNames: Readonly<Record<Engine, string>> = { sqlite: 'SQLite + memory', postgres: 'PostgreSQL + Redis' };
const paceOf = ({ isSlow }: EngineRounds): string => (isSlow ? '50 to 250 ms' : 'immediate');

/** Two processes cost more than one and less than three. */
const isShown = ({ processes }: EngineRounds): boolean => processes !== 2;

function engineTable(all: readonly EngineRounds[]): Table {
  const head = ['engine', 'processes', 'accounts', 'provider', 'plain µs', 'governed µs', '×', 'PostgreSQL µs', 'Redis µs'];
  const lines = all.filter(isShown).map((line) => {
    const [plain, governed] = [middle(line.sides.plain), middle(line.sides.governed)];
    // A median would hide the one round with trouble.
    const rejected = line.sides.governed.reduce((sum, load) => sum + load.rejected, 0) / line.sides.governed.length;
    return [
      ...[engineNames[line.engine], String(line.processes), String(line.accounts), paceOf(line)],
      ...[show(plain.cpu), show(governed.cpu), show(ratioIn(line, 'governed', 'cpu'), 2), show(governed.postgres), show(governed.redis)],
      ...[show(governed.perSecond), show(ratioIn(line, 'governed', 'perSecond'), 2), show(rejected * 100, 2)],
    ];
  });
  return [[...head, 'calls per second', '×', '503 (%)'], ...lines];
}

/** Both sides of a round were measured next to each other in time, so a slow minute of the machine cancels out. */
function ratioIn({ sides }: EngineRounds, side: keyof EngineRounds['sides'], measure: 'cpu' | 'perSecond'): number {
  return median(sides[side].map((load, round) => load[measure] / (sides.plain[round]?.[measure] ?? Number.NaN)));
}

/** What a governed call may cost the gateways, by one that is neither held nor limited on the same engine. */
const cpuBound = 1.8;

export function engineBounds({ rounds }: EngineResult): GoalResult[] {
  return rounds.map((line) => {
    const row = `${engineNames[line.engine]}, ${line.processes} processes, ${line.accounts} accounts, ${paceOf(line)}, governed to plain`;
    return { row, unit: '×', goal: cpuBound, found: ratioIn(line, 'governed', 'cpu') };
  });
}

/** What a governed call makes the stores do. */
function stepTable(all: readonly EngineRounds[]): Table {
  const head = ['processes', 'accounts', 'provider', 'commits', 'PostgreSQL log KB', 'Redis scripts', 'µs in scripts', 'Redis network KB'];
  const lines = all.filter(isShown).flatMap((line) => {
    const { commits, log, scripts, scriptMicros, redisBytes } = middle(line.sides.governed);
    if (commits === undefined) return [];
    const steps = [show(commits, 2), showKilo(log, 2), show(scripts, 2), show(scriptMicros, 1), showKilo(redisBytes, 2)];
    return [[String(line.processes), String(line.accounts), paceOf(line), ...steps]];
  });
  return [head, ...lines];
}

function wallTable(walls: readonly Wall[]): Table {
  const head = ['pair', 'accounts', 'pools', 'concurrent', 'pairs per second', 'server CPU µs'];
  const lines = walls.map((wall) => [
    ...[wall.store === 'postgres' ? 'reserve + post' : 'take + finish', String(wall.accounts), String(wall.pools), String(wall.parallel)],
    ...[show(wall.pairsPerSecond), show(wall[wall.store], 1)],
    ...(wall.store === 'postgres' ? [show(wall.commits, 2), showKilo(wall.log, 2), ''] : ['', '', show(wall.scripts, 2)]),
    showKilo(wall.wireBytes, 1),
  ]);
  return [[...head, 'commits', 'PostgreSQL log KB', 'scripts', 'network KB'], ...lines];
}

function memoryTable(memory: EngineResult['memory']): Table {
  const lines = (['sqlite', 'postgres'] as const).flatMap((engine) => {
    const found = memory[engine];
    return found ? [[engineNames[engine], show(found.idle / 1e6), showKilo(found.byStream)]] : [];
  });
  return [['engine', 'idle MB', 'KB per open stream'], ...lines];
}

const rate = 1_000_000 / 60;
/** Busier than this, waiting grows faster than work. */
const busy = 0.6;
/** Of the pool of each process: see `server/store/postgres/postgres.ts`. */
const connections = 10;

/** The resources for a million requests per minute: every line names its number. Empty where a part of the measurement is missing. */
function planTable({ rounds, walls, bytesOfCharge: bytes }: EngineResult): Table {
  const line = rounds.find(({ processes, accounts, isSlow }) => processes === 3 && accounts === parallel && !isSlow);
  const hot = walls.find((wall) => wall.store === 'postgres' && wall.accounts === 1 && wall.pools === 3);
  if (!line || !hot || bytes === undefined) return [];
  const call = middle(line.sides.governed);
  const { cpu = 0, postgres = 0, redis = 0, commits = 0, log = 0, scripts = 0, redisBytes = 0 } = call;
  const cores = (micros: number): number => (micros * rate) / 1e6;
  const many = (micros: number): number => Math.ceil(cores(micros) / busy);
  const micros = (value: number): string => `${count(value)} µs per call`;
  const kilobytes = (value: number): string => `${showKilo(value, 1)} KB per call`;
  const megabits = (value: number): string => `${count((value * rate * 8) / 1e6)} Mbit per second`;
  const busyCores = (value: number): string => `${show(cores(value), 1)} busy cores`;
  return [
    ['resource', 'measured', 'times 16,667 per second'],
    ['gateways', micros(cpu), `${busyCores(cpu)}: ${count(many(cpu))} processes, each ${busy * 100}% busy`],
    ['connections', `${connections} per process`, `${count(many(cpu) * connections)} to PostgreSQL`],
    ['PostgreSQL', micros(postgres), `${busyCores(postgres)}: ${count(many(postgres))} cores`],
    ['commits', `${show(commits, 2)} per call, in batches`, `${count(commits * rate)} per second; ${count(2 * rate)} without sharing`],
    ['PostgreSQL log', kilobytes(log), `${count((log * rate) / 1e6)} MB per second, and the same to each replica`],
    ['network of PostgreSQL', kilobytes(hot.wireBytes), megabits(hot.wireBytes)],
    ['disk', `${count(bytes)} bytes per charge`, `${count((bytes * rate * 86_400) / 1e9)} GB per day`],
    [
      'one hot account',
      `${count(hot.pairsPerSecond)} pairs per second`,
      `at least ${count(Math.ceil(rate / hot.pairsPerSecond))} balances for the entire rate`,
    ],
    // By its CPU, not by its scripts: how much one of them does depends on how many calls share it.
    ['Redis', micros(redis), `${busyCores(redis)}: ${count(many(redis))} shards, of one core each`],
    ['one shard', micros(redis), `about ${count(1e6 / redis)} calls per second, if never idle`],
    ['scripts', `${show(scripts, 2)} per call, shared`, `${count(scripts * rate)} per second`],
    ['network of Redis', kilobytes(redisBytes), megabits(redisBytes)],
  ];
}

/** By the names of their places in a page. */
export function engineTables(result: EngineResult): Readonly<Record<string, Table>> {
  const { rounds, walls, memory } = result;
  const tables = { engines: engineTable(rounds), steps: stepTable(rounds), memory: memoryTable(memory), walls: wallTable(walls) };
  return Object.fromEntries(Object.entries({ ...tables, plan: planTable(result) }).filter(([, rows]) => rows.length > 1));
}

/** Writes the tables into a page, between the marks that name them, and the circumstances below the first. What was not measured stays as it was. */
export function writePage(page: string, result: EngineResult): void {
  if (result.missing !== null) throw new Error(`${page} is not written: ${result.missing}`);
  const about = `${cpus().length} cores, Node ${process.version}, ${result.about}.`;
  const after = Object.entries(engineTables(result)).reduce(
    (text, [name, rows]) => {
      const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`];
      const [from, to] = [text.indexOf(begin), text.indexOf(end)];
      if (from < 0 || to < from) throw new Error(`the page has no ${begin} before ${end}`);
      const note = name === 'engines' ? `${about}\n\n` : '';
      return `${text.slice(0, from + begin.length)}\n\n${table(rows)}\n\n${note}${text.slice(to)}`;
    },
    readFileSync(page, 'utf8'),
  );
  writeFileSync(page, after);
}

/** Medians over the rounds. */
function middle(rounds: readonly EngineLoad[]): Partial<EngineLoad> {
  // `as`: the keys of an object are those of its type.
  const names = Object.keys(rounds[0] ?? {}) as (keyof EngineLoad)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.flatMap((load) => load[name] ?? []))]));
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const show = (value: number | undefined, digits = 0): string => (value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits));
const showKilo = (bytes: number | undefined, digits = 0): string => show(bytes === undefined ? undefined : bytes / 1_000, digits);
