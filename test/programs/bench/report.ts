/** Sets the numbers of all rounds against each other and against the targets, as a table or as data. */
import { median } from './statistics.ts';

/** What one round found; each kind of round has some of them. */
export interface Numbers {
  /** Server CPU by request or event, in microseconds. */
  readonly cpu?: number;
  /** Requests or events a second. */
  readonly perSecond?: number;
  /** Milliseconds: of the call itself in a round, above the direct call in a row. */
  readonly p50?: number;
  readonly p99?: number;
  /** Bytes above the idle server. */
  readonly memory?: number;
  /** The longest that the event loop was kept from its next turn, in milliseconds; of all rounds in a row. */
  readonly blocked?: number;
}

type Measure = keyof Numbers;
const measures: readonly Measure[] = ['cpu', 'perSecond', 'p50', 'p99', 'memory', 'blocked'];
/** Both sides of a pair were measured next to each other in time, so a slow minute of the machine cancels out. */
const paired: readonly Measure[] = ['cpu', 'perSecond'];

/** All rounds of servers that were asked the same, or what should cost the same. */
export interface Rounds {
  readonly name: string;
  readonly title: string;
  /** The server that the others are held against. */
  readonly base: string;
  /** Servers whose ratios are judged, and the most that each may be; of `perSecond` the least. */
  readonly judged: readonly string[];
  readonly targets: Numbers;
  /** The most that a number may be by itself, whatever that of the base is. */
  readonly bounds?: Numbers;
  /** The vendor without anything before it. */
  readonly direct: Numbers[];
  readonly servers: ReadonlyMap<string, Numbers[]>;
}

export interface Row {
  readonly scenario: string;
  readonly server: string;
  /** Medians over the rounds. */
  readonly numbers: Numbers;
  /** Against the base: the median of the rounds' own ratios for CPU and throughput, the ratio of the medians for the rest. */
  readonly ratios: Numbers;
}

export interface Verdict {
  readonly scenario: string;
  readonly server: string;
  readonly measure: Measure;
  readonly found: number;
  readonly target: number;
  /** Of both. */
  readonly unit: '×' | 'ms';
  readonly isMet: boolean;
}

export function readRows({ name, base, direct, servers }: Rounds): Row[] {
  const yardstick = servers.get(base) ?? [];
  const vendor: Row = { scenario: name, server: 'direct', numbers: collect((measure) => middle(direct, measure)), ratios: {} };
  const rows = [...servers].map(([server, own]) => ({
    scenario: name,
    server,
    numbers: collect((measure) => added(own, direct, measure)),
    ratios: collect((measure) => {
      if (measure === 'blocked') return undefined;
      return paired.includes(measure)
        ? pairedRatio(own, yardstick, measure)
        : ratio(added(own, direct, measure), added(yardstick, direct, measure));
    }),
  }));
  return direct.length === 0 ? rows : [vendor, ...rows];
}

export function judge(rounds: Rounds): Verdict[] {
  const { name: scenario, judged, targets, bounds = {} } = rounds;
  return readRows(rounds).flatMap(({ server, ratios, numbers }) =>
    measures.flatMap((measure) => {
      if (!judged.includes(server)) return [];
      const sides = [
        { found: ratios[measure], target: targets[measure], unit: '×' as const },
        { found: numbers[measure], target: bounds[measure], unit: 'ms' as const },
      ];
      return sides.flatMap(({ found, target, unit }) => {
        if (found === undefined || target === undefined) return [];
        return [{ scenario, server, measure, found, target, unit, isMet: isMost(measure) ? found <= target : found >= target }];
      });
    }),
  );
}

const isMost = (measure: Measure): boolean => measure !== 'perSecond';

export function drawTable(all: readonly Rounds[]): string {
  const head = ['', '', 'CPU µs', '×', 'a second', '×', 'p50 + ms', 'p99 + ms', '×', 'memory MB', '×', 'blocked ms'];
  const lines = all.flatMap((rounds) =>
    readRows(rounds).map(({ server, numbers, ratios }, index) => [
      index === 0 ? `${rounds.name}: ${rounds.title}` : '',
      server,
      ...[show(numbers.cpu, 1), show(ratios.cpu, 2)],
      ...[show(numbers.perSecond, 0), show(ratios.perSecond, 2)],
      ...[show(numbers.p50, 3), show(numbers.p99, 3), show(ratios.p99, 2)],
      ...[show(numbers.memory === undefined ? undefined : numbers.memory / 1e6, 1), show(ratios.memory, 2)],
      show(numbers.blocked, 1),
    ]),
  );
  return align([head, ...lines]);
}

const measureNames: Readonly<Record<Measure, string>> = {
  cpu: 'CPU',
  perSecond: 'throughput',
  p50: 'p50 added',
  p99: 'p99 added',
  memory: 'memory',
  blocked: 'blocked',
};

export function drawVerdicts(verdicts: readonly Verdict[]): string {
  return align(
    verdicts.map(({ scenario, server, measure, found, target, unit, isMet }) => [
      ...[scenario, server, measureNames[measure]],
      ...[`${show(found, 2)} ${unit}`, `target ${isMost(measure) ? '≤' : '≥'} ${show(target, 2)} ${unit}`],
      isMet ? 'ok' : 'MISSED',
    ]),
  );
}

function collect(read: (measure: Measure) => number | undefined): Numbers {
  return Object.fromEntries(measures.map((measure) => [measure, read(measure)]).filter(([, value]) => value !== undefined));
}

function middle(rounds: readonly Numbers[], measure: Measure): number | undefined {
  const values = rounds.flatMap((numbers) => numbers[measure] ?? []);
  if (values.length === 0) return undefined;
  // One long stop is what a caller remembers.
  return measure === 'blocked' ? Math.max(...values) : median(values);
}

/** The medians are subtracted, not the rounds: one slow round of the direct call must not make a server look fast. */
function added(own: readonly Numbers[], direct: readonly Numbers[], measure: Measure): number | undefined {
  const whole = middle(own, measure);
  return whole === undefined ? undefined : whole - (middle(direct, measure) ?? 0);
}

function pairedRatio(own: readonly Numbers[], base: readonly Numbers[], measure: Measure): number | undefined {
  const ratios = own.flatMap((numbers, round) => ratio(numbers[measure], base[round]?.[measure]) ?? []);
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
export function align(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => (line[column] ?? '').length)));
  const pad = (cell: string, column: number): string =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}
