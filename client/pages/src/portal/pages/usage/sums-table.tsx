/** The totals of the range per model, key, session, or end user: spending, cached input, and the cost of the other tokens. */
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { Count, getCacheHitRate } from '../../../kit/values.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import type { Activity } from '../../api.ts';

type Series = Activity['series'][number];

export interface SumsTableProps {
  readonly activity: Activity;
  /** The dimension of a series. */
  readonly by: keyof typeof words.dimensions;
  readonly getName: (key: string) => string | undefined;
}

export function SumsTable({ activity, by, getName }: SumsTableProps) {
  const { columns: titles } = words.totals;
  const columns: readonly Column<Series>[] = [
    { id: 'series', title: titles[by], isMain: true, cell: ({ key, label }) => (key !== null && getName(key)) || label },
    createMoneyColumn({ id: 'spend', title: titles.spend, isMain: true, of: ({ total }) => total.charged }),
    { id: 'requests', title: titles.requests, isNumber: true, cell: ({ total }) => <Count of={total.requests} /> },
    { id: 'cached', title: titles.cached, isNumber: true, isMain: true, cell: ({ total }) => getCacheHitRate(total.tokens) },
    createMoneyColumn({ id: 'missed', title: titles.missCost, of: ({ total }) => total.cache_miss_cost }),
  ];
  return <Table caption={words.totals.caption} columns={columns} rows={activity.series} getRowId={({ key, label }) => key ?? label} />;
}
