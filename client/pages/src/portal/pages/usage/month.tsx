/** The statement of one month of the account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { getMonthQueries, Month, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';

export function UsageMonth({ month }: { readonly month: string }) {
  const session = useRead('getSession');
  const { activity, before, last, payments } = getMonthQueries(month);
  const [topUps, refunds, corrections] = payments;
  const useEntries = (query: typeof before | (typeof payments)[number]) => useRead('listEntries', { query });
  const reads = {
    activity: useRead('getActivity', { query: activity }),
    before: useEntries(before),
    last: useEntries(last),
    payments: [useEntries(topUps), useEntries(refunds), useEntries(corrections)],
  };
  return (
    <section className="stack wide">
      <Crumbs parents={[{ title: words.title, path: '/usage' }]} here={nameMonth(month)} />
      <Loaded of={session} rows={8}>
        {({ account, balance }) => <Month account={account.name} month={month} isBilled={balance !== null} {...reads} />}
      </Loaded>
    </section>
  );
}
