/** The dialog that creates an account. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { CapFields, isSameCaps, noCaps, type TypedCaps, toCapOption, toCapsInput } from '../../../kit/spending-caps.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange } from '../../api.ts';
import { LimitFields } from '../../parts/limit-fields.tsx';
import { isSameLimits, limitOptions, noLimits, type TypedLimits, toLimitsInput } from '../../parts/limits.ts';
import { AlertBelowField } from './alert-below-field.tsx';
import { GroupField } from './group-field.tsx';

interface AccountForm {
  readonly name: string;
  readonly group: string;
  readonly opening: string;
  readonly alertBelow: string;
  readonly caps: TypedCaps;
  readonly limits: TypedLimits;
}
const DEFAULT_GROUP = 'default';
const empty: AccountForm = { name: '', group: DEFAULT_GROUP, opening: '', alertBelow: '', caps: noCaps, limits: noLimits };

/** Empty fields and the default group aren't sent. */
const toBody = ({ name, group, opening, alertBelow, caps, limits }: AccountForm) => ({
  name: name.trim(),
  ...(group !== DEFAULT_GROUP && { group }),
  ...(opening.trim() !== '' && { opening_balance: opening.trim() }),
  ...(alertBelow.trim() !== '' && { alert_below: alertBelow.trim() }),
  ...(!isSameCaps(caps, noCaps) && { spending_caps: toCapsInput(caps) }),
  ...(!isSameLimits(limits, noLimits) && { limits: toLimitsInput(limits) }),
});

function toCommand({ name, group, opening, alertBelow, caps, limits }: AccountForm): string[] {
  return [
    ...['account', 'create', name.trim()],
    ...(group === DEFAULT_GROUP ? [] : ['--group', group]),
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
        <GroupField value={form.group} onChange={(group) => updateForm({ group })} />
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
