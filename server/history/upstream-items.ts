/** Decides which items of a conversation an upstream can read, and edits or removes the others. */

import type { Fields } from '../primitives/fields.ts';
import { getReasoningProvider, isPackedBy, isPackedReasoning } from '../protocols/canonical/packed-reasoning.ts';
import { editItem, getItemEdit, type ItemEdit } from '../protocols/responses/edit-input.ts';
import { findEncryptedReasoning } from '../protocols/responses/stored-items.ts';
import type { ReasoningOrigins } from './reasoning-origins.ts';

/** The upstream that receives the conversation. */
export interface Destination {
  /** The upstream's name. */
  readonly upstream: string;
  readonly protocols: readonly string[];
  readonly origins: ReasoningOrigins;
  /** Stored reasoning with no other item after it in its response. Defaults to none. */
  readonly unfollowed?: ReadonlySet<Fields>;
}

/** Reasoning of unknown origin is forwarded, and the upstream accepts or rejects it. */
export function canDecrypt(encrypted: string, { upstream, protocols, origins }: Destination): boolean {
  if (!protocols.includes('responses'))
    return protocols.some((protocol) => isPackedBy(getReasoningProvider(protocol, upstream), encrypted));
  return !isPackedReasoning(encrypted) && (origins.findOrigin(encrypted) ?? upstream) === upstream;
}

/**
 * Only upstreams with the Responses protocol reject reasoning at the end of a response. In other protocols, such reasoning can be, for example, the
 * signature of the text.
 */
const isRejected = (item: Fields, { protocols, unfollowed: trailingReasoning }: Destination): boolean =>
  protocols.includes('responses') && trailingReasoning?.has(item) === true;

/** Whether an item's encrypted reasoning must be omitted, because its destination can't decrypt it or would reject it. */
export function losesReasoning(item: Fields, destination: Destination): boolean {
  const encrypted = findEncryptedReasoning(item);
  return encrypted !== null && (isRejected(item, destination) || !canDecrypt(encrypted, destination));
}

export function decideEdit(item: Fields, destination: Destination): ItemEdit {
  if (isRejected(item, destination)) return 'drop';
  return getItemEdit(item, (encrypted) => canDecrypt(encrypted, destination));
}

/** Converts the items to the form that their destination accepts. */
export const toUpstreamItems = (items: readonly Fields[], destination: Destination): readonly Fields[] =>
  items.flatMap((item) => editItem(item, decideEdit(item, destination)));
