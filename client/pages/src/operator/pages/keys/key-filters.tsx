/** Filters of the key list, which are in the URL. */
import { Button } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/form.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { useRead } from '../../api.ts';
import type { KeyRow } from './key-details.tsx';

export const keyStates = ['active', 'suspended', 'expired', 'revoked'] as const satisfies readonly KeyRow['state'][];

export interface KeyFilter {
  readonly q: string;
  readonly state: '' | KeyRow['state'];
  readonly account: string;
}
export interface KeyFiltersProps {
  readonly filter: KeyFilter;
  readonly onChange: (change: Partial<KeyFilter>, options?: { readonly replace: boolean }) => void;
}
export function KeyFilters({ filter, onChange }: KeyFiltersProps) {
  return (
    <search className="filters">
      <TextField label={words.search} name="q" value={filter.q} onChange={(q) => onChange({ q }, { replace: true })} />
      <SelectField
        label={words.state}
        name="state"
        value={filter.state}
        // `as`: the options are the states.
        onChange={(state) => onChange({ state: state as KeyFilter['state'] })}
        options={[{ value: '', label: words.allStates }, ...keyStates.map((state) => ({ value: state, label: kit.keyStates[state] }))]}
      />
      {filter.account !== '' && (
        <span className="row">
          <AccountName id={filter.account} /> <Button onClick={() => onChange({ account: '' })}>{words.showAllAccounts}</Button>
        </span>
      )}
    </search>
  );
}

/** Shows the ID until the name is loaded, or if it can't be. */
function AccountName({ id }: { readonly id: string }) {
  const { data } = useRead('getAccount', { params: { account_id: id } });
  return words.onlyAccount(data?.name ?? id);
}
