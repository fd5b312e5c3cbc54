/** Columns of the table of upstreams. */
import { Link } from 'wouter';
import { formatEstimate } from '../../../data/times.ts';
import { type StatusBar, StatusBars } from '../../../kit/status-bars.tsx';
import type { Column } from '../../../kit/table.tsx';
import { Count, ErrorRate, LastFour, ShortName, State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { upstreams as words } from '../../../texts/upstreams.ts';
import { Impact } from '../../parts/impact.tsx';
import { type Activity, type ActivitySeries, type Sums, toBuckets } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';
import { getKeyState, getState, listKeys, sumSlots, type Upstream } from './upstream-state.ts';

export interface UpstreamRow {
  readonly upstream: Upstream;
  /** Figures of the range. Null while loading, or if they're part of "other". */
  readonly sums: Sums | null;
  readonly range: string;
  readonly bars: readonly StatusBar[];
}

/** One bar per bucket of the response, usually an hour. */
export function toBars(body: Activity, of: Pick<ActivitySeries, 'points'> | undefined): readonly StatusBar[] {
  const points = new Map((of?.points ?? []).map((point) => [Date.parse(point.at), point]));
  return toBuckets(body).map(({ from, label }) => {
    const { requests = 0, errors = 0 } = points.get(from) ?? {};
    return { id: from, label: words.bar(label, requests, errors), requests, errors };
  });
}

const { columns: titles } = words;
export const columns: readonly Column<UpstreamRow>[] = [
  { id: 'name', title: titles.name, isMain: true, cell: ({ upstream }) => <ShortName of={upstream.name} /> },
  { id: 'state', title: titles.state, isMain: true, card: 'second', cell: ({ upstream }) => <Health of={upstream} /> },
  { id: 'trend', title: titles.trend, card: 'end', isWide: true, cell: ({ bars }) => bars.length > 0 && <StatusBars bars={bars} /> },
  { id: 'keys', title: titles.keys, isWide: true, cell: ({ upstream }) => <Keys of={upstream} /> },
  { id: 'slots', title: titles.slots, isNumber: true, isWide: true, cell: ({ upstream }) => <Slots of={upstream} /> },
  { id: 'requests', title: titles.requests, isNumber: true, isMain: true, cell: (row) => <Requests row={row} /> },
  { id: 'errors', title: titles.errors, isNumber: true, isMain: true, cell: (row) => <Errors row={row} /> },
  { id: 'p95', title: titles.p95, isNumber: true, cell: ({ sums }) => (sums?.total_ms ? formatEstimate(sums.total_ms.p95) : kit.none) },
];

interface UpstreamProps {
  readonly of: Upstream;
}
/** Shows the state of an upstream and since when, its unavailable models and keys with their retry times, and the effect on calls. */
export function Health({ of }: UpstreamProps) {
  const { tone, text, detail } = getState(of);
  return (
    <div>
      <State tone={tone}>
        <span>
          {text}
          {of.unavailable_since !== null && tone !== 'good' && (
            <>
              {' '}
              {words.since} <Time at={of.unavailable_since} /> (<Time at={of.unavailable_since} format="ago" />)
            </>
          )}
        </span>
      </State>
      {detail !== null && <p className="soft small">{detail}</p>}
      {of.impact !== null && <Impact of={of.impact} />}
    </div>
  );
}

export const Kind = ({ of: { kind, host } }: UpstreamProps) => (
  <span>
    {kind}
    <span className="cell-detail">{host ?? words.simulated}</span>
  </span>
);

export function Keys({ of }: UpstreamProps) {
  const keys = listKeys(of);
  if (keys.length === 0) return <span className="soft">{of.nodes.length === 0 ? kit.none : words.noKeys}</span>;
  return (
    <ul className="plain-list">
      {keys.map((key, index) => (
        <li key={index} className="row">
          {key.last_four === '' ? words.shortKey : <LastFour of={key.last_four} />}
          <State tone={getKeyState(key).tone}>{getKeyState(key).text}</State>
        </li>
      ))}
    </ul>
  );
}

export function Slots({ of }: UpstreamProps) {
  const slots = sumSlots(of);
  if (slots === null) return <span className="soft">{kit.none}</span>;
  return (
    <span className="number">
      {words.slots(slots.running.toLocaleString(), slots.most.toLocaleString())}
      {slots.waiting > 0 && <span className="cell-detail">{words.waiting(slots.waiting)}</span>}
    </span>
  );
}

interface UpstreamRowProps {
  readonly row: UpstreamRow;
}
function Requests({ row: { upstream, sums, range } }: UpstreamRowProps) {
  if (sums === null) return <Count of={null} />;
  return (
    <Link href={requestsPath({ range, upstream: upstream.name })}>
      <Count of={sums.requests} />
    </Link>
  );
}

function Errors({ row: { upstream, sums, range } }: UpstreamRowProps) {
  if (sums === null || sums.requests === 0) return <Count of={null} />;
  const share = <ErrorRate errors={sums.errors} requests={sums.requests} />;
  if (sums.errors === 0) return share;
  return (
    <span>
      <Link href={requestsPath({ range, upstream: upstream.name, outcome: 'failed' })}>{share}</Link>
      <span className="cell-detail">{words.failedCount(sums.errors)}</span>
    </span>
  );
}
