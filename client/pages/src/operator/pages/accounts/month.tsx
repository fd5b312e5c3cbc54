/** The statement of one month of an account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { Month, type MonthQueries, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import { accountPath } from '../../reads/links.ts';
import type { AccountRow } from './account-row.ts';

/** Maximum page size of the key list. */
const MOST = 1_000;

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

function Statement({ row, month }: { readonly row: AccountRow; readonly month: string }) {
  const params = { account_id: row.id };
  const isBilled = row.balance !== null;
  const issuer = useRead('getConfig', { query: { under: 'pages.issuer' } });
  const keys = useRead('listKeys', { query: { ...params, limit: MOST } });
  const useActivity = (query: MonthQueries['activity']) => useRead('getActivity', { query: { ...params, ...query } });
  const useEntries = (query: MonthQueries['entries']) => useRead('listEntries', { params, query }, { isEnabled: isBilled });
  return (
    <Month
      account={row}
      month={month}
      isBilled={isBilled}
      issuer={issuer.data?.entries[0]?.value ?? null}
      keys={keys.data?.data}
      useActivity={useActivity}
      useEntries={useEntries}
    />
  );
}
