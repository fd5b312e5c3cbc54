/** The dialog that revokes a key, with the calls of the last hour. */
import { useState } from 'react';
import { DangerDialog } from '../../../kit/decisions.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { useChange, useRead } from '../../api.ts';
import { formatKeyName } from '../../reads/names.ts';
import type { KeyRow } from './key-details.tsx';

const HOUR_MS = 3_600_000;

export function RevokeKey({ row, onClose }: { readonly row: KeyRow; readonly onClose: () => void }) {
  const name = formatKeyName(row);
  const { mutate, isPending, error } = useChange('revokeKey', ['listKeys', 'getKey', 'explainKey']);
  const [from] = useState(() => new Date(Date.now() - HOUR_MS).toISOString());
  const calls = useRead('listRequests', { query: { key_id: row.id, from, limit: 1_000 } });
  const revoke = () =>
    mutate(
      { params: { key_id: row.id } },
      {
        onSuccess: () => {
          showToast(words.revoked(name));
          onClose();
        },
      },
    );
  return (
    <DangerDialog
      title={words.revokeTitle(name)}
      name={name}
      action={words.revoke}
      onConfirm={revoke}
      onClose={onClose}
      isBusy={isPending}
      failure={error}
    >
      {calls.data && (
        <p>
          <strong>{words.callsWithKey(words.countCalls(calls.data.data.length, calls.data.has_more))}</strong>
        </p>
      )}
      <p>{words.revokeEffect}</p>
    </DangerDialog>
  );
}
