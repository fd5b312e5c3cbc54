/** The last 24 hours of an upstream: its figures, outcomes, and latency. */
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { formatDuration, formatEstimate } from '../../../data/times.ts';
import { Chart, type Series } from '../../../kit/chart.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { Count, ErrorRate, Figure, Figures } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { upstreams as words } from '../../../texts/upstreams.ts';
import { useRead } from '../../api.ts';
import { type Activity, type Sums, toBuckets, toValues } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';
import { toIsoSpan } from '../../reads/span.ts';
import { OutcomeChart } from '../overview/outcome-chart.tsx';

const EVERY_MS = 10_000;

export function LastDay({ name }: { readonly name: string }) {
  const query = { upstream: name, ...toIsoSpan('24h', new Date()), bucket: 'hour' } as const;
  const read = useRead('getActivity', { query }, { everyMs: EVERY_MS });
  return (
    <Loaded of={read} rows={6}>
      {(body) => (
        <div className="stack wide">
          <Totals total={body.total} />
          <OutcomeChart body={body} range="24h" filter={{ upstream: name }} />
          <Latency body={body} name={name} />
        </div>
      )}
    </Loaded>
  );
}

function Totals({ total: { requests, errors, total_ms: total, first_ms: first } }: { readonly total: Sums }) {
  const { figures } = words;
  const time = (of: Sums['total_ms'], name: 'p50' | 'p95'): string => (of === null ? kit.none : formatEstimate(of[name]));
  return (
    <Figures>
      <Figure label={figures.requests} note={figures.lastDay}>
        <Count of={requests} />
      </Figure>
      <Figure label={figures.failed} note={figures.failedCalls(errors)}>
        <ErrorRate errors={errors} requests={requests} />
      </Figure>
      <Figure label={figures.latency} note={figures.p95(time(total, 'p95'))}>
        {time(total, 'p50')}
      </Figure>
      <Figure label={figures.firstEvent} note={figures.p95(time(first, 'p95'))}>
        {time(first, 'p50')}
      </Figure>
    </Figures>
  );
}

function Latency({ body, name }: { readonly body: Activity; readonly name: string }) {
  const [, navigate] = useLocation();
  const buckets = useMemo(() => toBuckets(body), [body]);
  const points = { points: body.series[0]?.points ?? [] };
  const open = (index: number) => {
    const { from, to } = buckets[index] ?? {};
    if (from === undefined || to === undefined) return;
    navigate(requestsPath({ upstream: name, since: new Date(from).toISOString(), until: new Date(to).toISOString() }));
  };
  const series = (['p50', 'p95'] as const).map(
    (part): Series => ({
      id: part,
      label: words.percentiles[part],
      values: toValues(points, buckets, { of: ({ total_ms: total }) => (total === null ? null : BigInt(total[part])), empty: null }),
    }),
  );
  return (
    <Chart
      title={words.latency}
      kind="lines"
      buckets={buckets}
      series={series}
      format={(value) => formatEstimate(Number(value))}
      formatTick={(value) => (value === 0n ? '0' : formatDuration(Number(value)))}
      onOpen={open}
    />
  );
}
