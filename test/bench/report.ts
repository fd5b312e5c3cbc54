/** Sets the numbers of all rounds against each other and against the targets, as a table or as data. */
import { latencyTarget, memoryTarget, type Scenario } from './scenarios.ts';
import type { ServerName } from './servers.ts';
import { median } from './statistics.ts';

export const yardstick: ServerName = 'fastify';

/** What one round found; a scenario has some of them. */
export interface Numbers {
  /** Server CPU by request or event, in microseconds. */
  readonly cpu?: number;
  /** Milliseconds: of the call itself in a round, above the direct call in a row. */
  readonly p50?: number;
  readonly p99?: number;
  /** Bytes above the idle server. */
  readonly memory?: number;
}

type Measure = keyof Numbers;
const measures: readonly Measure[] = ['cpu', 'p50', 'p99', 'memory'];

export interface Row {
  readonly scenario: string;
  readonly server: ServerName | 'direct';
  /** Medians over the rounds. */
  readonly numbers: Numbers;
  /** Against bare Fastify + undici: the median of the rounds' own ratios for CPU, the ratio of the medians for the rest. */
  readonly ratios: Numbers;
}

export interface Verdict {
  readonly scenario: string;
  readonly measure: Measure;
  readonly ratio: number;
  readonly target: number;
  readonly isMet: boolean;
}

/** The rounds of one scenario; `direct` is the vendor without anything before it. */
export interface Rounds {
  readonly scenario: Scenario;
  readonly direct: Numbers[];
  readonly servers: ReadonlyMap<ServerName, Numbers[]>;
}

export function readRows({ scenario, direct, servers }: Rounds): Row[] {
  const base = servers.get(yardstick) ?? [];
  const vendor: Row = { scenario: scenario.name, server: 'direct', numbers: collect((measure) => middle(direct, measure)), ratios: {} };
  const rows = [...servers].map(([server, own]) => ({
    scenario: scenario.name,
    server,
    numbers: collect((measure) => added(own, direct, measure)),
    ratios: collect((measure) =>
      measure === 'cpu' ? pairedRatio(own, base) : ratio(added(own, direct, measure), added(base, direct, measure)),
    ),
  }));
  return direct.length === 0 ? rows : [vendor, ...rows];
}

export function judge(scenario: Scenario, { server, ratios }: Row): Verdict[] {
  if (server !== 'modelgate') return [];
  const targets: Numbers = { cpu: scenario.cpuTarget, p99: latencyTarget, memory: memoryTarget };
  return measures.flatMap((measure) => {
    const [found, target] = [ratios[measure], targets[measure]];
    if (found === undefined || target === undefined) return [];
    return [{ scenario: scenario.name, measure, ratio: found, target, isMet: found <= target }];
  });
}

export function drawTable(rows: readonly Row[], titles: ReadonlyMap<string, string>): string {
  const head = ['', '', 'CPU µs', '×', 'p50 + ms', 'p99 + ms', '×', 'memory MB', '×'];
  const lines = rows.map(({ scenario, server, numbers, ratios }) => [
    titles.get(scenario) ?? scenario,
    server,
    show(numbers.cpu, 1),
    show(ratios.cpu, 2),
    show(numbers.p50, 3),
    show(numbers.p99, 3),
    show(ratios.p99, 2),
    show(numbers.memory === undefined ? undefined : numbers.memory / 1e6, 1),
    show(ratios.memory, 2),
  ]);
  return align([head, ...lines.map((line, index) => (line[0] === lines[index - 1]?.[0] ? ['', ...line.slice(1)] : line))]);
}

export function drawVerdicts(verdicts: readonly Verdict[]): string {
  const names: Readonly<Record<Measure, string>> = { cpu: 'CPU', p50: 'p50 added', p99: 'p99 added', memory: 'memory' };
  return align(
    verdicts.map(({ scenario, measure, ratio: found, target, isMet }) => [
      ...[scenario, names[measure], `${show(found, 2)} ×`, `target ≤ ${show(target, 2)} ×`],
      isMet ? 'ok' : 'MISSED',
    ]),
  );
}

function collect(read: (measure: Measure) => number | undefined): Numbers {
  return Object.fromEntries(measures.map((measure) => [measure, read(measure)]).filter(([, value]) => value !== undefined));
}

function middle(rounds: readonly Numbers[], measure: Measure): number | undefined {
  const values = rounds.flatMap((numbers) => numbers[measure] ?? []);
  return values.length === 0 ? undefined : median(values);
}

/** The medians are subtracted, not the rounds: one slow round of the direct call must not make a server look fast. */
function added(own: readonly Numbers[], direct: readonly Numbers[], measure: Measure): number | undefined {
  const whole = middle(own, measure);
  return whole === undefined ? undefined : whole - (middle(direct, measure) ?? 0);
}

/** Both sides of a pair were measured next to each other in time, so a slow minute of the machine cancels out. */
function pairedRatio(own: readonly Numbers[], base: readonly Numbers[]): number | undefined {
  const ratios = own.flatMap((numbers, round) => ratio(numbers.cpu, base[round]?.cpu) ?? []);
  return ratios.length === 0 ? undefined : median(ratios);
}

/** Nothing is said about a base of nothing. */
function ratio(own: number | undefined, base: number | undefined): number | undefined {
  return own === undefined || base === undefined || base <= 0 ? undefined : own / base;
}

function show(value: number | undefined, digits: number): string {
  return value === undefined ? '' : value.toFixed(digits);
}

/** The first two columns to the left, numbers to the right. */
function align(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => (line[column] ?? '').length)));
  const pad = (cell: string, column: number): string =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}
