/** Admin keys: the list, the dialogs that create a key and show it once, and the one that revokes a key. */
import { useState } from 'react';
import type { AdminKey } from '../../../../../../contract/admin/operators.ts';
import { Button } from '../../../kit/button.tsx';
import { DangerDialog, SecretDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { settings } from '../../../texts/settings.ts';
import { useChange, useRead } from '../../api.ts';

const words = settings.keys;

const createColumns = (own: string | undefined, revoke: (key: AdminKey) => void): readonly Column<AdminKey>[] => [
  {
    id: 'name',
    title: words.name,
    isMain: true,
    cell: ({ id, name }) => (
      <>
        {name} {id === own && <span className="soft">({words.yours})</span>}
      </>
    ),
  },
  { id: 'id', title: words.id, isMain: true, cell: ({ id }) => <code className="wrapped">{id}</code> },
  { id: 'at', title: words.createdAt, isMain: true, cell: ({ created_at }) => <Time at={created_at} format="day" /> },
  { id: 'state', title: words.state, isMain: true, card: 'end', cell: (key) => <AdminKeyState of={key} /> },
  {
    id: 'revoke',
    title: words.action,
    isMain: true,
    card: 'third',
    cell: (key) =>
      key.revoked_at === null ? (
        <Button aria-label={words.revokeNamed(key.name)} onClick={() => revoke(key)}>
          {words.revoke}…
        </Button>
      ) : (
        <Time at={key.revoked_at} format="day" />
      ),
  },
];

const AdminKeyState = ({ of: { revoked_at } }: { readonly of: AdminKey }) =>
  revoked_at === null ? <State tone="good">{words.active}</State> : <State tone="bad">{words.revoked}</State>;

export function AdminKeys() {
  const list = useRead('listAdminKeys');
  const caller = useRead('getSession');
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<AdminKey | null>(null);
  const own = caller.data?.actor ?? undefined;
  return (
    <section className="stack" aria-label={words.title}>
      <div className="row apart">
        <h2>{words.title}</h2>
        <Button icon="plus" onClick={() => setMaking(true)}>
          {words.create}
        </Button>
      </div>
      <p className="soft">{words.lead}</p>
      <Loaded of={list} rows={3}>
        {({ data }) => <Table caption={words.caption} columns={createColumns(own, setLeaving)} rows={data} getRowId={({ id }) => id} />}
      </Loaded>
      {isMaking && <CreateAdminKey onClose={() => setMaking(false)} />}
      {leaving && <RevokeAdminKey row={leaving} isOwn={leaving.id === own} onClose={() => setLeaving(null)} />}
    </section>
  );
}

/** Only this component's state contains the key. */
function CreateAdminKey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const { mutate, isPending, error, reset } = useChange('createAdminKey', ['listAdminKeys']);
  const body = { name: name.trim() };
  const onSuccess = ({ key }: { readonly key: string }) => {
    setSecret(key);
    reset();
  };
  if (secret !== null) return <SecretDialog title={words.createdTitle} secret={secret} what={words.secret} onStored={onClose} />;
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form failure={error} onSubmit={() => mutate({ body }, { onSuccess })}>
        <TextField label={words.name} name="name" hint={words.nameHint} isRequired maxLength={100} value={name} onChange={setName} />
        <SameAs method="POST" path="/admin/v1/admin-keys" body={body} command={['admin-key', 'create', '--name', body.name]} />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isPending}>
            {words.create}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface RevokeAdminKeyProps {
  readonly row: AdminKey;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}
function RevokeAdminKey({ row, isOwn, onClose }: RevokeAdminKeyProps) {
  const { mutate, isPending, error } = useChange('revokeAdminKey', ['listAdminKeys', 'listSessions']);
  const onSuccess = () => {
    showToast(words.revokedToast(row.name));
    onClose();
  };
  return (
    <DangerDialog
      title={words.revokeNamed(row.name)}
      name={row.name}
      action={words.revoke}
      onConfirm={() => mutate({ params: { key_id: row.id } }, { onSuccess })}
      onClose={onClose}
      isBusy={isPending}
      failure={error}
    >
      <p>{words.revokeEffect}</p>
      {isOwn && <p className="notice warn">{words.revokeOwn}</p>}
    </DangerDialog>
  );
}
