/** The four key figures of the range, each with a sparkline, the change from the previous period, and a link to its details. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { readDollars } from '../../../data/money.ts';
import { formatEstimate } from '../../../data/times.ts';
import { Count, ErrorRate, Figure, Figures, Money } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { overview as words } from '../../../texts/overview.ts';
import { type Sums, toBuckets, toValues } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';
import { addValues, computeChange, getGreater, toSparkValues } from './over-time.ts';
import type { OverviewBody } from './overview-data.ts';
import { Spark } from './spark.tsx';

export interface RangeFiguresProps {
  readonly body: Pick<OverviewBody, 'activity' | 'before'>;
  readonly range: string;
}

const HOUR_MS = 3_600_000;
const getMicros = ({ charged }: Sums): bigint => readDollars(charged) ?? 0n;
const getRequests = ({ requests }: Sums): bigint => BigInt(requests);
const getErrors = ({ errors }: Sums): bigint => BigInt(errors);
const getFirstEventMs = ({ first_ms }: Sums): bigint => BigInt(first_ms?.p95 ?? 0);

export function RangeFigures({ body: { activity, before }, range }: RangeFiguresProps) {
  const { requests, rejected, errors, first_ms, charged } = activity.total;
  const path = `/activity?range=${encodeURIComponent(range)}`;
  const { series, from, to } = activity;
  const buckets = toBuckets(activity);
  const points = series.flatMap((one) => one.points);
  const renderSpark = (of: (sums: Sums) => bigint, join = addValues) => {
    const values = toValues({ points }, buckets, { of, empty: 0n }).map((value) => value ?? 0n);
    return <Spark values={toSparkValues(values, join)} />;
  };
  const ms = Math.max(Date.parse(to) - Date.parse(from), 1);
  // The previous period has whole hours.
  const beforeMs = Math.ceil(ms / HOUR_MS) * HOUR_MS;
  const renderChange = (of: (sums: Sums) => bigint) => (
    <Change percent={computeChange({ sum: of(activity.total), ms }, { sum: of(before), ms: beforeMs })} />
  );
  return (
    <Figures>
      <Figure
        label={words.spend}
        note={
          <Note spark={renderSpark(getMicros)} more={<Provider of={activity.provider} />}>
            {renderChange(getMicros)}
          </Note>
        }
      >
        <Link href={path}>
          <Money amount={charged} isRounded />
        </Link>
      </Figure>
      <Figure label={words.requests} note={<Note spark={renderSpark(getRequests)}>{renderChange(getRequests)}</Note>}>
        <Link href={requestsPath({ range })}>
          <Count of={requests} />
        </Link>
      </Figure>
      <Figure
        label={words.errors}
        note={
          <Note spark={renderSpark(getErrors)}>
            <Link href={requestsPath({ range, outcome: 'failed' })}>{words.failed(errors.toLocaleString())}</Link>
            {' · '}
            <Link href={requestsPath({ range, outcome: 'rejected' })}>{words.rejected(rejected.toLocaleString())}</Link>
          </Note>
        }
      >
        <Link href={`${path}&metric=errors`}>
          <ErrorRate errors={errors} requests={requests} />
        </Link>
      </Figure>
      <Figure label={words.firstEvent} note={renderSpark(getFirstEventMs, getGreater)}>
        <Link href={`${path}&metric=latency`}>{first_ms === null ? kit.none : formatEstimate(first_ms.p95)}</Link>
      </Figure>
    </Figures>
  );
}

/** The total that providers billed. Nothing if no call's cost is known. */
function Provider({ of }: { readonly of: OverviewBody['activity']['provider'] }) {
  if (of === null || of.total.cost === null) return null;
  return (
    <p>
      {words.providerCost} <Money amount={of.total.cost} isRounded />
    </p>
  );
}

interface NoteProps {
  readonly spark: ReactNode;
  /** A second line. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}
const Note = ({ spark, more, children }: NoteProps) => (
  <>
    <p>{children}</p>
    {more}
    {spark}
  </>
);

function Change({ percent }: { readonly percent: bigint | null }) {
  if (percent === null) return words.noPreviousPeriod;
  const sign = percent > 0n ? '+' : percent < 0n ? '−' : '±';
  return words.change(`${sign}${(percent < 0n ? -percent : percent).toLocaleString()}%`);
}
