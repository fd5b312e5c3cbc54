/** The dialog that creates a key, and the one that shows it once. Only this component's state contains the key. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { SecretDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { ComboboxField, Form } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange, useRead } from '../../api.ts';
import { KeyFields } from './key-fields.tsx';
import { emptyForm, type KeyForm, toBody, toCommand } from './key-form.ts';

/** The maximum of a page. Other accounts can be typed. */
const MAX_SUGGESTED = 1_000;

export interface CreateKeyProps {
  /** Initial values. */
  readonly account: string;
  readonly onClose: () => void;
}

export function CreateKey({ account, onClose }: CreateKeyProps) {
  const [form, setForm] = useState<KeyForm>({ ...emptyForm, account });
  const [secret, setSecret] = useState<string | null>(null);
  const accounts = useRead('listAccounts', { query: { sort: 'name', limit: MAX_SUGGESTED } });
  const { mutate, isPending, error, reset } = useChange('createKey', ['listKeys']);
  const updateForm = (change: Partial<KeyForm>) => setForm((now) => ({ ...now, ...change }));
  const body = toBody(form);
  const group = accounts.data?.data.find(({ id, name }) => [id, name].includes(body.account))?.group;
  const onSuccess = ({ key }: { readonly key: string }) => {
    setSecret(key);
    reset();
  };
  if (secret !== null) return <SecretDialog title={words.createdTitle} secret={secret} what={words.secret} onStored={onClose} />;
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form onSubmit={() => mutate({ body }, { onSuccess })} failure={error}>
        <ComboboxField
          label={words.account}
          name="account"
          hint={words.accountHint}
          isRequired
          value={form.account}
          onChange={(value) => updateForm({ account: value })}
          suggestions={accounts.data?.data.map(({ name, group }) => ({ value: name, hint: group })) ?? []}
        />
        <KeyFields form={form} onChange={updateForm} group={group} />
        <SameAs method="POST" path="/admin/v1/keys" body={body} command={toCommand(form)} />
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
