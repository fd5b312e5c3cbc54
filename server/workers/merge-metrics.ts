/** Makes one text for Prometheus out of those of several workers: what they count is added, and a state is that of the worst. */

/** One metric: its lines of HELP and TYPE, and its series in the order of the first text that had each. */
interface Family {
  readonly head: string[];
  readonly values: Map<string, number>;
}

type Combine = (one: number, other: number) => number;
const sum: Combine = (one, other) => one + other;

/** Gauges whose sum says nothing, by the beginning of their names. All other gauges count things or bytes. */
const states: readonly (readonly [string, Combine])[] = [
  ['modelgate_breaker_state', Math.max],
  ['modelgate_event_loop_delay', Math.max],
  // 1 only when all workers count in Redis.
  ['modelgate_limits_shared', Math.min],
  ['target_info', Math.max],
];

const combineOf = (name: string): Combine => states.find(([start]) => name.startsWith(start))?.[1] ?? sum;

export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) readInto(families, text);
  return [...families.values()].map(textOf).join('');
}

function readInto(families: Map<string, Family>, text: string): void {
  let family: Family = { head: [], values: new Map() };
  let combine = sum;
  let isNew = false;
  for (const line of text.split('\n')) {
    const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (kind !== undefined) {
      const known = families.get(name);
      isNew = known === undefined || (isNew && known === family);
      family = known ?? { head: [], values: new Map() };
      combine = combineOf(name);
      families.set(name, family);
      if (isNew) family.head.push(line);
    } else addSeries(family, line, combine);
  }
}

function addSeries({ values }: Family, line: string, combine: Combine): void {
  // The value is behind the last blank; labels may hold blanks.
  const at = line.lastIndexOf(' ');
  if (at < 0 || line.startsWith('#')) return;
  const series = line.slice(0, at);
  const before = values.get(series);
  const value = Number(line.slice(at + 1).replace('Inf', 'Infinity'));
  values.set(series, before === undefined ? value : combine(before, value));
}

const textOf = ({ head, values }: Family): string =>
  [...head, ...[...values].map(([series, value]) => `${series} ${written(value)}`), ''].join('\n');

/** Prometheus spells infinity in its own way. */
const written = (value: number): string => (Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN');
