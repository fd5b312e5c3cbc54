/** What of a conversation may go to an upstream that keeps nothing for us: no ids of another store, no thoughts of another maker. */
import type { Fields } from '../../contract/rule.ts';
import { editOfItem, sealedReasoningOf } from '../dialects/responses/sealed-items.ts';
import { isSealedBy, isSealedHere } from '../dialects/turn/encrypted-reasoning.ts';
import { editItem, type ItemEdit } from '../dialects/wire/input-edits.ts';
import { type CreateResponseCode, GatewayError } from '../errors.ts';
import type { ReasoningOrigins } from './reasoning-origins.ts';

/** Where a turn goes. */
export interface Destination {
  /** The name of the upstream. */
  readonly upstream: string;
  readonly protocols: readonly string[];
  readonly origins: ReasoningOrigins;
}

/** What no one remembers may be from anywhere: the upstream judges it. */
function canOpen(sealed: string, { upstream, protocols, origins }: Destination): boolean {
  if (!protocols.includes('responses')) return protocols.some((protocol) => isSealedBy(protocol, sealed));
  return !isSealedHere(sealed) && (origins.originOf(sealed) ?? upstream) === upstream;
}

/** Whether an item carries sealed thoughts that its destination could not open: they are left out. */
export function losesSeal(item: Fields, to: Destination): boolean {
  const sealed = sealedReasoningOf(item);
  return sealed !== null && !canOpen(sealed, to);
}

/** Throws where a whole conversation is packed into an item that its destination cannot open. */
export function editOf(item: Fields, to: Destination): ItemEdit {
  const edit = editOfItem(item, (sealed) => canOpen(sealed, to));
  if (edit === 'lost') throw lostConversation();
  return edit;
}

const lostConversation = () =>
  new GatewayError<CreateResponseCode>('invalid_value', {
    param: 'input',
    message: "The 'compaction' was made by another upstream, and no other can read it: send the conversation itself.",
  });

/** Items as their destination takes them. */
export const itemsFor = (items: readonly Fields[], to: Destination): readonly Fields[] =>
  items.flatMap((item) => editItem(item, editOf(item, to)));
