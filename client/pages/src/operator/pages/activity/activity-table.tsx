/** The sums of the range, a row for each series, with their total and its comparison with the ledger. */
import { Link } from 'wouter';
import { formatShare, readDollars, writeDollars } from '../../../data/money.ts';
import { formatEstimate } from '../../../data/times.ts';
import { ErrorHelp } from '../../../kit/error-code.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Count, cacheHitRate, inputOf, Money, Time } from '../../../kit/values.tsx';
import { activity as words } from '../../../texts/activity.ts';
import { kit } from '../../../texts/kit.ts';
import type { Activity, Sums } from '../../reads/buckets.ts';
import type { ActivityViewProps } from './activity-chart.tsx';
import { filterOf, labelOf, requestsBehind } from './activity-query.ts';
import { hasLatency } from './offered.ts';

interface Row {
  readonly id: string;
  readonly label: string;
  readonly href: string | null;
  /** Of a series that is an error code. */
  readonly code: string | null;
  readonly sums: Sums;
  readonly whole: Sums;
}
const TOTAL = ' total';

export function ActivityTable({ body, state, names }: ActivityViewProps) {
  const { by } = state;
  const rows = body.series.map(({ key, is_other, total }): Row => {
    const isOne = key !== null && key !== '' && !is_other;
    return {
      id: key ?? 'other',
      label: labelOf({ key, isOther: is_other }, by, names),
      href: isOne ? requestsBehind(state, { [filterOf[by]]: key }) : null,
      code: isOne && by === 'code' ? key : null,
      sums: total,
      whole: body.total,
    };
  });
  const total: Row = { id: TOTAL, label: words.total, href: requestsBehind(state, {}), code: null, sums: body.total, whole: body.total };
  return (
    <>
      <Table
        caption={words.totals}
        columns={columnsOf(words.dimensionTitles[by], hasLatency(state))}
        rows={[...rows, total]}
        idOf={({ id }) => id}
      />
      <Reconciled of={body.reconciled} />
    </>
  );
}

const { columns: titles } = words;
const columnsOf = (dimension: string, hasTimes: boolean): readonly Column<Row>[] => [
  ...countColumns(dimension),
  ...(hasTimes ? timeColumns : []),
];

const countColumns = (dimension: string): readonly Column<Row>[] => [
  { id: 'series', title: dimension, isMain: true, cell: (row) => <Name row={row} /> },
  { id: 'spend', title: titles.spend, isNumber: true, isMain: true, cell: ({ sums }) => <Money amount={sums.charged} /> },
  { id: 'share', title: titles.share, isNumber: true, cell: ({ sums, whole }) => formatShare(micros(sums), micros(whole)) ?? kit.none },
  { id: 'requests', title: titles.requests, isNumber: true, isMain: true, cell: ({ sums }) => <Count of={sums.requests} /> },
  { id: 'tokens', title: titles.tokens, isNumber: true, cell: ({ sums }) => <Tokens sums={sums} /> },
  {
    id: 'cached',
    title: titles.cached,
    isNumber: true,
    cell: ({ sums }) => cacheHitRate(sums.tokens),
  },
  { id: 'missed', title: titles.missCost, isNumber: true, cell: ({ sums }) => <Money amount={sums.missed} /> },
  { id: 'rejected', title: titles.rejected, isNumber: true, cell: ({ sums }) => <Count of={sums.rejected} /> },
  { id: 'errors', title: titles.errors, isNumber: true, cell: ({ sums }) => <Count of={sums.errors} /> },
];

const timeColumns: readonly Column<Row>[] = [
  { id: 'first', title: titles.firstEvent, isNumber: true, cell: ({ sums }) => <Times of={sums.first_ms} /> },
  { id: 'total', title: titles.total, isNumber: true, cell: ({ sums }) => <Times of={sums.total_ms} /> },
];

const micros = ({ charged }: Sums): bigint => readDollars(charged) ?? 0n;

function Name({ row: { id, label, href, code } }: { readonly row: Row }) {
  const name = href === null ? label : <Link href={href}>{label}</Link>;
  if (id === TOTAL) return <strong>{name}</strong>;
  return (
    <>
      {name} {code !== null && <ErrorHelp code={code} />}
    </>
  );
}

const Tokens = ({ sums }: { readonly sums: Sums }) => (
  <span>
    <Count of={inputOf(sums.tokens)} isShort /> / <Count of={sums.tokens.output} isShort />
  </span>
);

const Times = ({ of }: { readonly of: Sums['total_ms'] }) => (
  <span className="number">{of === null ? kit.none : `${formatEstimate(of.p50)} / ${formatEstimate(of.p95)}`}</span>
);

/** The words below the table: whether the ledger has the same sum. */
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
