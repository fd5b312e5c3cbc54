/** Keys: the list, one key beside it, and the dialogs that make and revoke one. */
import { useState } from 'react';
import { text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { LastFour, Money, State, Time } from '../../../kit/values.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { useRead } from '../../api.ts';
import { CreateKey } from './create-key.tsx';
import { KeyDetails, type KeyRow } from './key-details.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { toneOf } from './tones.ts';

/** `open`: id of the key whose panel is open. `account`: only keys of that account. */
const fields = { open: text, account: text, dialog: text } as const;

const { columns: titles } = words;
const columns: readonly Column<KeyRow>[] = [
  { id: 'name', title: titles.name, cell: ({ name }) => name, isMain: true },
  { id: 'key', title: titles.key, cell: ({ last_four }) => <LastFour of={last_four} />, isMain: true },
  { id: 'account', title: titles.account, cell: ({ account }) => account.name },
  { id: 'models', title: titles.models, cell: ({ permissions }) => permissions.models?.join(', ') ?? words.allModels },
  { id: 'cap', title: titles.cap, isNumber: true, cell: ({ spending_cap }) => <Money amount={spending_cap?.amount ?? null} /> },
  { id: 'created', title: titles.created, cell: ({ created_at }) => <Time at={created_at} format="day" /> },
  { id: 'expires', title: titles.expires, cell: ({ expires_at }) => <Time at={expires_at} format="day" /> },
  { id: 'state', title: titles.state, isMain: true, cell: ({ state }) => <State tone={toneOf[state]}>{words.states[state]}</State> },
];

const PAGE_LENGTH = 100;

export function Keys() {
  const [{ open, account, dialog }, set] = useUrlState(fields);
  const [length, setLength] = useState(PAGE_LENGTH);
  const list = useRead('listKeys', { query: { limit: length, ...(account !== '' && { account_id: account }) } });
  const close = () => set({ dialog: '' });
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Button kind="primary" icon="plus" onClick={() => set({ dialog: 'create' })}>
          {words.create}
        </Button>
      </div>
      <Loaded of={list} rows={8}>
        {({ data, has_more }) => {
          const opened = data.find(({ id }) => id === open);
          if (data.length === 0)
            return <NoKeys isFiltered={account !== ''} onClear={() => set({ account: '' })} onCreate={() => set({ dialog: 'create' })} />;
          return (
            <div className="split">
              <Table
                caption={words.caption}
                columns={columns}
                rows={data}
                idOf={({ id }) => id}
                onOpen={({ id }) => set({ open: id })}
                openId={open}
                onMore={has_more ? () => setLength(length + PAGE_LENGTH) : undefined}
                isReadingMore={list.isFetching}
              />
              {opened && <KeyDetails row={opened} onRevoke={() => set({ dialog: 'revoke' })} onClose={() => set({ open: '' })} />}
              {opened && dialog === 'revoke' && <RevokeKey row={opened} onClose={close} />}
            </div>
          );
        }}
      </Loaded>
      {dialog === 'create' && <CreateKey onClose={close} account={account} />}
    </section>
  );
}

interface NoKeysProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onCreate: () => void;
}
const NoKeys = ({ isFiltered, onClear, onCreate }: NoKeysProps) => (
  <Empty title={isFiltered ? words.emptyOfAccount : words.empty}>
    <Button onClick={isFiltered ? onClear : onCreate}>{isFiltered ? words.clear : words.create}</Button>
  </Empty>
);
