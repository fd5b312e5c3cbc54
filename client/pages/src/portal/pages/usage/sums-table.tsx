/** The totals of the range per model, key, session, or end user, and the overall total: spending, calls, cached input, and the cost of the other tokens. */
import type { ReactNode } from 'react';
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { Count, getCacheHitRate, ShortName } from '../../../kit/values.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import type { Activity } from '../../api.ts';
import type { Dimension } from '../../series-names.ts';

type Sums = Activity['total'];
interface Row {
  readonly id: string;
  readonly name: ReactNode;
  readonly total: Sums;
}
const TOTAL = ' total';

export interface SumsTableProps {
  readonly activity: Activity;
  /** The dimension of a series. */
  readonly by: Dimension;
}

export function SumsTable({ activity, by }: SumsTableProps) {
  const { columns: titles } = words.totals;
  const columns: readonly Column<Row>[] = [
    { id: 'series', title: titles[by], isMain: true, cell: ({ name }) => name },
    createMoneyColumn({ id: 'spend', title: titles.spend, isMain: true, card: 'end', of: ({ total }) => total.charged }),
    { id: 'requests', title: titles.requests, isNumber: true, isMain: true, cell: ({ total }) => <Count of={total.requests} /> },
    { id: 'failed', title: titles.failed, isNumber: true, isMain: true, cell: ({ total }) => <Count of={total.errors} /> },
    { id: 'cached', title: titles.cached, isNumber: true, cell: ({ total }) => getCacheHitRate(total.tokens) },
    createMoneyColumn({ id: 'missed', title: titles.missCost, of: ({ total }) => total.cache_miss_cost }),
  ];
  const rows = activity.series.map(({ key, label, total }): Row => ({ id: key ?? label, name: <ShortName of={label} />, total }));
  const sum: Row = { id: TOTAL, name: words.totals.total, total: activity.total };
  return <Table caption={words.totals.caption} columns={columns} rows={[...rows, sum]} getRowId={({ id }) => id} hasTotal />;
}
