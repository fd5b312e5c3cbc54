/** Form field for the group of an account: one of the configured groups, with its price multiplier. */
import { trimZeros } from '../../../data/money.ts';
import { SelectField } from '../../../kit/form.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';

export interface GroupFieldProps {
  readonly value: string;
  readonly onChange: (group: string) => void;
}
export function GroupField({ value, onChange }: GroupFieldProps) {
  const groups = useRead('listGroups').data?.data ?? [];
  const options = groups.map(({ name, multiplier }) => ({ value: name, label: `${name} (× ${trimZeros(multiplier)})` }));
  // The account's own group may no longer be configured.
  const own = groups.some(({ name }) => name === value) ? [] : [{ value, label: value }];
  return (
    <SelectField label={words.group} name="group" hint={words.groupHint} value={value} onChange={onChange} options={[...own, ...options]} />
  );
}
