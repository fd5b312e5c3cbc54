/** The dialog that suspends an account, with the number of keys it disables. */
import { DangerDialog } from '../../../kit/decisions.tsx';
import { showToast } from '../../../kit/toast.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useChange, useRead } from '../../api.ts';
import type { AccountRow } from './account-row.ts';

export function SuspendAccount({ row, onClose }: { readonly row: AccountRow; readonly onClose: () => void }) {
  const { mutate, isPending, error } = useChange('editAccount', ['listAccounts', 'getAccount', 'listKeys']);
  const keys = useRead('listKeys', { query: { account_id: row.id, limit: 1_000 } });
  const working = keys.data?.data.filter(({ state }) => state === 'active').length;
  const counted = working === undefined ? words.allKeys : words.workingKeys(working, keys.data?.has_more ?? false);
  const suspend = () =>
    mutate(
      { params: { account_id: row.id }, body: { suspended: true } },
      {
        onSuccess: () => {
          showToast(words.suspended(row.name));
          onClose();
        },
      },
    );
  return (
    <DangerDialog
      title={words.suspendTitle(row.name)}
      name={row.name}
      action={words.suspend}
      onConfirm={suspend}
      onClose={onClose}
      isBusy={isPending}
      failure={error}
    >
      <p>{words.suspendEffect(counted)}</p>
    </DangerDialog>
  );
}
