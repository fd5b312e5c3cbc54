/** Items of a conversation that only one upstream can read, and their edits for another upstream. */
import type { Fields } from '../../../contract/rule.ts';
import { hasOwnMarks, type ItemEdit } from '../wire/input-edits.ts';

const encryptedOf = ({ encrypted_content: encrypted }: Fields): string | null =>
  typeof encrypted === 'string' && encrypted !== '' ? encrypted : null;

/** The encrypted reasoning of an item; null where it has none. */
export const encryptedReasoningOf = (item: Fields): string | null => (item.type === 'reasoning' ? encryptedOf(item) : null);

/** Items whose id must stay: another item, or the upstream, refers to it. */
const linking = new Set<unknown>(['local_shell_call_output', 'mcp_approval_request']);

/** The edit of an item before it is sent; `lost` when it holds a whole conversation that the upstream cannot read. */
export function editOfItem(item: Fields, canOpen: (encrypted: string) => boolean): ItemEdit | 'lost' {
  const encrypted = encryptedOf(item);
  const isOpen = encrypted === null ? item.type !== 'reasoning' : canOpen(encrypted);
  if (!isOpen && item.type === 'reasoning') return 'drop';
  if (!isOpen && item.type === 'compaction') return 'lost';
  return linking.has(item.type) || !hasOwnMarks(item) ? null : 'strip';
}
