/** Opens the compacted conversations that the gateway sealed, and rejects those that an upstream can't read. */

import { type CreateResponseCode, GatewayError } from '../primitives/errors.ts';
import type { Fields } from '../primitives/fields.ts';
import { getCompactionPath, isCompactionItem, isCompactionTrigger, writeSummaryMessage } from '../protocols/responses/compaction-items.ts';
import { PREVIOUS_ID_FIELD } from '../protocols/responses/continuation.ts';
import { findEncrypted } from '../protocols/responses/stored-items.ts';
import { isSealedSummary, type SummarySeal } from './summary-seal.ts';
import { canDecrypt, type Destination } from './upstream-items.ts';

interface CompactedConversation {
  /** All items: the stored ones, then the request's own. */
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
}

interface Opening {
  readonly seal: SummarySeal;
  readonly accountId: string;
  readonly destination: Destination;
}

/** Replaces each sealed summary by a message. Returns the same list if there's none. */
export function openCompactions({ items, own }: CompactedConversation, opening: Opening): readonly Fields[] {
  if (!items.some(isCompactionItem)) return items;
  const firstOwnIndex = items.length - own.length;
  return items.map((item, index) => {
    if (!isCompactionItem(item)) return item;
    return openCompaction(item, opening, index < firstOwnIndex ? PREVIOUS_ID_FIELD : getCompactionPath(index - firstOwnIndex));
  });
}

function openCompaction(item: Fields, { seal, accountId, destination }: Opening, param: string): Fields {
  const encrypted = findEncrypted(item);
  if (isSealedSummary(encrypted)) {
    const summary = seal.open(accountId, encrypted);
    if (summary === null) throw createUnreadableError(param, 'It was changed, or created for another account. Send it as you received it.');
    return writeSummaryMessage(summary);
  }
  const isReadable = encrypted === null || canDecrypt(encrypted, destination);
  if (isReadable && destination.protocols.includes('responses')) return item;
  throw createUnreadableError(param, 'It was created by another upstream, and only that upstream can read it. Send the full conversation.');
}

const createUnreadableError = (param: string, reason: string) =>
  new GatewayError<CreateResponseCode>('invalid_value', { param, message: `The 'compaction' item can't be read. ${reason}` });

/** The stored items that a conversation continues from: those since its newest compaction, without the requests for one. */
export function findLatestItems<Stored extends { readonly item: Fields }>(stored: readonly Stored[]): readonly Stored[] {
  const compactionIndex = stored.findLastIndex(({ item }) => isCompactionItem(item));
  return stored.slice(Math.max(compactionIndex, 0)).filter(({ item }) => !isCompactionTrigger(item));
}
