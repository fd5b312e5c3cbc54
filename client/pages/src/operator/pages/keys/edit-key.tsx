/** The dialog that changes a key's permissions. Sends only changes. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange } from '../../api.ts';
import { formatKeyName } from '../../reads/names.ts';
import type { KeyRow } from './key-details.tsx';
import { KeyFields } from './key-fields.tsx';
import { toChanges, toForm } from './key-form.ts';

export function EditKey({ row, onClose }: { readonly row: KeyRow; readonly onClose: () => void }) {
  const [before] = useState(() => toForm(row));
  const [form, setForm] = useState(before);
  const { mutate, isPending, error } = useChange('editKey', ['listKeys', 'getKey', 'explainKey']);
  const body = toChanges(form, before);
  const isSame = Object.keys(body).length === 0;
  const onSuccess = (edited: Omit<KeyRow, 'use'>) => {
    showToast(words.edited(formatKeyName(edited)));
    onClose();
  };
  return (
    <Dialog title={words.editTitle(formatKeyName(row))} onClose={onClose}>
      <Form failure={error} onSubmit={() => !isSame && mutate({ params: { key_id: row.id }, body }, { onSuccess })}>
        <KeyFields form={form} onChange={(change) => setForm((now) => ({ ...now, ...change }))} isOpen />
        <SameAs method="PATCH" path={`/admin/v1/keys/${row.id}`} body={body} />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isPending} refusal={isSame ? words.nothingChanged : undefined}>
            {words.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
