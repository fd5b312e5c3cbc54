/** The dialog that changes a balance. It asks for confirmation before it subtracts. */
import { useState } from 'react';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatCents, formatDollars, readDollars } from '../../../data/money.ts';
import { Button } from '../../../kit/button.tsx';
import { DangerDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, SelectField, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange } from '../../api.ts';
import type { AccountRow } from './account-row.ts';

const kinds = ['top_up', 'refund', 'correction'] as const;
type Kind = (typeof kinds)[number];

interface Adjustment {
  readonly kind: Kind;
  readonly amount: string;
  readonly note: string;
  readonly transfer: string;
}
/** One ID while the dialog is open: pressing again after a lost response repeats the same transfer. 60 random bits, so that the field shows it completely. */
const generateTransferId = (): string => `console-${crypto.randomUUID().slice(0, 18)}`;

const toBody = ({ kind, amount, note, transfer }: Adjustment) => ({
  kind,
  amount: amount.trim(),
  ...(note.trim() !== '' && { note: note.trim() }),
  transfer_id: transfer.trim(),
});

const toCommand = (row: AccountRow, { kind, amount, note, transfer }: Adjustment): string[] => [
  ...['account', 'top-up', '--kind', kind],
  ...(note.trim() === '' ? [] : ['--note', note.trim()]),
  ...['--transfer-id', transfer.trim(), '--', row.id, amount.trim()],
];

function describePosted({ kind, amount }: Pick<Success<AdminContract['adjustBalance']>, 'kind' | 'amount'>, name: string): string {
  const micros = readDollars(amount) ?? 0n;
  return micros < 0n ? words.debited(formatDollars(-micros), name) : words.posted[kind](formatDollars(micros), name);
}

export interface AdjustBalanceProps {
  readonly row: AccountRow;
  readonly kind: Kind;
  readonly onClose: () => void;
}
export function AdjustBalance({ row, kind, onClose }: AdjustBalanceProps) {
  const [form, setForm] = useState<Adjustment>(() => ({ kind, amount: '', note: '', transfer: generateTransferId() }));
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error, reset } = useChange('adjustBalance', ['listAccounts', 'getAccount', 'listEntries', 'listAudit']);
  const body = toBody(form);
  const micros = readDollars(body.amount);
  const onSuccess = (posted: Success<AdminContract['adjustBalance']>) => {
    showToast(posted.repeated ? words.alreadyPosted(posted.transfer_id) : describePosted(posted, row.name));
    onClose();
  };
  const send = () => mutate({ params: { account_id: row.id }, body }, { onSuccess });
  if (isAsking && micros !== null)
    return (
      <DangerDialog
        title={words.debitTitle(formatDollars(-micros), row.name)}
        name={row.name}
        action={words.debit(formatDollars(-micros))}
        onConfirm={send}
        onClose={() => {
          reset();
          setAsking(false);
        }}
        isBusy={isPending}
        failure={error}
      >
        <BalanceAfter row={row} micros={micros} />
        <p>{words.debitEffect}</p>
      </DangerDialog>
    );
  return (
    <Dialog title={words.adjustTitle(row.name)} onClose={onClose}>
      <Form failure={error} onSubmit={() => (micros !== null && micros < 0n ? setAsking(true) : send())}>
        <AdjustmentFields form={form} onChange={(change) => setForm((now) => ({ ...now, ...change }))} />
        {micros !== null && <BalanceAfter row={row} micros={micros} />}
        <SameAs method="POST" path={`/admin/v1/accounts/${row.id}/adjustments`} body={body} command={toCommand(row, form)} />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isPending}>
            {words.post}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface AdjustmentFieldsProps {
  readonly form: Adjustment;
  readonly onChange: (change: Partial<Adjustment>) => void;
}
function AdjustmentFields({ form, onChange }: AdjustmentFieldsProps) {
  return (
    <>
      <SelectField
        label={words.kind}
        name="kind"
        value={form.kind}
        // `as`: the options are the kinds.
        onChange={(kind) => onChange({ kind: kind as Kind })}
        options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
      />
      <TextField
        label={words.amount}
        name="amount"
        hint={form.kind === 'correction' ? words.correctionHint : words.amountHint}
        isRequired
        inputMode="decimal"
        value={form.amount}
        onChange={(amount) => onChange({ amount })}
      />
      <TextField
        label={words.note}
        name="note"
        hint={words.noteHint}
        maxLength={500}
        value={form.note}
        onChange={(note) => onChange({ note })}
      />
      <TextField
        label={words.transferId}
        name="transfer_id"
        hint={words.transferIdHint}
        isRequired
        maxLength={100}
        value={form.transfer}
        onChange={(transfer) => onChange({ transfer })}
      />
    </>
  );
}

/** The consequence, in numbers. */
function BalanceAfter({ row: { balance }, micros }: { readonly row: AccountRow; readonly micros: bigint }) {
  const now = balance === null ? null : readDollars(balance.available);
  if (now === null) return null;
  return <p role="status">{words.availableAfter(formatCents(now), formatCents(now + micros))}</p>;
}
