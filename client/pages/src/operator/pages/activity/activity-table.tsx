/** The totals of the range: one row per series, then the overall total and a comparison with the ledger. */
import { Link } from 'wouter';
import { formatCents, formatShare, readDollars, writeDollars } from '../../../data/money.ts';
import { formatDuration } from '../../../data/times.ts';
import { ErrorHelp } from '../../../kit/error-code.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { Count, getCacheHitRate, ShortName, sumInput, Time } from '../../../kit/values.tsx';
import { activity as words } from '../../../texts/activity.ts';
import { kit } from '../../../texts/kit.ts';
import type { Activity, Sums } from '../../reads/buckets.ts';
import type { ActivityViewProps } from './activity-chart.tsx';
import { type ActivityState, getRequestsPath, getSeriesId, nameSeries, toSeriesFilters } from './activity-query.ts';
import { hasLatency } from './offered.ts';

interface Row {
  readonly id: string;
  readonly label: string;
  readonly href: string | null;
  /** For a series of an error code. */
  readonly code: string | null;
  /** For "other": shows its values as separate rows. */
  readonly onOpen: (() => void) | undefined;
  readonly sums: Sums;
  readonly whole: Sums;
  /** The previous period's value. Null if it had none. Undefined if unknown, because it may be part of "other". */
  readonly before: Sums | null | undefined;
}
const TOTAL = ' total';

export interface ActivityTableProps extends ActivityViewProps {
  /** The previous period's total. Undefined if it isn't compared. */
  readonly before: Activity | undefined;
  /** Shows a row for each value of "other". Undefined if it already does. */
  readonly onMore: (() => void) | undefined;
}
export function ActivityTable({ body, before, state, names, onMore }: ActivityTableProps) {
  const { by, second } = state;
  const earlier = new Map(before?.series.map((series) => [getSeriesId(series), series.total]));
  const hasOthers = before?.series.some(({ is_other }) => is_other) ?? false;
  const rows = body.series.map((series): Row => {
    const behind = toSeriesFilters(series, state);
    const id = getSeriesId(series);
    return {
      id,
      label: nameSeries(series, state, names),
      href: behind && getRequestsPath(state, behind),
      code: behind && by === 'code' ? series.key : null,
      onOpen: series.is_other ? onMore : undefined,
      sums: series.total,
      whole: body.total,
      before: series.is_other ? undefined : (earlier.get(id) ?? (hasOthers ? undefined : null)),
    };
  });
  const href = getRequestsPath(state, {});
  const total: Row = {
    id: TOTAL,
    label: words.total,
    href,
    code: null,
    onOpen: undefined,
    sums: body.total,
    whole: body.total,
    before: before?.total ?? null,
  };
  const dimension = second === '' ? words.dimensionTitles[by] : words.two(words.dimensionTitles[by], words.dimensions[second]);
  const columns = [createNameColumn(dimension), ...listColumns(state)];
  const ordered = state.metric === 'latency' ? rows.toSorted(compareLatency) : rows;
  return (
    <>
      <Table
        caption={words.totals}
        columns={before === undefined ? columns : columns.toSpliced(2, 0, changeColumn)}
        rows={[...ordered, total]}
        getRowId={({ id }) => id}
        hasTotal
      />
      <Reconciled of={body.reconciled} />
    </>
  );
}

const { columns: titles } = words;
const changeColumn: Column<Row> = {
  id: 'change',
  title: titles.change,
  isNumber: true,
  isMain: true,
  cell: ({ sums, before }) => (before === undefined ? kit.none : <Change now={getMicros(sums)} before={before && getMicros(before)} />),
};

/** The change in whole percent. The previous amount is in the title. */
function Change({ now, before }: { readonly now: bigint; readonly before: bigint | null }) {
  if (before === null || before === 0n) return <span className="soft">{now === 0n ? kit.none : words.isNew}</span>;
  const percent = ((now - before) * 100n) / before;
  return (
    <span className="number" title={words.wasBefore(formatCents(before))}>
      {percent > 0n && '+'}
      {percent.toLocaleString()}%
    </span>
  );
}

const createNameColumn = (dimension: string): Column<Row> => ({
  id: 'series',
  title: dimension,
  isMain: true,
  cell: (row) => <Name row={row} />,
});

