/** The dialog that makes a key, and the one that shows it once. The key is in the state of this component alone. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { SecretDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { ComboboxField, Form, SelectField, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange, useRead } from '../../api.ts';
import { bodyOf, commandOf, type KeyForm, type Period, periods } from './key-form.ts';

export interface CreateKeyProps {
  /** Filled in at first. */
  readonly account: string;
  readonly onClose: () => void;
}

export function CreateKey({ account, onClose }: CreateKeyProps) {
  const [form, setForm] = useState<KeyForm>({ account, name: '', models: '', cap: '', period: 'month', expires: '' });
  const [secret, setSecret] = useState<string | null>(null);
  const accounts = useRead('listAccounts');
  const { mutate, isPending, error, reset } = useChange('createKey', ['listKeys']);
  const set = (change: Partial<KeyForm>) => setForm((now) => ({ ...now, ...change }));
  const body = bodyOf(form);
  const create = () =>
    mutate(
      { body },
      {
        onSuccess: ({ key }) => {
          setSecret(key);
          reset();
        },
      },
    );
  if (secret !== null) return <SecretDialog title={words.created} secret={secret} what={words.secret} onStored={onClose} />;
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form onSubmit={create} failure={error}>
        <ComboboxField
          label={words.account}
          name="account"
          hint={words.accountHint}
          isRequired
          value={form.account}
          onChange={(value) => set({ account: value })}
          suggestions={accounts.data?.data.map(({ name, group }) => ({ value: name, hint: group })) ?? []}
        />
        <TextField
          label={words.name}
          name="name"
          hint={words.nameHint}
          isRequired
          maxLength={100}
          value={form.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label={words.models}
          name="permissions.models"
          hint={words.modelsHint}
          value={form.models}
          onChange={(models) => set({ models })}
        />
        <div className="field-row">
          <TextField label={words.cap} name="spending_cap.amount" inputMode="decimal" value={form.cap} onChange={(cap) => set({ cap })} />
          <SelectField
            label={words.period}
            name="spending_cap.period"
            value={form.period}
            // `as`: the options are the periods.
            onChange={(period) => set({ period: period as Period })}
            options={periods.map((value) => ({ value, label: words.periods[value] }))}
          />
        </div>
        <TextField
          label={words.expires}
          name="expires_at"
          type="date"
          hint={words.expiresHint}
          value={form.expires}
          onChange={(expires) => set({ expires })}
        />
        <SameAs method="POST" path="/admin/v1/keys" body={body} command={commandOf(form)} />
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
