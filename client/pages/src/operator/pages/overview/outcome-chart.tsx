/** Requests by outcome over the range. A bucket links to its requests. */
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { formatSpan, formatTime } from '../../../data/times.ts';
import { Chart, type Series } from '../../../kit/chart.tsx';
import { activity as activityWords } from '../../../texts/activity.ts';
import { overview as words } from '../../../texts/overview.ts';
import { type Activity, type Sums, toBuckets, toValues } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';

const outcomes = [
  { id: 'answered', of: ({ requests, errors, rejected }: Sums) => requests - errors - rejected, outcome: '', tone: 'good' },
  { id: 'rejected', of: ({ rejected }: Sums) => rejected, outcome: 'rejected', tone: 'warn' },
  { id: 'failed', of: ({ errors }: Sums) => errors, outcome: 'failed', tone: 'bad' },
] as const;

export interface OutcomeChartProps {
  readonly body: Activity;
  readonly range: string;
  /** Of the requests that the chart links to. */
  readonly filter?: { readonly upstream: string };
}
export function OutcomeChart({ body, range, filter }: OutcomeChartProps) {
  const [, navigate] = useLocation();
  const buckets = useMemo(() => toBuckets(body), [body]);
  const all = { points: body.series.flatMap(({ points }) => points) };
  const open = (index: number) => {
    const { from, to } = buckets[index] ?? {};
    if (from !== undefined && to !== undefined)
      navigate(requestsPath({ ...filter, since: new Date(from).toISOString(), until: new Date(to).toISOString() }));
  };
  return (
    <Chart
      title={words.chart(activityWords.buckets[body.bucket])}
      kind="bars"
      buckets={buckets}
      series={outcomes.map(
        ({ id, of, outcome, tone }): Series => ({
          id,
          label: words.outcomes[id],
          tone,
          values: toValues(all, buckets, { of: (sums) => BigInt(of(sums)), empty: 0n }),
          href: requestsPath({ ...filter, range, outcome }),
        }),
      )}
      format={(value) => value.toLocaleString()}
      onOpen={open}
      note={
        <>
          {formatSpan(body)} · {words.completeUntil} {formatTime(new Date(body.complete_until))}
        </>
      }
    />
  );
}
