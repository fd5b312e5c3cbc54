/** Prepares the items of a conversation for an upstream that stores nothing: without ids of another store, and without encrypted reasoning of another upstream. */
import type { Fields } from '../../contract/rule.ts';
import { editOfItem, encryptedReasoningOf } from '../dialects/responses/encrypted-items.ts';
import { isPackedBy, isPackedHere } from '../dialects/turn/encrypted-reasoning.ts';
import { editItem, type ItemEdit } from '../dialects/wire/input-edits.ts';
import { type CreateResponseCode, GatewayError } from '../errors.ts';
import type { ReasoningOrigins } from './reasoning-origins.ts';

/** The upstream that a turn goes to. */
export interface Destination {
  /** The name of the upstream. */
  readonly upstream: string;
  readonly protocols: readonly string[];
  readonly origins: ReasoningOrigins;
}

/** Reasoning of unknown origin is sent on: the upstream decides about it. */
function canOpen(encrypted: string, { upstream, protocols, origins }: Destination): boolean {
  if (!protocols.includes('responses')) return protocols.some((protocol) => isPackedBy(protocol, encrypted));
  return !isPackedHere(encrypted) && (origins.originOf(encrypted) ?? upstream) === upstream;
}

/** Whether an item has encrypted reasoning that its destination cannot read, and that is therefore left out. */
export function losesReasoning(item: Fields, to: Destination): boolean {
  const encrypted = encryptedReasoningOf(item);
  return encrypted !== null && !canOpen(encrypted, to);
}

/** Throws when the item holds a whole encrypted conversation (`compaction`) that its destination cannot read. */
export function editOf(item: Fields, to: Destination): ItemEdit {
  const edit = editOfItem(item, (encrypted) => canOpen(encrypted, to));
  if (edit === 'lost') throw lostConversation();
  return edit;
}

const lostConversation = () =>
  new GatewayError<CreateResponseCode>('invalid_value', {
    param: 'input',
    message: "The 'compaction' was made by another upstream, and no other can read it: send the conversation itself.",
  });

/** The items in the form that their destination accepts. */
export const itemsFor = (items: readonly Fields[], to: Destination): readonly Fields[] =>
  items.flatMap((item) => editItem(item, editOf(item, to)));
