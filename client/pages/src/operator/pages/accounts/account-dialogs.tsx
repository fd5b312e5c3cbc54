/** The dialogs of one account, by their name in the URL. */

import type { AccountRow } from './account-row.ts';
import { AdjustBalance } from './adjust-balance.tsx';
import { EditAccount } from './edit-account.tsx';
import { NewSubscription } from './new-subscription.tsx';
import { SuspendAccount } from './suspend-account.tsx';

export interface AccountDialogsProps {
  readonly row: AccountRow;
  readonly dialog: string;
  readonly onClose: () => void;
}
export function AccountDialogs({ row, dialog, onClose }: AccountDialogsProps) {
  if (dialog === 'top-up') return <AdjustBalance row={row} kind="top_up" onClose={onClose} />;
  if (dialog === 'adjust') return <AdjustBalance row={row} kind="correction" onClose={onClose} />;
  if (dialog === 'edit') return <EditAccount row={row} onClose={onClose} />;
  if (dialog === 'suspend') return <SuspendAccount row={row} onClose={onClose} />;
  if (dialog === 'subscribe') return <NewSubscription row={row} onClose={onClose} />;
  return null;
}
