/** Keys: the list with its filters, one key beside it, and the dialogs that create and change one. */
import { readDollars } from '../../../data/money.ts';
import { useSettled } from '../../../data/settled.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { KeyState } from '../../../kit/key-state.tsx';
import { Panel } from '../../../kit/panel.tsx';
import { CapMeters, getCapShare } from '../../../kit/spending-caps.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { type Column, createMoneyColumn, Table, useSorted, useSortQuery } from '../../../kit/table.tsx';
import { LastFour, Time } from '../../../kit/values.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { useRead } from '../../api.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { formatKeyName } from '../../reads/names.ts';
import { CreateKey } from './create-key.tsx';
import { EditKey } from './edit-key.tsx';
import { KeyDetails, type KeyRow } from './key-details.tsx';
import { KeyFilters, keyStates } from './key-filters.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

/** `open`: ID of the key with the open panel. `account`: only keys of this account. */
const fields = { open: text, account: text, q: text, state: createEnumField(['', ...keyStates], ''), dialog: text } as const;

const { columns: titles } = words;
const columns: readonly Column<KeyRow>[] = [
  {
    id: 'name',
    title: titles.name,
    cell: (key) => <span className="whole">{formatKeyName(key)}</span>,
    isMain: true,
    getSortValue: (key) => formatKeyName(key),
  },
  { id: 'key', title: titles.key, cell: ({ last_four }) => <LastFour of={last_four} />, isMain: true, card: 'second' },
  {
    id: 'models',
    title: titles.models,
    isWide: true,
    cell: ({ permissions }) => permissions.models?.join(', ') ?? words.allModels,
    isEmpty: ({ permissions }) => permissions.models === null,
  },
  {
    id: 'cap',
    title: titles.cap,
    cell: ({ use }) => <CapMeters caps={use.spending_caps} />,
    getSortValue: ({ use }) => getCapShare(use.spending_caps),
    isEmpty: ({ use }) => use.spending_caps.length === 0,
  },
  createMoneyColumn({
    id: 'spent',
    title: titles.spent,
    isMain: true,
    card: 'second-end',
    of: ({ use }) => use.charged_30d,
    getSortValue: ({ use }) => readDollars(use.charged_30d),
  }),
  {
    id: 'used',
    title: titles.used,
    cell: ({ use }) => <Time at={use.last_used_at} format="ago" />,
    getSortValue: ({ use }) => use.last_used_at,
  },
  {
    id: 'expires',
    title: titles.expires,
    cell: ({ expires_at }) => <Time at={expires_at} format="day" />,
    isEmpty: ({ expires_at }) => expires_at === null,
  },
  {
    id: 'state',
    title: titles.state,
    isMain: true,
    card: 'end',
    cell: (key) => <KeyState of={key} />,
  },
];

/** Columns that leave the list while a key is open beside it, which shows them. */
const inPanel = new Set(['models', 'used', 'expires']);

const sorts = { name: 'account', cap: 'cap_used', spent: 'charged_30d', used: 'last_used' } as const;

/** Maximum page size of the list. */
const MOST = 1_000;

export function Keys() {
  const [state, set] = useUrlState(fields);
  const { open, account, dialog } = state;
  const q = useSettled(state.q.trim().replace(/^…/, ''));
  const filter = {
    ...(account !== '' && { account_id: account }),
    ...(q !== '' && { q }),
    ...(state.state !== '' && { state: state.state }),
  };
  const list = useRead('listKeys', { query: { limit: MOST, ...filter, ...useSortQuery(sorts) } });
  const create = () => set({ dialog: 'create' });
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <div className="row">
          <CsvLink of="keys" query={filter} />
          <Button kind="primary" icon="plus" onClick={create}>
            {words.create}
          </Button>
        </div>
      </div>
      <KeyFilters filter={state} onChange={set} />
      <Loaded of={list} rows={8}>
        {({ data, has_more }) => (
          <>
            {has_more && <p className="soft">{words.truncated(data.length)}</p>}
            <div className="split">
              <KeyTable rows={data} onCreate={create} />
              {open !== '' && <OpenKey key={open} id={open} row={data.find(({ id }) => id === open)} />}
            </div>
          </>
        )}
      </Loaded>
      {dialog === 'create' && <CreateKey onClose={() => set({ dialog: '' })} account={account} />}
    </section>
  );
}

function KeyTable({ rows, onCreate }: { readonly rows: readonly KeyRow[]; readonly onCreate: () => void }) {
  const [state, set] = useUrlState(fields);
  const { rows: shown, sorting } = useSorted(rows, columns);
  if (shown.length > 0)
    return (
      <Table
        caption={words.caption}
        columns={state.open === '' ? columns : columns.filter(({ id }) => !inPanel.has(id))}
        rows={shown}
        sorting={sorting}
        getRowId={({ id }) => id}
        onOpen={({ id }) => set({ open: id })}
        openId={state.open}
      />
    );
  if (state.q !== '' || state.state !== '')
    return (
      <Empty title={words.emptyFiltered}>
        <Button onClick={() => set({ q: '', state: '' })}>{words.clearFilters}</Button>
      </Empty>
    );
  const isFiltered = state.account !== '';
  return (
    <Empty title={isFiltered ? words.emptyOfAccount : words.empty}>
      <Button onClick={isFiltered ? () => set({ account: '' }) : onCreate}>{isFiltered ? words.showAllAccounts : words.create}</Button>
    </Empty>
  );
}

/** Reads a key that the list doesn't contain, so that links to it work. */
function OpenKey({ id, row }: { readonly id: string; readonly row: KeyRow | undefined }) {
  const [{ dialog }, set] = useUrlState(fields);
  const read = useRead('getKey', { params: { key_id: id } }, { isEnabled: row === undefined });
  const shown = row ?? read.data;
  const close = () => set({ dialog: '' });
  const closePanel = () => set({ open: '' });
  if (shown === undefined)
    return read.error ? (
      <Panel label={id} title={id} onClose={closePanel}>
        <Failed failure={read.error} />
      </Panel>
    ) : null;
  return (
    <>
      <KeyDetails row={shown} onDialog={(name) => set({ dialog: name })} onClose={closePanel} />
      {dialog === 'revoke' && <RevokeKey row={shown} onClose={close} />}
      {dialog === 'edit' && <EditKey row={shown} onClose={close} />}
      {dialog === 'rotate' && <RotateKey row={shown} onClose={close} onStored={(next) => set({ open: next, dialog: '' })} />}
    </>
  );
}
