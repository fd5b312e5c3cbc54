/** The dialog that renames an account, moves it to another group, or sets its limits and its alert. Sends only changes. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { CapFields, isSameCaps, toCapsInput, toTypedCaps } from '../../../kit/spending-caps.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange } from '../../api.ts';
import { LimitFields } from '../../parts/limit-fields.tsx';
import { isSameLimits, toLimitsInput, typedLimits } from '../../parts/limits.ts';
import type { AccountRow } from './account-row.ts';
import { AlertBelowField, typedAmount } from './alert-below-field.tsx';
import { GroupField } from './group-field.tsx';

export function EditAccount({ row, onClose }: { readonly row: AccountRow; readonly onClose: () => void }) {
  const [name, setName] = useState(row.name);
  const [group, setGroup] = useState(row.group);
  const [below, setBelow] = useState(typedAmount(row.alert_below));
  const [limits, setLimits] = useState(typedLimits(row.limits));
  const [caps, setCaps] = useState(toTypedCaps(row.spending_caps));
  const { mutate, isPending, error } = useChange('editAccount', ['listAccounts', 'getAccount', 'listKeys']);
  const body = {
    ...(name.trim() !== row.name && { name: name.trim() }),
    ...(group !== row.group && { group }),
    ...(below.trim() !== typedAmount(row.alert_below) && { alert_below: below.trim() === '' ? null : below.trim() }),
    ...(!isSameCaps(caps, toTypedCaps(row.spending_caps)) && { spending_caps: toCapsInput(caps) }),
    ...(!isSameLimits(limits, typedLimits(row.limits)) && { limits: toLimitsInput(limits) }),
  };
  const isSame = Object.keys(body).length === 0;
  const onSuccess = (edited: AccountRow) => {
    showToast(words.edited(edited.name));
    onClose();
  };
  return (
    <Dialog title={words.editTitle(row.name)} onClose={onClose}>
      <Form failure={error} onSubmit={() => !isSame && mutate({ params: { account_id: row.id }, body }, { onSuccess })}>
        <TextField label={words.name} name="name" hint={words.nameHint} isRequired maxLength={100} value={name} onChange={setName} />
        <GroupField value={group} onChange={setGroup} />
        <AlertBelowField value={below} onChange={setBelow} />
        <CapFields value={caps} onChange={setCaps} />
        <LimitFields value={limits} onChange={setLimits} />
        <SameAs method="PATCH" path={`/admin/v1/accounts/${row.id}`} body={body} />
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
