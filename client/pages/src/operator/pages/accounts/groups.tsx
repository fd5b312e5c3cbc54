/** The configured groups, and where to change them. */

import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { trimZeros } from '../../../data/money.ts';
import { Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { ShortNames } from '../../../kit/values.tsx';
import { accounts } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useRead } from '../../api.ts';
import { formatLimits } from '../../parts/limits.ts';

type Group = Success<AdminContract['listGroups']>['data'][number];
const words = accounts.groups;

const columns: readonly Column<Group>[] = [
  { id: 'name', title: words.name, cell: ({ name }) => name, isMain: true },
  {
    id: 'multiplier',
    title: words.multiplier,
    isNumber: true,
    isMain: true,
    card: 'end',
    cell: ({ multiplier }) => `× ${trimZeros(multiplier)}`,
  },
  {
    id: 'limits',
    title: words.limits,
    cell: ({ limits }) => formatLimits(limits) ?? kit.none,
    isEmpty: ({ limits }) => formatLimits(limits) === null,
  },
  { id: 'models', title: words.models, cell: ({ models }) => <ShortNames of={models} />, isMain: true, card: 'third' },
];

export function Groups() {
  const list = useRead('listGroups');
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="soft">{words.hint}</p>
      <Loaded of={list} rows={2}>
        {({ data }) => <Table caption={words.caption} columns={columns} rows={data} getRowId={({ name }) => name} />}
      </Loaded>
    </section>
  );
}
