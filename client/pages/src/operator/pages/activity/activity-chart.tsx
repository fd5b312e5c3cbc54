/** The chart of the activity page. Legend entries and buckets link to their requests. */
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { formatRange } from '../../../data/ranges.ts';
import { formatSpan, formatTime } from '../../../data/times.ts';
import { useUrlState } from '../../../data/url-state.ts';
import { Chart, type Series } from '../../../kit/chart.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { activity as words } from '../../../texts/activity.ts';
import { type Activity, toBuckets, toValues } from '../../reads/buckets.ts';
import type { Names } from '../../reads/names.ts';
import { type ActivityState, getRequestsPath, getSeriesId, nameSeries, toSeriesFilters } from './activity-query.ts';
import { metrics } from './metrics.ts';
import type { Dimension } from './offered.ts';

const nameDimensions = (by: Dimension, second: Dimension | ''): string =>
  second === '' ? words.dimensions[by] : words.two(words.dimensions[by], words.dimensions[second]);

export interface ActivityViewProps {
  readonly body: Activity;
  readonly state: ActivityState;
  readonly names: Names;
}

export function ActivityChart({ body, state, names }: ActivityViewProps) {
  const [, navigate] = useLocation();
  const [, set] = useUrlState(rangeFields);
  const { metric, by, second } = state;
  const { kind, format, formatTick } = metrics[metric];
  const buckets = useMemo(() => toBuckets(body), [body]);
  const openBucket = (index: number) => {
    const { from, to } = buckets[index] ?? {};
    if (from === undefined || to === undefined) return;
    navigate(getRequestsPath(state, { since: new Date(from).toISOString(), until: new Date(to).toISOString() }));
  };
  const zoom = (first: number, last: number) => {
    const { from = 0 } = buckets[first] ?? {};
    const { to = 0 } = buckets[last] ?? {};
    set({ range: formatRange(from, to) });
  };
  return (
    <Chart
      title={words.chart(words.metricTitles[metric], nameDimensions(by, second), words.buckets[body.bucket])}
      kind={kind}
      buckets={buckets}
      series={body.series.map((one): Series => {
        const behind = toSeriesFilters(one, state);
        return {
          id: getSeriesId(one),
          label: nameSeries(one, state, names),
          values: toValues(one, buckets, metrics[metric]),
          isOther: one.is_other,
          ...(behind && { href: getRequestsPath(state, behind) }),
        };
      })}
      format={format}
      formatTick={formatTick}
      onOpen={openBucket}
      onZoom={zoom}
      note={
        <>
          {formatSpan(body)} · {words.completeUntil} {formatTime(new Date(body.complete_until))}
        </>
      }
    />
  );
}
