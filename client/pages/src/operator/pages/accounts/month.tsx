/** The statement of one month of an account. */
import { Crumbs } from '../../../kit/crumbs.tsx';
import { MonthlyStatement, monthSpan, nameMonth } from '../../../kit/monthly-statement.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import { type AccountRow, accountPath } from './account-row.ts';

/** The most of one answer. */
const MOST = 1_000;
const TOP = 12;

export function AccountMonth({ id, month }: { readonly id: string; readonly month: string }) {
  const read = useRead('getAccount', { params: { account_id: id } });
  return (
    <section className="stack wide">
      <Crumbs
        parents={[
          { title: words.title, path: '/accounts' },
          { title: read.data?.name ?? id, path: accountPath(id) },
        ]}
        here={nameMonth(month)}
      />
      <Loaded of={read} rows={8}>
        {(row) => <Month row={row} month={month} />}
      </Loaded>
    </section>
  );
}

function Month({ row, month }: { readonly row: AccountRow; readonly month: string }) {
  const { from, to } = monthSpan(month);
  const params = { account_id: row.id };
  const options = { isEnabled: row.balance !== null };
  const activity = useRead('getActivity', { query: { ...params, from, to, group_by: 'model', bucket: 'month', top: TOP } });
  const before = useRead('listEntries', { params, query: { to: from, limit: 1 } }, options);
  const last = useRead('listEntries', { params, query: { to, limit: 1 } }, options);
  const topUps = useRead('listEntries', { params, query: { from, to, kind: 'top_up', limit: MOST } }, options);
  const refunds = useRead('listEntries', { params, query: { from, to, kind: 'refund', limit: MOST } }, options);
  const corrections = useRead('listEntries', { params, query: { from, to, kind: 'correction', limit: MOST } }, options);
  const reads = [before, last, topUps, refunds, corrections];
  const waiting = reads.find(({ error, data }) => error !== null || (options.isEnabled && data === undefined));
  if (waiting) return <Loaded of={waiting}>{() => null}</Loaded>;
  const payments = [topUps, refunds, corrections].flatMap(({ data }) => data?.data ?? []);
  return (
    <Loaded of={activity} rows={8}>
      {(data) => (
        <MonthlyStatement
          account={row.name}
          month={month}
          activity={data}
          before={before.data?.data[0]}
          last={last.data?.data[0]}
          payments={payments}
        />
      )}
    </Loaded>
  );
}
