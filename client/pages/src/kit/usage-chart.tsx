/** A chart of an account's charges: every bucket of the range, including those without calls. */
import { type BucketLength, listBucketStarts } from '../data/buckets.ts';
import { formatCents, formatDollars, readDollars } from '../data/money.ts';
import { nameBucket } from '../data/times.ts';
import { Chart, type Series } from './chart.tsx';

/** The part of both APIs' activity responses that is drawn. */
export interface ChartedActivity {
  readonly from: string;
  readonly to: string;
  readonly bucket: BucketLength;
  readonly series: readonly {
    readonly key: string | null;
    readonly label: string;
    readonly is_other: boolean;
    readonly points: readonly { readonly at: string; readonly charged: string }[];
  }[];
}

export interface UsageChartProps {
  readonly activity: ChartedActivity;
  readonly title: string;
  readonly note: string;
  /** Returns the label of a series if its value isn't readable. */
  readonly getName?: (key: string) => string | undefined;
  /** Link of a legend entry. */
  readonly getHref?: (key: string) => string;
  /** `2026-11-22`, for daily buckets. */
  readonly onDay?: (day: string) => void;
}

export function UsageChart({ activity, title, note, getName, getHref, onDay }: UsageChartProps) {
  const begins = listBucketStarts(activity);
  const series = activity.series.map((one): Series => {
    const charged = new Map(one.points.map(({ at, charged }) => [Date.parse(at), readDollars(charged)]));
    const label = (one.key !== null && getName?.(one.key)) || one.label;
    return {
      id: one.key ?? one.label,
      label,
      isOther: one.is_other,
      values: begins.map((at) => charged.get(at) ?? 0n),
      ...(getHref && one.key && { href: getHref(one.key) }),
    };
  });
  const open = (index: number) => onDay?.(new Date(begins[index] ?? 0).toISOString().slice(0, 10));
  return (
    <Chart
      title={title}
      note={note}
      kind="bars"
      buckets={begins.map((at) => nameBucket(at, activity.bucket))}
      series={series}
      format={(value) => formatCents(value)}
      formatTick={(value) => formatDollars(value)}
      {...(onDay && activity.bucket === 'day' && { onOpen: open })}
    />
  );
}
