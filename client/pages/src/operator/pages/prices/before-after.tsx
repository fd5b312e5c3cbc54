/** The cost of an example call for each group that can make it, before and after. */

import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Prices } from '../../../../../../contract/admin/rules.ts';
import type { Success } from '../../../data/contract-types.ts';
import { trimZeros } from '../../../data/money.ts';
import { type Column, createMoneyColumn, Table } from '../../../kit/table.tsx';
import { prices as words } from '../../../texts/prices.ts';
import { computeExampleCost } from './example-cost.ts';

export type Group = Success<AdminContract['listGroups']>['data'][number];

export const formatFactor = (multiplier: string): string => `× ${trimZeros(multiplier)}`;

interface Line {
  readonly name: string;
  readonly factor: string;
  readonly before: bigint | null;
  readonly after: bigint | null;
}
const columns: readonly Column<Line>[] = [
  { id: 'group', title: words.group, isMain: true, cell: ({ name }) => name },
  { id: 'factor', title: words.multiplier, isNumber: true, cell: ({ factor }) => factor },
  createMoneyColumn({ id: 'before', title: words.before, isMain: true, isExact: true, of: ({ before }) => before }),
  createMoneyColumn({ id: 'after', title: words.after, isMain: true, isExact: true, of: ({ after }) => after }),
];

export interface BeforeAfterProps {
  readonly groups: readonly Group[];
  readonly before: Prices;
  readonly after: Prices;
}
export function BeforeAfter({ groups, before, after }: BeforeAfterProps) {
  const rows = groups.map(({ name, multiplier }): Line => {
    return {
      name,
      factor: formatFactor(multiplier),
      before: computeExampleCost(before, multiplier),
      after: computeExampleCost(after, multiplier),
    };
  });
  const isImage = typeof after === 'object' && 'images' in after;
  return (
    <section className="stack" aria-label={words.example}>
      <h3>{words.example}</h3>
      <p className="soft small">{isImage ? words.exampleImage : words.exampleTokens}</p>
      <Table caption={words.example} columns={columns} rows={rows} getRowId={({ name }) => name} />
    </section>
  );
}
