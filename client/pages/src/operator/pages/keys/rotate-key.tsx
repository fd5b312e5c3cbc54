/** The dialog that replaces a key, and the one that shows the new key once, with the old key's expiry. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { SecretDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, SelectField, TextField } from '../../../kit/form.tsx';
import { SameAs } from '../../../kit/same-as.tsx';
import { Time } from '../../../kit/values.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { kit } from '../../../texts/kit.ts';
import { useChange } from '../../api.ts';
import { formatKeyName } from '../../reads/names.ts';
import type { KeyRow } from './key-details.tsx';
import { toEndTime } from './key-form.ts';

const DAY = '86400';
const HOUR_SECONDS = 3_600;
const formatOverlap = (seconds: string): string => (seconds === '0' ? '0' : `${Number(seconds) / HOUR_SECONDS}h`);

interface RotatedKey {
  readonly id: string;
  readonly key: string;
  readonly oldEnds: string | null;
}
export interface RotateKeyProps {
  readonly row: KeyRow;
  readonly onClose: () => void;
  /** Called with the new key's ID when the user confirms that it's stored. */
  readonly onStored: (id: string) => void;
}
export function RotateKey({ row, onClose, onStored }: RotateKeyProps) {
  const [overlap, setOverlap] = useState(DAY);
  const [expires, setExpires] = useState('');
  const [rotated, setRotated] = useState<RotatedKey | null>(null);
  const { mutate, isPending, error, reset } = useChange('rotateKey', ['listKeys', 'getKey', 'explainKey']);
  const body = { overlap_seconds: Number(overlap), ...(expires !== '' && { expires_at: toEndTime(expires) }) };
  const command = [
    'key',
    'rotate',
    row.id,
    '--overlap',
    formatOverlap(overlap),
    ...(expires === '' ? [] : ['--expires', toEndTime(expires)]),
  ];
  const rotate = () =>
    mutate(
      { params: { key_id: row.id }, body },
      {
        onSuccess: ({ id, key, replaces }) => {
          setRotated({ id, key, oldEnds: replaces.expires_at });
          reset();
        },
      },
    );
  if (rotated !== null)
    return (
      <SecretDialog title={words.rotatedTitle} secret={rotated.key} what={words.secret} onStored={() => onStored(rotated.id)}>
        <p>
          {words.oldKeyExpires} <Time at={rotated.oldEnds} />
        </p>
      </SecretDialog>
    );
  return (
    <Dialog title={words.rotateTitle(formatKeyName(row))} onClose={onClose}>
      <Form failure={error} onSubmit={rotate}>
        <p>{words.rotateEffect}</p>
        <SelectField
          label={words.overlap}
          name="overlap_seconds"
          value={overlap}
          onChange={setOverlap}
          options={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
        />
        <TextField
          label={words.newExpires}
          name="expires_at"
          type="date"
          hint={words.newExpiresHint}
          value={expires}
          onChange={setExpires}
        />
        <SameAs method="POST" path={`/admin/v1/keys/${row.id}/rotate`} body={body} command={command} />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isPending}>
            {words.rotate}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
