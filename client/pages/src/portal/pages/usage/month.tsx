/** The statement of one month of the account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { MonthlyStatement, monthSpan, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';

/** The most of one answer. */
const MOST = 1_000;
const TOP = 12;

export function UsageMonth({ month }: { readonly month: string }) {
  const { from, to } = monthSpan(month);
  const session = useRead('getSession');
  const activity = useRead('getActivity', { query: { from, to, group_by: 'model', bucket: 'month', top: TOP } });
  const before = useRead('listEntries', { query: { to: from, limit: 1 } });
  const last = useRead('listEntries', { query: { to, limit: 1 } });
  const topUps = useRead('listEntries', { query: { from, to, kind: 'top_up', limit: MOST } });
  const refunds = useRead('listEntries', { query: { from, to, kind: 'refund', limit: MOST } });
  const corrections = useRead('listEntries', { query: { from, to, kind: 'correction', limit: MOST } });
  const waiting = [before, last, topUps, refunds, corrections].find(({ data, error }) => error !== null || data === undefined);
  const payments = [topUps, refunds, corrections].flatMap(({ data }) => data?.data ?? []);
  return (
    <section className="stack wide">
      <Crumbs parents={[{ title: words.title, path: '/usage' }]} here={nameMonth(month)} />
      {waiting && <Loaded of={waiting}>{() => null}</Loaded>}
      {!waiting && session.data && (
        <Loaded of={activity} rows={8}>
          {(data) => (
            <MonthlyStatement
              account={session.data.account.name}
              month={month}
              activity={data}
              before={before.data?.data[0]}
              last={last.data?.data[0]}
              payments={payments}
            />
          )}
        </Loaded>
      )}
    </section>
  );
}
