/** What a soak shows: its samples as a table, the slope of each number through them, and whether that is growth (F53). */
import { align } from './report.ts';

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
  readonly mostPerHour: number;
}

/** At the usual load 10 MB an hour are under 60 bytes a call. RSS also holds what the allocator keeps for later. */
export const bounds: Readonly<Record<Measured, Bound>> = {
  heapMb: { name: 'heap', unit: 'MB', mostPerHour: 10 },
  rssMb: { name: 'RSS', unit: 'MB', mostPerHour: 40 },
  handles: { name: 'handles', unit: 'handles', mostPerHour: 60 },
};
const measured = ['heapMb', 'rssMb', 'handles'] as const;

/** The first part fills caches and compiles. */
const warmUp = 0.2;
/** A shorter one says nothing: one megabyte of noise in a minute would be sixty in an hour. */
const leastSeconds = 600;

export interface Slope extends Bound {
  readonly perHour: number;
}

export interface Outcome {
  readonly slopes: readonly Slope[];
  readonly verdict: 'flat' | 'growing' | 'too short';
}

export function judgeSoak(samples: readonly Sample[]): Outcome {
  const length = samples.at(-1)?.seconds ?? 0;
  const steady = samples.filter(({ seconds }) => seconds >= length * warmUp);
  const slopes = measured.map((what) => ({ ...bounds[what], perHour: 3_600 * slopeOf(steady.map((one) => [one.seconds, one[what]])) }));
  const isGrowing = slopes.some(({ perHour, mostPerHour }) => perHour > mostPerHour);
  return { slopes, verdict: length * (1 - warmUp) < leastSeconds ? 'too short' : isGrowing ? 'growing' : 'flat' };
}

/** By least squares; 0 where there are too few points for a line. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [middle, height] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0);
  return spread > 0 ? points.reduce((sum, [x, y]) => sum + (x - middle) * (y - height), 0) / spread : 0;
}

export const head = row(['seconds', 'calls', 'heap MB', 'RSS MB', 'handles']);

export function drawSample({ seconds, calls, heapMb, rssMb, handles }: Sample): string {
  return row([seconds.toFixed(1), String(calls), heapMb.toFixed(1), rssMb.toFixed(1), String(handles)]);
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(10)).join('');
}

const sentences = {
  flat: 'flat: nothing grows beyond its bound',
  growing: 'GROWING: more than the bound',
  'too short': `too short for a verdict: it takes ${leastSeconds / 60 / (1 - warmUp)} minutes at least`,
} as const;

export function drawOutcome({ slopes, verdict }: Outcome): string {
  const table = slopes.map(({ name, unit, perHour, mostPerHour }) => [
    ...[name, 'slope', perHour.toFixed(2), `${unit} per hour`, `bound ${mostPerHour}`],
  ]);
  return `${align(table)}\n\nverdict: ${sentences[verdict]}`;
}
