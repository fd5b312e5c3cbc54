/** The sums of the range, a row for each model, key or session: what was spent, how much of the input came from a cache, and what the rest cost. */
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { Count, getCacheHitRate } from '../../../kit/values.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import type { Activity } from '../../api.ts';

type Series = Activity['series'][number];

export interface SumsTableProps {
  readonly activity: Activity;
  /** What a series is. */
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
