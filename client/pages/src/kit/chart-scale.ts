/** Geometry of charts. Values are BigInt, like money, and become numbers only here, to place pixels. */

export interface Plot {
  readonly width: number;
  readonly height: number;
  /** Space for the labels of the value axis. */
  readonly left: number;
}
/** Space around the plot, for the labels of the time axis. */
export const MARGIN = { right: 8, top: 8, bottom: 22 } as const;

const CHARACTER_WIDTH = 7;
const GAP = 12;
export const getLeftMargin = (words: readonly string[]): number =>
  Math.ceil(Math.max(...words.map(({ length }) => length)) * CHARACTER_WIDTH) + GAP;

const STEPS = [1n, 2n, 5n, 10n] as const;

/** Returns three to six round values from 0 to at least the maximum, or only 0 if all values are 0. */
export function getTicks(greatest: bigint): readonly bigint[] {
  if (greatest <= 0n) return [0n];
  const rough = (greatest + 3n) / 4n;
  const power = 10n ** BigInt(String(rough).length - 1);
  const step = (STEPS.find((one) => one * power >= rough) ?? 10n) * power;
  const count = Number((greatest + step - 1n) / step);
  return Array.from({ length: count + 1 }, (_, index) => BigInt(index) * step);
}

/** Pixels from the top. */
export function getY(value: bigint, top: bigint, plot: Plot): number {
  const inner = plot.height - MARGIN.top - MARGIN.bottom;
  return MARGIN.top + inner * (1 - Number(value) / Number(top));
}
/** Pixels from the left to the start of a bucket, and the bucket's width. */
export function bucketAt(index: number, count: number, plot: Plot): { readonly x: number; readonly width: number } {
  const width = (plot.width - plot.left - MARGIN.right) / Math.max(count, 1);
  return { x: plot.left + index * width, width };
}

const formatCoordinate = (value: number): string => value.toFixed(1);

/** The bars of one series as a single path. Each bar starts at `below`. */
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

/** Size of a value without neighbors, in pixels. */
const POINT_WIDTH = 6;

/** One line. A bucket without a value interrupts it, and a value between two such buckets becomes a short line. */
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

/** Returns the offset of each series in each bucket, and the totals. */
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
