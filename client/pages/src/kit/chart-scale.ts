/** Geometry of charts. Values are BigInt, as money is; a number is made of them here alone, to place a pixel. */

export interface Plot {
  readonly width: number;
  readonly height: number;
  /** Room for the words of the value axis. */
  readonly left: number;
}
/** Room around the plot, for the words of the time axis. */
export const MARGIN = { right: 8, top: 8, bottom: 22 } as const;

const CHARACTER_WIDTH = 7;
const GAP = 12;
export const getLeftMargin = (words: readonly string[]): number =>
  Math.ceil(Math.max(...words.map(({ length }) => length)) * CHARACTER_WIDTH) + GAP;

const STEPS = [1n, 2n, 5n, 10n] as const;

/** Three to six round values from 0 to at least the greatest; 0 alone where there is nothing else. */
export function getTicks(greatest: bigint): readonly bigint[] {
  if (greatest <= 0n) return [0n];
  const rough = (greatest + 3n) / 4n;
  const power = 10n ** BigInt(String(rough).length - 1);
  const step = (STEPS.find((one) => one * power >= rough) ?? 10n) * power;
  const count = Number((greatest + step - 1n) / step);
  return Array.from({ length: count + 1 }, (_, index) => BigInt(index) * step);
}

/** Pixels from the top for a value. */
export function getY(value: bigint, top: bigint, plot: Plot): number {
  const inner = plot.height - MARGIN.top - MARGIN.bottom;
  return MARGIN.top + inner * (1 - Number(value) / Number(top));
}
/** Pixels from the left for the start of a bucket, and how wide one is. */
export function bucketAt(index: number, count: number, plot: Plot): { readonly x: number; readonly width: number } {
  const width = (plot.width - plot.left - MARGIN.right) / Math.max(count, 1);
  return { x: plot.left + index * width, width };
}

const formatCoordinate = (value: number): string => value.toFixed(1);

/** The bars of one series as one path, each standing on `below`. */
export function buildBarsPath(values: readonly (bigint | null)[], below: readonly bigint[], top: bigint, plot: Plot): string {
  return values
    .map((value, index) => {
      if (value === null || value <= 0n) return '';
      const base = below[index] ?? 0n;
      const { x, width } = bucketAt(index, values.length, plot);
      const gap = width > 6 ? 2 : width > 3 ? 1 : 0;
      const [y, bottom] = [getY(base + value, top, plot), getY(base, top, plot)];
      return `M${formatCoordinate(x + gap / 2)} ${formatCoordinate(bottom)}V${formatCoordinate(y)}h${formatCoordinate(width - gap)}V${formatCoordinate(bottom)}z`;
    })
    .join('');
}

/** Pixels of a value without neighbors. */
const POINT_WIDTH = 6;

/** One line; a bucket without a value interrupts it. A value between two such buckets is a short line. */
export function buildLinePath(values: readonly (bigint | null)[], top: bigint, plot: Plot): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const { x, width } = bucketAt(index, values.length, plot);
      const [center, y] = [x + width / 2, formatCoordinate(getY(value, top, plot))];
      const isStart = (values[index - 1] ?? null) === null;
      if (isStart && (values[index + 1] ?? null) === null) return `M${formatCoordinate(center - POINT_WIDTH / 2)} ${y}h${POINT_WIDTH}`;
      return `${isStart ? 'M' : 'L'}${formatCoordinate(center)} ${y}`;
    })
    .join('');
}

/** For each series what lies below it in each bucket, and the sums. */
export function stackSeries(series: readonly (readonly (bigint | null)[])[], count: number) {
  const sums: bigint[] = Array.from({ length: count }, () => 0n);
  const below = series.map((values) => {
    const base = [...sums];
    for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0n) + (value ?? 0n);
    return base;
  });
  return { below, sums };
}

export const findGreatest = (values: readonly (bigint | null)[]): bigint =>
  values.reduce<bigint>((most, value) => (value !== null && value > most ? value : most), 0n);
