/** Filters of the account list, which are in the URL. */
import { SelectField, TextField } from '../../../kit/form.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import { type AccountFilter, type AccountState, accountStates } from './account-row.ts';

export interface AccountFiltersProps {
  readonly filter: AccountFilter;
  readonly onChange: (change: Partial<AccountFilter>, options?: { readonly replace: boolean }) => void;
}
export function AccountFilters({ filter, onChange }: AccountFiltersProps) {
  const groups = useRead('listGroups');
  const names = groups.data?.data.map(({ name }) => name) ?? [];
  return (
    <search className="filters">
      <TextField label={words.search} name="q" value={filter.q} onChange={(q) => onChange({ q }, { replace: true })} />
      <SelectField
        label={words.group}
        name="group"
        value={filter.group}
        onChange={(group) => onChange({ group })}
        options={[{ value: '', label: words.allGroups }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <SelectField
        label={words.state}
        name="state"
        value={filter.state}
        // `as`: the options are the states.
        onChange={(state) => onChange({ state: state as '' | AccountState })}
        options={[{ value: '', label: words.allStates }, ...accountStates.map((state) => ({ value: state, label: words.states[state] }))]}
      />
    </search>
  );
}
