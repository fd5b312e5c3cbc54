/** The dialog that subscribes an account to a plan. */
import { useState } from 'react';
import { text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { accounts } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange } from '../../api.ts';
import type { AccountRow } from './account-row.ts';
import { tabFields } from './tabs.ts';

const words = accounts.subscriptions;
const fields = { ...tabFields, dialog: text } as const;
const toStartTime = (day: string): string => `${day}T00:00:00Z`;

export function NewSubscription({ row, onClose }: { readonly row: AccountRow; readonly onClose: () => void }) {
  const [plan, setPlan] = useState('');
  const [starts, setStarts] = useState('');
  const [ends, setEnds] = useState('');
  const [, set] = useUrlState(fields);
  const { mutate, isPending, error } = useChange('createSubscription', ['listSubscriptions']);
  const body = {
    plan: plan.trim(),
    ...(starts !== '' && { starts_at: toStartTime(starts) }),
    ...(ends !== '' && { ends_at: toStartTime(ends) }),
  };
  const command = [
    ...['subscription', 'add', row.id, plan.trim()],
    ...(starts === '' ? [] : ['--starts', starts]),
    ...(ends === '' ? [] : ['--ends', ends]),
  ];
  const onSuccess = () => {
    showToast(words.created(body.plan));
    // Changes the URL once, because two changes would overwrite each other.
    set({ tab: 'subscriptions', dialog: '' });
  };
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form failure={error} onSubmit={() => mutate({ params: { account_id: row.id }, body }, { onSuccess })}>
        <TextField label={words.plan} name="plan" hint={words.planHint} isRequired maxLength={64} value={plan} onChange={setPlan} />
        <div className="field-row">
          <TextField label={words.starts} name="starts_at" type="date" hint={words.startsHint} value={starts} onChange={setStarts} />
          <TextField label={words.ends} name="ends_at" type="date" hint={words.endsHint} value={ends} onChange={setEnds} />
        </div>
        <SameAs method="POST" path={`/admin/v1/accounts/${row.id}/subscriptions`} body={body} command={command} />
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
