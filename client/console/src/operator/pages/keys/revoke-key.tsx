/** The dialog that revokes a key. */
import { DangerDialog } from '../../../kit/decisions.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { useChange } from '../../api.ts';
import type { KeyRow } from './key-details.tsx';

export function RevokeKey({ row, onClose }: { readonly row: KeyRow; readonly onClose: () => void }) {
  const { mutate, isPending, error } = useChange('revokeKey', ['listKeys']);
  const revoke = () =>
    mutate(
      { params: { key_id: row.id } },
      {
        onSuccess: () => {
          showToast(words.revoked(row.name));
          onClose();
        },
      },
    );
  return (
    <DangerDialog
      title={words.revokeTitle(row.name)}
      name={row.name}
      action={words.revoke}
      onConfirm={revoke}
      onClose={onClose}
      isBusy={isPending}
      failure={error}
    >
      <p>{words.revokeEffect}</p>
    </DangerDialog>
  );
}
