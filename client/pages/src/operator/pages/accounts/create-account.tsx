/** The dialog that creates an account. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { ComboboxField, Form, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { CapFields, isSameCaps, noCaps, type TypedCaps, toCapOption, toCapsInput } from '../../../kit/spending-caps.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange, useRead } from '../../api.ts';
import { LimitFields } from '../../parts/limit-fields.tsx';
import { isSameLimits, limitOptions, noLimits, type TypedLimits, toLimitsInput } from '../../parts/limits.ts';
import { AlertBelowField } from './alert-below-field.tsx';

interface AccountForm {
  readonly name: string;
  readonly group: string;
  readonly opening: string;
  readonly alertBelow: string;
  readonly caps: TypedCaps;
  readonly limits: TypedLimits;
}
const empty: AccountForm = { name: '', group: '', opening: '', alertBelow: '', caps: noCaps, limits: noLimits };

/** Empty fields aren't sent. */
const toBody = ({ name, group, opening, alertBelow, caps, limits }: AccountForm) => ({
  name: name.trim(),
  ...(group.trim() !== '' && { group: group.trim() }),
  ...(opening.trim() !== '' && { opening_balance: opening.trim() }),
  ...(alertBelow.trim() !== '' && { alert_below: alertBelow.trim() }),
  ...(!isSameCaps(caps, noCaps) && { spending_caps: toCapsInput(caps) }),
  ...(!isSameLimits(limits, noLimits) && { limits: toLimitsInput(limits) }),
});

function toCommand({ name, group, opening, alertBelow, caps, limits }: AccountForm): string[] {
  return [
    ...['account', 'create', name.trim()],
    ...(group.trim() === '' ? [] : ['--group', group.trim()]),
    ...(opening.trim() === '' ? [] : ['--opening-balance', opening.trim()]),
    ...(alertBelow.trim() === '' ? [] : ['--alert-below', alertBelow.trim()]),
    ...toCapOption(caps),
    ...limitOptions(limits),
  ];
}

export interface CreateAccountProps {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}
export function CreateAccount({ onClose, onCreated }: CreateAccountProps) {
  const [form, setForm] = useState(empty);
  const updateForm = (change: Partial<AccountForm>) => setForm((now) => ({ ...now, ...change }));
  const groups = useRead('listGroups');
  const { mutate, isPending, error } = useChange('createAccount', ['listAccounts']);
  const body = toBody(form);
  const onSuccess = ({ id, name }: { readonly id: string; readonly name: string }) => {
    showToast(words.created(name));
    onCreated(id);
  };
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form failure={error} onSubmit={() => mutate({ body }, { onSuccess })}>
        <TextField
          label={words.name}
          name="name"
          hint={words.nameHint}
          isRequired
          maxLength={100}
          value={form.name}
          onChange={(name) => updateForm({ name })}
        />
        <ComboboxField
          label={words.group}
          name="group"
          hint={words.groupHint}
          placeholder="default"
          value={form.group}
          onChange={(group) => updateForm({ group })}
          suggestions={groups.data?.data.map(({ name, multiplier }) => ({ value: name, hint: `× ${Number(multiplier)}` })) ?? []}
        />
        <TextField
          label={words.openingBalance}
          name="opening_balance"
          hint={words.openingBalanceHint}
          inputMode="decimal"
          value={form.opening}
          onChange={(opening) => updateForm({ opening })}
        />
        <AlertBelowField value={form.alertBelow} onChange={(alertBelow) => updateForm({ alertBelow })} />
        <CapFields value={form.caps} onChange={(caps) => updateForm({ caps })} />
        <LimitFields value={form.limits} onChange={(limits) => updateForm({ limits })} />
        <SameAs method="POST" path="/admin/v1/accounts" body={body} command={toCommand(form)} />
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
