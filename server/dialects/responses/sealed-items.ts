/** Items of a conversation that one upstream alone can read, and what has to change in them for another. */
import type { Fields } from '../../../contract/rule.ts';
import { hasOwnMarks, type ItemEdit } from '../wire/input-edits.ts';

const sealedOf = ({ encrypted_content: sealed }: Fields): string | null => (typeof sealed === 'string' && sealed !== '' ? sealed : null);

/** The encrypted reasoning of an item; null where it has none. */
export const sealedReasoningOf = (item: Fields): string | null => (item.type === 'reasoning' ? sealedOf(item) : null);

/** Items whose id is no name of their own: another item or the upstream finds its partner by it. */
const linking = new Set<unknown>(['local_shell_call_output', 'mcp_approval_request']);

/** What happens to an item on its way; `lost` where it holds a whole conversation that its destination cannot read. */
export function editOfItem(item: Fields, canOpen: (sealed: string) => boolean): ItemEdit | 'lost' {
  const sealed = sealedOf(item);
  const isOpen = sealed === null ? item.type !== 'reasoning' : canOpen(sealed);
  if (!isOpen && item.type === 'reasoning') return 'drop';
  if (!isOpen && item.type === 'compaction') return 'lost';
  return linking.has(item.type) || !hasOwnMarks(item) ? null : 'strip';
}
