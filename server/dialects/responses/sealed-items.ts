/** Items of a conversation that only one upstream can read, and their edits for another upstream. */
import type { Fields } from '../../../contract/rule.ts';
import { hasOwnMarks, type ItemEdit } from '../wire/input-edits.ts';

const sealedOf = ({ encrypted_content: sealed }: Fields): string | null => (typeof sealed === 'string' && sealed !== '' ? sealed : null);

/** The encrypted reasoning of an item; null where it has none. */
export const sealedReasoningOf = (item: Fields): string | null => (item.type === 'reasoning' ? sealedOf(item) : null);

/** Items whose id must stay: another item, or the upstream, refers to it. */
const linking = new Set<unknown>(['local_shell_call_output', 'mcp_approval_request']);

/** The edit of an item before it is sent; `lost` when it holds a whole conversation that the upstream cannot read. */
export function editOfItem(item: Fields, canOpen: (sealed: string) => boolean): ItemEdit | 'lost' {
  const sealed = sealedOf(item);
  const isOpen = sealed === null ? item.type !== 'reasoning' : canOpen(sealed);
  if (!isOpen && item.type === 'reasoning') return 'drop';
  if (!isOpen && item.type === 'compaction') return 'lost';
  return linking.has(item.type) || !hasOwnMarks(item) ? null : 'strip';
}
