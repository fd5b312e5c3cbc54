/** The engines' numbers as tables: medians over the rounds, and each side against the plain one of the same round. */
import { type AttackResult, attackBounds } from './attacks.ts';
import type { EngineResult } from './engines.ts';
import type { Engine, EngineRounds, Pace } from './engines-compare.ts';
import type { SideName } from './engines-fleet.ts';
import type { EngineNumbers } from './engines-load.ts';
import type { Wall } from './engines-walls.ts';
import { readRows } from './report.ts';
import { median, percentile } from './statistics.ts';
import type { Wait } from './waits.ts';

/** The first row is the head. */
export type Table = readonly (readonly string[])[];

const engineNames: Readonly<Record<Engine, string>> = { sqlite: 'SQLite + memory', postgres: 'PostgreSQL + Redis' };
const paceNames: Readonly<Record<Pace, string>> = { 'at once': 'immediate', slow: '50 to 250 ms' };

export function engineTable(all: readonly EngineRounds[]): Table {
  const head = [
    'engine',
    'processes',
    'accounts',
    'provider',
    'call',
    'gateway µs',
    '×',
    'PostgreSQL µs',
    'Redis µs',
    'total µs',
    'calls per second',
    '×',
    '503 (%)',
  ];
  const lines = all.flatMap((rounds) => {
    const ratios = new Map(readRows(rounds).map((row) => [row.server, row.ratios]));
    return [...rounds.servers].map(([side, own]) => {
      const { cpu = Number.NaN, perSecond, postgres, redis } = middle(own);
      const rejected = mean(own.map((numbers) => numbers.rejected ?? 0));
      return [
        ...[engineNames[rounds.engine], String(rounds.processes), String(rounds.accounts), paceNames[rounds.pace], side],
        ...[show(cpu), show(ratios.get(side)?.cpu, 2), show(postgres), show(redis), show(cpu + (postgres ?? 0) + (redis ?? 0))],
        ...[show(perSecond), show(ratios.get(side)?.perSecond, 2), show(rejected * 100, 2)],
      ];
    });
  });
  return [head, ...lines];
}

/** What a governed call makes the stores do. */
export function stepTable(all: readonly EngineRounds[]): Table {
  const head = ['processes', 'accounts', 'provider', 'commits', 'PostgreSQL log KB', 'Redis scripts', 'µs in scripts', 'Redis network KB'];
  const shared = all.filter(({ engine }) => engine === 'postgres');
  const lines = shared.map(({ processes, accounts, pace, servers }) => {
    const { commits, log, scripts, scriptMicros, redisBytes } = middle(servers.get('governed') ?? []);
    return [
      ...[String(processes), String(accounts), paceNames[pace], show(commits, 2), show(kilo(log), 2)],
      ...[show(scripts, 2), show(scriptMicros, 1), show(kilo(redisBytes), 2)],
    ];
  });
  return [head, ...lines];
}

const stepNames = { postgres: 'reserve + post', redis: 'take + finish' } as const;

export function wallTable(walls: readonly Wall[]): Table {
  const head = ['pair', 'accounts', 'pools', 'concurrent', 'pairs per second', 'server CPU µs'];
  const more = ['commits', 'PostgreSQL log KB', 'scripts', 'network KB'];
  const lines = walls.map((wall) => [
    ...[stepNames[wall.store], String(wall.accounts), String(wall.pools), String(wall.parallel)],
    ...[show(wall.pairsPerSecond), show(wall[wall.store], 1)],
    ...(wall.store === 'postgres' ? [show(wall.commits, 2), show(wall.log / 1_000, 2), ''] : ['', '', show(wall.scripts, 2)]),
    show(wall.wireBytes / 1_000, 1),
  ]);
  return [[...head, ...more], ...lines];
}

export function memoryTable(memory: EngineResult['memory']): Table {
  const lines = (['sqlite', 'postgres'] as const).flatMap((engine) => {
    const found = memory[engine];
    return found ? [[engineNames[engine], show(found.idle / 1e6), show(kilo(found.byStream))]] : [];
  });
  return [['engine', 'idle MB', 'KB per open stream'], ...lines];
}

export function waitTable(waits: readonly Wait[]): Table {
  const lines = waits.map(({ what, waits: all, promised }) => [
    ...[what, String(all.length), show(percentile(all, 0.5)), show(Math.max(...all))],
    promised === null ? '' : String(promised),
  ]);
  return [['wait', 'times', 'p50 ms', 'longest ms', 'promised ms'], ...lines];
}

export function attackTable(attacked: readonly AttackResult[]): Table {
  const lines = attacked.map(({ name, title, statuses, livez, memory, seconds }) => [
    ...[
      `${name}: ${title}`,
      Object.entries(statuses)
        .map(([status, times]) => `${times} × ${status}`)
        .join(', '),
    ],
    ...[show(seconds), show(livez.p50), show(livez.longest), show(memory / 1e6)],
    livez.longest <= attackBounds.livezMs && memory <= attackBounds.memoryBytes ? 'ok' : 'MISSED',
  ]);
  return [['attack', 'answers', 'seconds', 'livez p50 ms', 'longest ms', 'memory + MB', ''], ...lines];
}

/** Medians over the rounds. */
export function middle(rounds: readonly EngineNumbers[]): EngineNumbers {
  const names = Object.keys(rounds[0] ?? {}) as (keyof EngineNumbers)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.flatMap((numbers) => numbers[name] ?? []))]));
}

export function governedOf(
  all: readonly EngineRounds[],
  wanted: Pick<EngineRounds, 'engine' | 'processes' | 'accounts' | 'pace'>,
): EngineNumbers | undefined {
  const found = all.find(
    ({ engine, processes, accounts, pace }) =>
      engine === wanted.engine && processes === wanted.processes && accounts === wanted.accounts && pace === wanted.pace,
  );
  const side: SideName = 'governed';
  return found && middle(found.servers.get(side) ?? []);
}

/** A median would hide the one round with trouble. */
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

const kilo = (bytes: number | undefined): number | undefined => (bytes === undefined ? undefined : bytes / 1_000);
const show = (value: number | undefined, digits = 0): string => (value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits));
