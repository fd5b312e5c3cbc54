/** Accounts: the list with its filters, the configured groups, and the pages of one account and one month. */
import { Redirect, useLocation, useParams, useSearchParams } from 'wouter';
import { readDollars } from '../../../data/money.ts';
import { useSettled } from '../../../data/settled.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { isMonth } from '../../../kit/monthly-statement.tsx';
import { NotFound } from '../../../kit/not-found.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, createMoneyColumn, Table, useSorted, useSortQuery } from '../../../kit/table.tsx';
import { Money, ShortName, State, Time } from '../../../kit/values.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useRead } from '../../api.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { formatLimits } from '../../parts/limits.ts';
import { accountPath, decodeName } from '../../reads/links.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountPage } from './account-page.tsx';
import { type AccountRow, accountStates, accountTones, getState, isLow, matchesFilter, toQuery } from './account-row.ts';
import { CreateAccount } from './create-account.tsx';
import { Groups } from './groups.tsx';
import { AccountMonth } from './month.tsx';

const accountFields = { q: text, group: text, state: createEnumField(['', ...accountStates], ''), dialog: text } as const;

const { columns: titles } = words;
const columns: readonly Column<AccountRow>[] = [
  { id: 'name', title: titles.name, cell: ({ name }) => <ShortName of={name} />, isMain: true, getSortValue: ({ name }) => name },
  { id: 'group', title: titles.group, card: 'second', cell: ({ group }) => group, getSortValue: ({ group }) => group },
  {
    id: 'available',
    title: titles.available,
    isNumber: true,
    isMain: true,
    card: 'end',
    cell: (row) => (
      <span className={isLow(row) ? 'number warn' : undefined}>
        <Money amount={row.balance?.available ?? null} isRounded />
      </span>
    ),
    getSortValue: ({ balance }) => (balance === null ? null : readDollars(balance.available)),
  },
  createMoneyColumn({
    id: 'spent',
    title: titles.spent,
    isMain: true,
    of: ({ charged_30d: charged }) => charged,
    getSortValue: ({ charged_30d: charged }) => readDollars(charged),
  }),
  createMoneyColumn({
    id: 'held',
    title: titles.held,
    of: ({ balance }) => balance?.held ?? null,
    isEmpty: ({ balance }) => (readDollars(balance?.held ?? '0') ?? 0n) === 0n,
  }),
  {
    id: 'limits',
    title: titles.limits,
    cell: ({ limits }) => formatLimits(limits) ?? kit.none,
    isEmpty: ({ limits }) => formatLimits(limits) === null,
  },
  {
    id: 'created',
    title: titles.created,
    cell: ({ created_at }) => <Time at={created_at} format="day" />,
    getSortValue: ({ created_at }) => created_at,
  },
  {
    id: 'state',
    title: titles.state,
    isMain: true,
    card: 'second-end',
    cell: (row) => <State tone={accountTones[getState(row)]}>{words.states[getState(row)]}</State>,
  },
];

const sorts = { name: 'name', group: 'group', available: 'available', spent: 'charged_30d', created: 'created' } as const;

/** Maximum page size of the list. */
const MOST = 1_000;

export function AccountPages() {
  const { id: part, month } = useParams<{ id?: string; month?: string }>();
  const id = part === undefined ? undefined : decodeName(part);
  const [search] = useSearchParams();
  const open = search.get('open');
  if (id !== undefined && month !== undefined) return isMonth(month) ? <AccountMonth key={month} id={id} month={month} /> : <NotFound />;
  if (id !== undefined) return <AccountPage key={id} id={id} />;
  if (open === null) return <Accounts />;
  // Links from earlier versions have the account in the query.
  const rest = new URLSearchParams(search);
  rest.delete('open');
  return <Redirect to={`${accountPath(open)}${rest.size > 0 ? `?${rest}` : ''}`} replace />;
}

function Accounts() {
  const [, navigate] = useLocation();
  const [state, set] = useUrlState(accountFields);
  const q = useSettled(state.q.trim());
  const list = useRead('listAccounts', { query: { limit: MOST, ...toQuery(state, q), ...useSortQuery(sorts) } });
  const create = () => set({ dialog: 'create' });
  const close = () => set({ dialog: '' });
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <div className="row">
          <CsvLink of="accounts" query={toQuery(state, q)} />
          <Button kind="primary" icon="plus" onClick={create}>
            {words.create}
          </Button>
        </div>
      </div>
      <AccountFilters filter={state} onChange={set} />
      <Loaded of={list} rows={8}>
        {({ data, has_more }) => (
          <>
            {has_more && <p className="soft">{words.truncated(data.length)}</p>}
            <AccountTable rows={data} onCreate={create} />
          </>
        )}
      </Loaded>
      <Groups />
      {state.dialog === 'create' && <CreateAccount onClose={close} onCreated={(id) => navigate(accountPath(id))} />}
    </section>
  );
}

function AccountTable({ rows, onCreate }: { readonly rows: readonly AccountRow[]; readonly onCreate: () => void }) {
  const [state, set] = useUrlState(accountFields);
  const [, navigate] = useLocation();
  const { rows: shown, sorting } = useSorted(
    rows.filter((row) => matchesFilter(row, state)),
    columns,
  );
  const isFiltered = state.q !== '' || state.group !== '' || state.state !== '';
  if (rows.length === 0 && !isFiltered)
    return (
      <Empty title={words.empty}>
        <Button onClick={onCreate}>{words.create}</Button>
      </Empty>
    );
  if (shown.length === 0)
    return (
      <Empty title={words.emptyFiltered}>
        <Button onClick={() => set({ q: '', group: '', state: '' })}>{words.clearFilters}</Button>
      </Empty>
    );
  return (
    <Table
      caption={words.caption}
      columns={columns}
      rows={shown}
      getRowId={({ id }) => id}
      onOpen={({ id }) => navigate(accountPath(id))}
      sorting={sorting}
    />
  );
}
