/** The statement of one month of an account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { getMonthQueries, Month, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import { accountPath } from '../../reads/links.ts';
import type { AccountRow } from './account-row.ts';

interface MonthProps {
  readonly id: string;
  readonly month: string;
}
export function AccountMonth({ id, month }: MonthProps) {
  const read = useRead('getAccount', { params: { account_id: id } });
  const parents = [
    { title: words.title, path: '/accounts' },
    { title: read.data?.name ?? id, path: accountPath(id) },
  ];
  return (
    <section className="stack wide">
      <Crumbs parents={parents} here={nameMonth(month)} />
      <Loaded of={read} rows={8}>
        {(row) => <Statement row={row} month={month} />}
      </Loaded>
    </section>
  );
}

function Statement({ row: { id, name, balance }, month }: { readonly row: AccountRow; readonly month: string }) {
  const params = { account_id: id };
  const isBilled = balance !== null;
  const { activity, before, last, payments } = getMonthQueries(month);
  const [topUps, refunds, corrections] = payments;
  const useEntries = (query: typeof before | (typeof payments)[number]) =>
    useRead('listEntries', { params, query }, { isEnabled: isBilled });
  return (
    <Month
      account={name}
      month={month}
      isBilled={isBilled}
      activity={useRead('getActivity', { query: { ...params, ...activity } })}
      before={useEntries(before)}
      last={useEntries(last)}
      payments={[useEntries(topUps), useEntries(refunds), useEntries(corrections)]}
    />
  );
}