const countColumns: readonly Column<Row>[] = [
  createMoneyColumn({ id: 'spend', title: titles.spend, isMain: true, card: 'end', of: ({ sums }) => sums.charged }),
  {
    id: 'share',
    title: titles.share,
    isNumber: true,
    isWide: true,
    cell: ({ sums, whole }) => formatShare(getMicros(sums), getMicros(whole)) ?? kit.none,
  },
  { id: 'requests', title: titles.requests, isNumber: true, isMain: true, cell: ({ sums }) => <Count of={sums.requests} /> },
  {
    id: 'input',
    title: titles.input,
    isNumber: true,
    isMain: true,
    cell: ({ sums }) => <Count of={sumInput(sums.tokens)} isShort="column" />,
  },
  {
    id: 'output',
    title: titles.output,
    isNumber: true,
    isMain: true,
    cell: ({ sums }) => <Count of={sums.tokens.output} isShort="column" />,
  },
  {
    id: 'cached',
    title: titles.cached,
    isNumber: true,
    isWide: true,
    cell: ({ sums }) => getCacheHitRate(sums.tokens),
  },
  createMoneyColumn({
    id: 'missed',
    title: titles.missCost,
    isWide: true,
    of: ({ sums }) => sums.cache_miss_cost,
    isEmpty: ({ sums }) => (readDollars(sums.cache_miss_cost) ?? 0n) === 0n,
  }),
  { id: 'rejected', title: titles.rejected, isNumber: true, cell: ({ sums }) => <Count of={sums.rejected} /> },
  { id: 'errors', title: titles.errors, isNumber: true, isMain: true, cell: ({ sums }) => <Count of={sums.errors} /> },
];

const createTimeColumn = (time: 'total_ms' | 'first_ms', part: 'p50' | 'p95', card?: 'end'): Column<Row> => ({
  id: `${time} ${part}`,
  title: titles[time](part),
  isNumber: true,
  isMain: true,
  ...(card && { card }),
  cell: ({ sums: { [time]: of } }) => <span className="number">{of === null ? kit.none : formatDuration(of[part])}</span>,
});
const latency = createTimeColumn('total_ms', 'p95', 'end');
const timeColumns: readonly Column<Row>[] = [
  latency,
  createTimeColumn('total_ms', 'p50'),
  createTimeColumn('first_ms', 'p95'),
  createTimeColumn('first_ms', 'p50'),
];

/** If the chart shows latencies, their columns come first, and rows are sorted by highest p95. */
const listColumns = (state: ActivityState): readonly Column<Row>[] => {
  if (!hasLatency(state)) return countColumns;
  if (state.metric !== 'latency') return [...countColumns, { ...latency, card: undefined, isMain: false }];
  return [...timeColumns, ...countColumns.filter(({ id }) => id === 'requests' || id === 'errors')];
};
const compareLatency = (one: Row, other: Row): number => (other.sums.total_ms?.p95 ?? -1) - (one.sums.total_ms?.p95 ?? -1);

const getMicros = ({ charged }: Sums): bigint => readDollars(charged) ?? 0n;

function Name({ row: { label, href, code, onOpen } }: { readonly row: Row }) {
  const text = <ShortName of={label} />;
  const name = href === null ? text : <Link href={href}>{text}</Link>;
  if (onOpen)
    return (
      <button type="button" className="link" onClick={onOpen}>
        {words.openOthers}
      </button>
    );
  return (
    <>
      {name} {code !== null && <ErrorHelp code={code} />}
    </>
  );
}

/** The note below the table says whether the ledger's total is the same. */
export function Reconciled({ of }: { readonly of: Activity['reconciled'] }) {
  if (of === null) return <p className="soft small">{words.notReconciledYet}</p>;
  const difference = readDollars(of.difference) ?? 0n;
  const isSame = difference === 0n;
  return (
    <p className={isSame ? 'verdict small' : 'verdict bad small'}>
      <Icon name={isSame ? 'check' : 'warning'} />
      <span>
        {isSame ? words.reconciled : words.notReconciled(`$${writeDollars(difference)}`)} <Time at={of.until} />
      </span>
    </p>
  );
}
