/** Keys: those of the account if the key can manage them, otherwise only its own; and the dialogs that create and change one. */
import { readDollars } from '../../../data/money.ts';
import { text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { KeyState } from '../../../kit/key-state.tsx';
import { CapMeters } from '../../../kit/spending-caps.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { type Column, createMoneyColumn, Table, useSorted } from '../../../kit/table.tsx';
import { LastFour, Time } from '../../../kit/values.tsx';
import { portalKeys as words } from '../../../texts/portal-keys.ts';
import { useRead } from '../../api.ts';
import { KeyDetails, type KeyRow } from './key-details.tsx';
import { MakeKey } from './make-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

/** `open`: ID of the key with the open panel. */
const fields = { open: text, dialog: text } as const;

const { columns: titles } = words;
const columns: readonly Column<KeyRow>[] = [
  { id: 'name', title: titles.name, cell: (row) => <Name row={row} />, isMain: true, getSortValue: ({ name }) => name },
  createMoneyColumn({
    id: 'spent',
    title: titles.spent,
    isMain: true,
    of: ({ use }) => use.charged_30d,
    getSortValue: ({ use }) => readDollars(use.charged_30d),
  }),
  {
    id: 'used',
    title: titles.used,
    isMain: true,
    cell: ({ use }) => <Time at={use.last_used_at} format="ago" />,
    getSortValue: ({ use }) => use.last_used_at,
  },
  { id: 'cap', title: titles.cap, isMain: true, cell: ({ use }) => <CapMeters caps={use.spending_caps} /> },
  {
    id: 'expires',
    title: titles.expires,
    isMain: true,
    cell: ({ expires_at: at }) => (at === null ? words.never : <Time at={at} format="day" />),
  },
  { id: 'state', title: titles.state, isMain: true, cell: (row) => <KeyState of={row} /> },
];

const Name = ({ row }: { readonly row: KeyRow }) => (
  <>
    {row.name} <LastFour of={row.last_four} />
    {row.is_own && <span className="soft"> · {words.thisKey}</span>}
    {row.replaced_by !== null && <span className="soft"> · {words.replaced}</span>}
  </>
);

/** Columns that leave the list while a key is open beside it, which shows them. */
const inPanel = new Set(['used', 'expires']);

/** Maximum page size of the list. */
const MOST = 1_000;

export function Keys() {
  const [{ open, dialog }, set] = useUrlState(fields);
  const list = useRead('listKeys', { query: { limit: MOST } });
  const { rows, sorting } = useSorted(list.data?.data ?? [], columns);
  const close = () => set({ dialog: '' });
  const own = list.data?.data.find(({ is_own: isOwn }) => isOwn);
  const row = list.data?.data.find(({ id }) => id === open);
  const getName = (id: string) => list.data?.data.find((one) => one.id === id)?.name ?? id;
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        {list.data?.may_create && (
          <Button kind="primary" icon="plus" onClick={() => set({ dialog: 'create' })}>
            {words.create}
          </Button>
        )}
      </div>
      <Loaded of={list} rows={4}>
        {({ may_create: mayCreate, count: made, max_keys: most }) => (
          <>
            <p className="soft">{getNote({ isManager: own?.may_manage === true, mayCreate, made, most })}</p>
            <div className="split">
              <Table
                caption={words.caption}
                columns={row ? columns.filter(({ id }) => !inPanel.has(id)) : columns}
                rows={rows}
                sorting={sorting}
                getRowId={({ id }) => id}
                onOpen={({ id }) => set({ open: id })}
                openId={open}
              />
              {row && (
                <KeyDetails row={row} getName={getName} onDialog={(name) => set({ dialog: name })} onClose={() => set({ open: '' })} />
              )}
            </div>
          </>
        )}
      </Loaded>
      {dialog === 'create' && own && <MakeKey own={own} mayDelegate={list.data?.may_delegate === true} onClose={close} />}
      {dialog === 'rotate' && row && <RotateKey row={row} onClose={close} onStored={(next) => set({ open: next, dialog: '' })} />}
      {dialog === 'revoke' && row && <RevokeKey row={row} onClose={close} />}
    </section>
  );
}

interface KeyQuota {
  readonly isManager: boolean;
  readonly mayCreate: boolean;
  readonly made: number;
  readonly most: number;
}
function getNote({ isManager, mayCreate, made, most }: KeyQuota): string {
  if (!isManager) return words.noPermission;
  return mayCreate ? words.createdCount(made, most) : words.maxReached(most);
}
