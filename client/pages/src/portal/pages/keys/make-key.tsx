/** The dialog that creates a key, and the one that shows it once. Only this component's state contains the key. */
import { useState } from 'react';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Input } from '../../../data/contract-types.ts';
import { Button } from '../../../kit/button.tsx';
import { SecretDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { CheckField, Form, TextField } from '../../../kit/form.tsx';
import { CapFields, isSameCaps, noCaps, type TypedCaps, toCapsInput } from '../../../kit/spending-caps.tsx';
import { kit } from '../../../texts/kit.ts';
import { portalKeys as words } from '../../../texts/portal-keys.ts';
import { useChange } from '../../api.ts';
import type { KeyRow } from './key-details.tsx';

const empty = { name: '', models: '', expires: '', requests: '', tokens: '', addresses: '' };
type KeyForm = typeof empty;
interface ChosenSettings {
  readonly caps: TypedCaps;
  readonly mayStore: boolean;
  readonly mayManage: boolean;
}

const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** Empty fields aren't sent, so that the own key's values apply. */
function toBody(
  { name, models, expires, requests, tokens, addresses }: KeyForm,
  { caps, mayStore, mayManage }: ChosenSettings,
  own: KeyRow,
) {
  const permissions = {
    ...(splitWords(models).length > 0 && { models: splitWords(models) }),
    ...(mayStore !== own.permissions.may_store && { may_store: mayStore }),
    ...(mayManage && { manage_keys: true }),
  };
  const limits = {
    ...(requests !== '' && { requests_per_minute: Number(requests) }),
    ...(tokens !== '' && { tokens_per_minute: Number(tokens) }),
  };
  const body: Input<PortalContract['createKey']>['body'] = {
    name: name.trim(),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(splitWords(addresses).length > 0 && { ip_ranges: splitWords(addresses) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(!isSameCaps(caps, noCaps) && { spending_caps: toCapsInput(caps) }),
    ...(expires !== '' && { expires_at: `${expires}T23:59:59Z` }),
  };
  return body;
}

export interface MakeKeyProps {
  /** The key you signed in with. */
  readonly own: KeyRow;
  readonly mayDelegate: boolean;
  readonly onClose: () => void;
}

export function MakeKey({ own, mayDelegate, onClose }: MakeKeyProps) {
  const [typed, setTyped] = useState(empty);
  const [chosen, setChosen] = useState<ChosenSettings>({ caps: noCaps, mayStore: own.permissions.may_store, mayManage: false });
  const [secret, setSecret] = useState<string | null>(null);
  const { mutate, isPending, error, reset } = useChange('createKey', ['listKeys']);
  const onSuccess = ({ key }: { readonly key: string }) => {
    setSecret(key);
    reset();
  };
  if (secret !== null) return <SecretDialog title={words.createdTitle} secret={secret} what={words.secret} onStored={onClose} />;
  const getFieldProps = (name: keyof KeyForm) => ({
    value: typed[name],
    onChange: (value: string) => setTyped((now) => ({ ...now, [name]: value })),
  });
  const number = { type: 'number', min: 1, inputMode: 'numeric' } as const;
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form onSubmit={() => mutate({ body: toBody(typed, chosen, own) }, { onSuccess })} failure={error}>
        <p className="soft">{words.inheritHint}</p>
        <TextField label={words.name} name="name" hint={words.nameHint} isRequired maxLength={100} {...getFieldProps('name')} />
        <TextField label={words.models} name="permissions.models" hint={words.modelsHint} {...getFieldProps('models')} />
        <TextField label={words.expires} name="expires_at" type="date" hint={words.expiresHint} {...getFieldProps('expires')} />
        <CapFields value={chosen.caps} onChange={(caps) => setChosen((now) => ({ ...now, caps }))} />
        <details className="more-fields">
          <summary>{words.more}</summary>
          <div className="stack wide">
            <div className="field-row">
              <TextField label={words.requests} name="limits.requests_per_minute" {...number} {...getFieldProps('requests')} />
              <TextField label={words.tokens} name="limits.tokens_per_minute" {...number} {...getFieldProps('tokens')} />
            </div>
            <TextField label={words.addresses} name="ip_ranges" hint={words.addressesHint} {...getFieldProps('addresses')} />
            {own.permissions.may_store && (
              <CheckField
                label={words.allowStore}
                isChecked={chosen.mayStore}
                onChange={(mayStore) => setChosen((now) => ({ ...now, mayStore }))}
              />
            )}
            {mayDelegate && (
              <CheckField
                label={words.allowManageKeys}
                isChecked={chosen.mayManage}
                onChange={(mayManage) => setChosen((now) => ({ ...now, mayManage }))}
              />
            )}
          </div>
        </details>
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
