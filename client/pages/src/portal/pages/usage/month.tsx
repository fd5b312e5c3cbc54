/** A monthly statement of the account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { Month, type MonthQueries, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';
import { useAccountKeys } from '../../series-names.ts';

const useActivity = (query: MonthQueries['activity']) => useRead('getActivity', { query });
const useEntries = (query: MonthQueries['entries']) => useRead('listEntries', { query });

export function UsageMonth({ month }: { readonly month: string }) {
  const session = useRead('getSession');
  const keys = useAccountKeys();
  return (
    <section className="stack wide">
      <Crumbs parents={[{ title: words.title, path: '/usage?tab=statements' }]} here={nameMonth(month)} />
      <Loaded of={session} rows={8}>
        {({ account, balance, issuer }) => (
          <Month
            account={account}
            month={month}
            isBilled={balance !== null}
            issuer={issuer}
            keys={keys}
            useActivity={useActivity}
            useEntries={useEntries}
          />
        )}
      </Loaded>
    </section>
  );
}
