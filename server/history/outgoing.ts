/** What of a conversation may go to an upstream that keeps nothing for us: no ids of another store, no thoughts of another maker. */
import type { Fields } from '../../contract/rule.ts';
import { isSealedBy, isSealedHere } from '../dialects/turn/encrypted-reasoning.ts';
import { editItem, hasOwnMarks, type ItemEdit } from '../dialects/wire/input-edits.ts';
import { GatewayError } from '../errors.ts';
import type { ReasoningOrigins } from './reasoning-origins.ts';

/** Where a turn goes. */
export interface Destination {
  /** The name of the upstream. */
  readonly upstream: string;
  readonly protocols: readonly string[];
  readonly origins: ReasoningOrigins;
}

const sealedOf = ({ encrypted_content: sealed }: Fields): string | null => (typeof sealed === 'string' && sealed !== '' ? sealed : null);

/** What no one remembers may be from anywhere: the upstream judges it. */
function canOpen(sealed: string, { upstream, protocols, origins }: Destination): boolean {
  if (!protocols.includes('responses')) return protocols.some((protocol) => isSealedBy(protocol, sealed));
  return !isSealedHere(sealed) && (origins.originOf(sealed) ?? upstream) === upstream;
}

/** Whether an item carries sealed thoughts that its destination could not open: they are left out. */
export function losesSeal(item: Fields, to: Destination): boolean {
  const sealed = item.type === 'reasoning' ? sealedOf(item) : null;
  return sealed !== null && !canOpen(sealed, to);
}

/** Items whose id is no name of their own: another item or the upstream finds its partner by it. */
const linking = new Set<unknown>(['local_shell_call_output', 'mcp_approval_request']);

/** Throws where a whole conversation is packed into an item that its destination cannot open. */
export function editOf(item: Fields, to: Destination): ItemEdit {
  const sealed = sealedOf(item);
  const isOpen = sealed === null ? item.type !== 'reasoning' : canOpen(sealed, to);
  if (!isOpen && item.type === 'reasoning') return 'drop';
  if (!isOpen && item.type === 'compaction') throw lostConversation();
  return linking.has(item.type) || !hasOwnMarks(item) ? null : 'strip';
}

const lostConversation = () =>
  new GatewayError('invalid_value', {
    param: 'input',
    message: "The 'compaction' was made by another upstream, and no other can read it: send the conversation itself.",
  });

/** Items as their destination takes them. */
export const itemsFor = (items: readonly Fields[], to: Destination): readonly Fields[] =>
  items.flatMap((item) => editItem(item, editOf(item, to)));
