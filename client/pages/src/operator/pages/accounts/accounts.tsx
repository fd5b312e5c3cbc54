/** Accounts: the list with its filters, one account beside it, and the groups of the configuration. */
import { useSettled } from '../../../data/settled.ts';
import { oneOf, text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Money, State, Time } from '../../../kit/values.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { limitsText } from '../../parts/limits.ts';
import { AccountDetails } from './account-details.tsx';
import { AccountDialogs } from './account-dialogs.tsx';
import { AccountFilters } from './account-filters.tsx';
import { type AccountRow, accountStates, fits, queryOf, stateOf, toneOf } from './account-row.ts';
import { CreateAccount } from './create-account.tsx';
import { Groups } from './groups.tsx';
import { tabFields } from './tabs.ts';

/** `open`: id or name of the account whose panel is open; `tab`: what the panel shows below. */
export const accountFields = {
  open: text,
  q: text,
  group: text,
  state: oneOf(['', ...accountStates], ''),
  ...tabFields,
  dialog: text,
} as const;

const { columns: titles } = words;
const columns: readonly Column<AccountRow>[] = [
  { id: 'name', title: titles.name, cell: ({ name }) => name, isMain: true },
  { id: 'group', title: titles.group, cell: ({ group }) => group },
  {
    id: 'available',
    title: titles.available,
    isNumber: true,
    isMain: true,
    cell: ({ balance }) => <Money amount={balance?.available ?? null} isRounded />,
  },
  { id: 'held', title: titles.held, isNumber: true, cell: ({ balance }) => <Money amount={balance?.held ?? null} isRounded /> },
  { id: 'limits', title: titles.limits, cell: ({ limits }) => limitsText(limits) ?? '–' },
  { id: 'created', title: titles.created, cell: ({ created_at }) => <Time at={created_at} format="day" /> },
  {
    id: 'state',
    title: titles.state,
    isMain: true,
    cell: (row) => <State tone={toneOf[stateOf(row)]}>{words.states[stateOf(row)]}</State>,
  },
];

/** The most that the list gives at once. */
const MOST = 1_000;

export function Accounts() {
  const [state, set] = useUrlState(accountFields);
  const q = useSettled(state.q.trim());
  const list = useRead('listAccounts', { query: { limit: MOST, ...queryOf(state, q) } });
  const create = () => set({ dialog: 'create' });
  const close = () => set({ dialog: '' });
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <div className="row">
          <CsvLink of="accounts" query={queryOf(state, q)} />
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
            <div className="split">
              <AccountTable rows={data} onCreate={create} />
              {state.open !== '' && (
                <OpenAccount key={state.open} id={state.open} row={data.find(({ id, name }) => id === state.open || name === state.open)} />
              )}
            </div>
          </>
        )}
      </Loaded>
      <Groups />
      {state.dialog === 'create' && <CreateAccount onClose={close} onCreated={(id) => set({ open: id, dialog: '' })} />}
    </section>
  );
}

function AccountTable({ rows, onCreate }: { readonly rows: readonly AccountRow[]; readonly onCreate: () => void }) {
  const [state, set] = useUrlState(accountFields);
  const shown = rows.filter((row) => fits(row, state));
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
      idOf={({ id }) => id}
      onOpen={({ id }) => set({ open: id })}
      openId={state.open}
    />
  );
}

/** An account that the list does not hold is read by itself: a link to it works all the same. */
function OpenAccount({ id, row }: { readonly id: string; readonly row: AccountRow | undefined }) {
  const [{ dialog }, set] = useUrlState(accountFields);
  const read = useRead('getAccount', { params: { account_id: id } }, { isEnabled: row === undefined });
  const shown = row ?? read.data;
  if (shown === undefined) return read.error ? <Failed failure={read.error} /> : null;
  return (
    <>
      <AccountDetails row={shown} onDialog={(name) => set({ dialog: name })} onClose={() => set({ open: '', tab: 'statement' })} />
      <AccountDialogs row={shown} dialog={dialog} onClose={() => set({ dialog: '' })} />
    </>
  );
}
