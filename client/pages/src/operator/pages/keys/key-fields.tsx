/** Form fields for creating and editing a key, except the account. */
import { CheckField, TextField } from '../../../kit/form.tsx';
import { CapFields } from '../../../kit/spending-caps.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { LimitFields } from '../../parts/limit-fields.tsx';
import { type KeyForm, operations } from './key-form.ts';
import { MatchingModels } from './matching-models.tsx';

export interface KeyFieldsProps {
  readonly form: KeyForm;
  readonly onChange: (change: Partial<KeyForm>) => void;
  /** Whether rarely used fields are expanded. */
  readonly isOpen?: boolean;
  /** The account's group, if known. */
  readonly group?: string | undefined;
}
export function KeyFields({ form, onChange, isOpen = false, group }: KeyFieldsProps) {
  return (
    <>
      <TextField
        label={words.name}
        name="name"
        hint={words.nameHint}
        isRequired
        maxLength={100}
        value={form.name}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={words.models}
        name="permissions.models"
        hint={words.modelsHint}
        value={form.models}
        onChange={(models) => onChange({ models })}
      />
      <MatchingModels typed={form.models} group={group} />
      <CapFields value={form.caps} onChange={(caps) => onChange({ caps })} />
      <TextField
        label={words.expires}
        name="expires_at"
        type="date"
        hint={words.expiresHint}
        value={form.expires}
        onChange={(expires) => onChange({ expires })}
      />
      <details className="more-fields" open={isOpen}>
        <summary>{words.more}</summary>
        <RarerFields form={form} onChange={onChange} />
      </details>
    </>
  );
}

function RarerFields({ form, onChange }: Pick<KeyFieldsProps, 'form' | 'onChange'>) {
  return (
    <div className="stack wide">
      <LimitFields value={form.limits} onChange={(limits) => onChange({ limits })} />
      <TextField
        label={words.addresses}
        name="ip_ranges"
        hint={words.addressesHint}
        value={form.addresses}
        onChange={(addresses) => onChange({ addresses })}
      />
      <fieldset className="fields">
        <legend>{words.operations}</legend>
        <p className="soft small">{words.operationsHint}</p>
        <div className="choices">
          {operations.map((operation) => (
            <CheckField
              key={operation}
              label={words.operationNames[operation]}
              isChecked={form.operations.includes(operation)}
              onChange={(isChecked) =>
                onChange({ operations: operations.filter((one) => (one === operation ? isChecked : form.operations.includes(one))) })
              }
            />
          ))}
        </div>
      </fieldset>
      <CheckField label={words.canStore} isChecked={form.mayStore} onChange={(mayStore) => onChange({ mayStore })} />
      <CheckField
        label={words.canManageKeys}
        hint={words.canManageKeysHint}
        isChecked={form.manageKeys}
        onChange={(manageKeys) => onChange({ manageKeys })}
      />
    </div>
  );
}
