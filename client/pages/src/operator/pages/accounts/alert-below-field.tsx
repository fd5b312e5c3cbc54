/** The balance below which an account opens an alert. */
import { trimZeros } from '../../../data/money.ts';
import { TextField } from '../../../kit/form.tsx';
import { accounts as words } from '../../../texts/accounts.ts';

/** The amount, as typed. */
export const typedAmount = (amount: string | null): string => trimZeros(amount ?? '');

export interface AlertBelowFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}
export const AlertBelowField = (props: AlertBelowFieldProps) => (
  <TextField label={words.alertBelow} name="alert_below" hint={words.alertBelowHint} inputMode="decimal" {...props} />
);
