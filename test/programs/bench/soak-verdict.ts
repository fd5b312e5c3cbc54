/** What a soak shows: its samples as a table, the slope of each number through them, and whether that is growth (F53). */

export interface Sample {
  /** Since the load began. */
  readonly seconds: number;
  readonly rssMb: number;
  /** After a collection of garbage, with what lies outside the heap of JavaScript. */
  readonly heapMb: number;
  /** Sockets, timers and whatever else keeps the event loop busy. */
  readonly handles: number;
  /** Answers so far. */
  readonly calls: number;
}

type Measured = 'rssMb' | 'heapMb' | 'handles';

interface Bound {
  readonly name: string;
  readonly unit: string;
  /** The most that it may grow in an hour. */
  readonly maxPerHour: number;
}

/** At the usual load 10 MB an hour are under 60 bytes a call. RSS also holds what the allocator keeps for later. */
export const bounds: Readonly<Record<Measured, Bound>> = {
  heapMb: { name: 'heap', unit: 'MB', maxPerHour: 10 },
  rssMb: { name: 'RSS', unit: 'MB', maxPerHour: 40 },
  handles: { name: 'handles', unit: 'handles', maxPerHour: 60 },
};
const measured = ['heapMb', 'rssMb', 'handles'] as const;

/** The first part fills caches and compiles. */
const warmUp = 0.2;
/** A shorter one says nothing: one megabyte of noise in a minute would be sixty in an hour. */
const minSeconds = 600;

interface Slope extends Bound {
  readonly perHour: number;
  /** In nineteen of twenty runs the true slope is no further away than this. */
  readonly margin: number;
}

interface Outcome {
  readonly slopes: readonly Slope[];
  /** `unclear`: the bound lies within the margin. */
  readonly verdict: 'flat' | 'growing' | 'unclear' | 'too short';
}

export function judgeSoak(samples: readonly Sample[]): Outcome {
  const length = samples.at(-1)?.seconds ?? 0;
  const steady = samples.filter(({ seconds }) => seconds >= length * warmUp);
  const slopes = measured.map((what) => {
    const points = steady.map((one) => [one.seconds, one[what]] as const);
    return { ...bounds[what], perHour: 3_600 * slopeOf(points), margin: 3_600 * marginOf(points) };
  });
  return { slopes, verdict: length * (1 - warmUp) < minSeconds ? 'too short' : verdictOf(slopes) };
}

/** Flat is only what is surely below its bound, growing what is surely above. */
function verdictOf(slopes: readonly Slope[]): Outcome['verdict'] {
  if (slopes.some(({ perHour, margin, maxPerHour }) => perHour - margin > maxPerHour)) return 'growing';
  return slopes.every(({ perHour, margin, maxPerHour }) => perHour + margin <= maxPerHour) ? 'flat' : 'unclear';
}

type Points = readonly (readonly [number, number])[];

const mean = (points: Points, axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;

function spreadOf(points: Points): number {
  const middle = mean(points, 0);
  return points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0);
}

/** By least squares; 0 where there are too few points for a line. */
function slopeOf(points: Points): number {
  const [middle, height, spread] = [mean(points, 0), mean(points, 1), spreadOf(points)];
  return spread > 0 ? points.reduce((sum, [x, y]) => sum + (x - middle) * (y - height), 0) / spread : 0;
}

/**
 * Two standard errors of that slope. Memory comes and goes in waves: samples that resemble the ones before them say less than as many that
 * do not, so that they count for as many as they are worth by their correlation.
 */
function marginOf(points: Points): number {
  const [slope, spread] = [slopeOf(points), spreadOf(points)];
  if (points.length < 3 || spread === 0) return Number.POSITIVE_INFINITY;
  const [middle, height] = [mean(points, 0), mean(points, 1)];
  const rests = points.map(([x, y]) => y - height - slope * (x - middle));
  const squares = rests.reduce((sum, rest) => sum + rest ** 2, 0);
  const neighbours = rests.slice(1).reduce((sum, rest, index) => sum + rest * (rests[index] ?? 0), 0);
  const likeness = squares > 0 ? Math.min(Math.max(neighbours / squares, 0), 0.95) : 0;
  return 2 * Math.sqrt((squares / (points.length - 2) / spread) * ((1 + likeness) / (1 - likeness)));
}

export const head = row(['seconds', 'calls', 'heap MB', 'RSS MB', 'handles']);

export function drawSample({ seconds, calls, heapMb, rssMb, handles }: Sample): string {
  return row([seconds.toFixed(1), String(calls), heapMb.toFixed(1), rssMb.toFixed(1), String(handles)]);
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(10)).join('');
}

const LEVELS = [...'▁▂▃▄▅▆▇█'];

/** Draws heap and RSS over time, each from 0 to its highest value. */
export function drawGraph(samples: readonly Sample[]): string {
  const lines = (['heapMb', 'rssMb'] as const).map((what) => {
    const values = samples.map((sample) => sample[what]);
    const most = Math.max(...values);
    const bars = values.map((value) => LEVELS[Math.max(Math.ceil((value / most) * LEVELS.length) - 1, 0)]);
    return `${bounds[what].name.padEnd(8)} ${bars.join('')}  ${Math.min(...values).toFixed(1)} to ${most.toFixed(1)} MB`;
  });
  return `${lines.join('\n')}\n`;
}

const sentences = {
  flat: 'flat: surely nothing grows beyond its bound',
  growing: 'GROWING: surely more than the bound',
  unclear: 'UNCLEAR: the bound lies within the margin; a longer run tells',
  'too short': `too short for a verdict: it takes ${minSeconds / 60 / (1 - warmUp)} minutes at least`,
} as const;

export function drawOutcome({ slopes, verdict }: Outcome): string {
  const lines = slopes.map(({ name, unit, perHour, margin, maxPerHour }) => {
    const numbers = `${perHour.toFixed(2).padStart(10)}  ± ${margin.toFixed(2)}`;
    return `${name.padEnd(8)} slope ${numbers}  ${unit} per hour  bound ${maxPerHour}`;
  });
  return `${lines.join('\n')}\n\nverdict: ${sentences[verdict]}`;
}
