/** The totals of the range: one row per series, with their sum and a comparison with the ledger. */
import { Link } from 'wouter';
import { formatDollars, formatShare, readDollars, writeDollars } from '../../../data/money.ts';
import { formatDuration, formatEstimate } from '../../../data/times.ts';
import { ErrorHelp } from '../../../kit/error-code.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { Count, getCacheHitRate, ShortName, sumInput, Time } from '../../../kit/values.tsx';
import { activity as words } from '../../../texts/activity.ts';
import { kit } from '../../../texts/kit.ts';
import type { Activity, Sums } from '../../reads/buckets.ts';
import type { ActivityViewProps } from './activity-chart.tsx';
import { getRequestsPath, getSeriesId, nameSeries, toSeriesFilters } from './activity-query.ts';
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
  const columns = [...createCountColumns(dimension), ...(hasLatency(state) ? timeColumns : [])];
  return (
    <>
      <Table
        caption={words.totals}
        columns={before === undefined ? columns : columns.toSpliced(2, 0, changeColumn)}
        rows={[...rows, total]}
        getRowId={({ id }) => id}
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
    <span className="number" title={words.wasBefore(formatDollars(before))}>
      {percent > 0n && '+'}
      {percent.toLocaleString()}%
    </span>
  );
}

const createCountColumns = (dimension: string): readonly Column<Row>[] => [
  { id: 'series', title: dimension, isMain: true, cell: (row) => <Name row={row} /> },
  createMoneyColumn({ id: 'spend', title: titles.spend, isMain: true, card: 'end', of: ({ sums }) => sums.charged }),
  {
    id: 'share',
    title: titles.share,
    isNumber: true,
    isWide: true,
    cell: ({ sums, whole }) => formatShare(getMicros(sums), getMicros(whole)) ?? kit.none,
  },
  { id: 'requests', title: titles.requests, isNumber: true, isMain: true, cell: ({ sums }) => <Count of={sums.requests} /> },
  { id: 'tokens', title: titles.tokens, isNumber: true, cell: ({ sums }) => <Tokens sums={sums} /> },
  {
    id: 'cached',
    title: titles.cached,
    isNumber: true,
    cell: ({ sums }) => getCacheHitRate(sums.tokens),
  },
  createMoneyColumn({ id: 'missed', title: titles.missCost, isWide: true, of: ({ sums }) => sums.cache_miss_cost }),
  { id: 'rejected', title: titles.rejected, isNumber: true, cell: ({ sums }) => <Count of={sums.rejected} /> },
  { id: 'errors', title: titles.errors, isNumber: true, cell: ({ sums }) => <Count of={sums.errors} /> },
];

const timeColumns: readonly Column<Row>[] = [
  { id: 'first', title: titles.firstEvent, isNumber: true, isWide: true, cell: ({ sums }) => <Times of={sums.first_ms} /> },
  { id: 'total', title: titles.total, isNumber: true, cell: ({ sums }) => <Times of={sums.total_ms} /> },
];

const getMicros = ({ charged }: Sums): bigint => readDollars(charged) ?? 0n;

function Name({ row: { id, label, href, code, onOpen } }: { readonly row: Row }) {
  const text = <ShortName of={label} />;
  const name = href === null ? text : <Link href={href}>{text}</Link>;
  if (id === TOTAL) return <strong>{name}</strong>;
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

const Tokens = ({ sums }: { readonly sums: Sums }) => (
  <span>
    <Count of={sumInput(sums.tokens)} isShort /> / <Count of={sums.tokens.output} isShort />
  </span>
);

const Times = ({ of }: { readonly of: Sums['total_ms'] }) => (
  <span className="number">{of === null ? kit.none : `${formatEstimate(of.p50)} / ${formatDuration(of.p95)}`}</span>
);

/** The note below the table: whether the ledger has the same total. */
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
