/** Merges the metrics of all workers: counters are summed, gauges report the worst worker. */

/** One metric: its HELP and TYPE lines, and its series in the order of their first appearance. */
interface MetricFamily {
  readonly head: string[];
  readonly values: Map<string, number>;
}

type Combine = (one: number, other: number) => number;

const addValues: Combine = (one, other) => one + other;

/** Gauges whose sum has no meaning, by the start of their names. All other gauges count things or bytes. */
const combineRules: readonly (readonly [string, Combine])[] = [
  ['modelgate_breaker_state', Math.max],
  ['modelgate_event_loop_delay', Math.max],
  // 1 only if all workers count limits in Redis.
  ['modelgate_limits_shared', Math.min],
  ['target_info', Math.max],
];

const getCombine = (name: string): Combine => combineRules.find(([start]) => name.startsWith(start))?.[1] ?? addValues;

export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, MetricFamily>();
  for (const text of texts) parseMetrics(families, text);
  return [...families.values()].map(formatFamily).join('');
}

function parseMetrics(families: Map<string, MetricFamily>, text: string): void {
  let family: MetricFamily = { head: [], values: new Map() };
  let combine = addValues;
  let isNew = false;
  for (const line of text.split('\n')) {
    const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (kind !== undefined) {
      const existingFamily = families.get(name);
      isNew = existingFamily === undefined || (isNew && existingFamily === family);
      family = existingFamily ?? { head: [], values: new Map() };
      combine = getCombine(name);
      families.set(name, family);
      if (isNew) family.head.push(line);
    } else addSeries(family, line, combine);
  }
}

function addSeries({ values }: MetricFamily, line: string, combine: Combine): void {
  // The value follows the last space, because labels can contain spaces.
  const separatorIndex = line.lastIndexOf(' ');
  if (separatorIndex < 0 || line.startsWith('#')) return;
  const series = line.slice(0, separatorIndex);
  const previousValue = values.get(series);
  const value = Number(line.slice(separatorIndex + 1).replace('Inf', 'Infinity'));
  values.set(series, previousValue === undefined ? value : combine(previousValue, value));
}

const formatFamily = ({ head, values }: MetricFamily): string =>
  [...head, ...[...values].map(([series, value]) => `${series} ${formatNumber(value)}`), ''].join('\n');

/** Prometheus has its own spelling of infinity. */
const formatNumber = (value: number): string => (Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN');
