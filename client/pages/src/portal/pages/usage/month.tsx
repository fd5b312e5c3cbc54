/** The statement of one month of the account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { getMonthQueries, getStatementNumber, Month, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';

/** The most keys of one answer. */
const MOST = 1_000;

export function UsageMonth({ month }: { readonly month: string }) {
  const session = useRead('getSession');
  const { activity, before, last, payments } = getMonthQueries(month);
  const [topUps, refunds, corrections] = payments;
  const keys = useRead('listKeys', { query: { limit: MOST } });
  const getKeyName = (id: string): string | undefined => {
    const key = keys.data?.data.find((one) => one.id === id);
    return key && `${key.name} …${key.last_four}`;
  };
  const useEntries = (query: typeof before | (typeof payments)[number]) => useRead('listEntries', { query });
  const reads = {
    activity: useRead('getActivity', { query: activity }),
    keys: useRead('getActivity', { query: { ...activity, group_by: 'key' } }),
    before: useEntries(before),
    last: useEntries(last),
    payments: [useEntries(topUps), useEntries(refunds), useEntries(corrections)],
  };
  return (
    <section className="stack wide">
      <Crumbs parents={[{ title: words.title, path: '/usage?tab=statements' }]} here={nameMonth(month)} />
      <Loaded of={session} rows={8}>
        {({ account, balance, issuer }) => (
          <Month
            account={account.name}
            month={month}
            isBilled={balance !== null}
            origin={{ number: getStatementNumber(account.id, month), issuer }}
            getKeyName={getKeyName}
            {...reads}
          />
        )}
      </Loaded>
    </section>
  );
}
