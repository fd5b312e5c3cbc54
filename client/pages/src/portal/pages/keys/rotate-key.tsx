/** The dialog that replaces a key, and the one that shows the new key once, with the old key's expiry. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { SecretDialog } from '../../../kit/decisions.tsx';
import { Dialog, DialogActions } from '../../../kit/dialog.tsx';
import { Form, SelectField } from '../../../kit/form.tsx';
import { Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { portalKeys as words } from '../../../texts/portal-keys.ts';
import { useChange } from '../../api.ts';
import type { KeyRow } from './key-details.tsx';

const DAY = '86400';

/** The own key can't end immediately, because its session would end before the new key is stored. */
const listOverlaps = ({ is_own: isOwn }: KeyRow) =>
  Object.entries(words.overlaps)
    .filter(([value]) => !isOwn || value !== '0')
    .map(([value, label]) => ({ value, label }));

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
  const [rotated, setRotated] = useState<RotatedKey | null>(null);
  const { mutate, isPending, error, reset } = useChange('rotateKey', ['listKeys']);
  const rotate = () =>
    mutate(
      { params: { key_id: row.id }, body: { overlap_seconds: Number(overlap) } },
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
    <Dialog title={words.rotateTitle(row.name)} onClose={onClose}>
      <Form failure={error} onSubmit={rotate}>
        <p>{words.rotateEffect}</p>
        {row.is_own && <p>{words.rotateOwn}</p>}
        <SelectField label={words.overlap} name="overlap_seconds" value={overlap} onChange={setOverlap} options={listOverlaps(row)} />
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
