/** Stored conversations: resolves `previous_response_id` and item references before a call, and stores the response after it. */

import { findUnpairedItems, hasStoredContext } from '../../contract/responses/rules.ts';
import type { InputItemQuery } from '../../contract/responses/stored.ts';
import type { Model } from '../config/config.ts';
import { type CreateResponseCode, GatewayError, type OperationError, throwStoreDown } from '../primitives/errors.ts';
import type { Fields } from '../primitives/fields.ts';
import { randomHex } from '../primitives/random-hex.ts';
import { waitForTurn } from '../primitives/wait-for-turn.ts';
import {
  ENCRYPTED_REASONING,
  findReferencedId,
  isStorageRequested,
  readContinuation,
  requestEncryptedReasoning,
  withConversation,
} from '../protocols/responses/continuation.ts';
import { createEchoedFields } from '../protocols/responses/echoed-fields.ts';
import { editInput } from '../protocols/responses/edit-input.ts';
import { withoutEncrypted } from '../protocols/responses/stored-items.ts';
import type { JsonBody } from '../protocols/wire/json-body.ts';
import { withStoreTimeout } from '../store/errors.ts';
import { openReasoningStore, type ReasoningStore } from './chat-reasoning.ts';
import { readInputPage } from './input-page.ts';
import { findLatestItems, openCompactions } from './open-compactions.ts';
import { openQuota } from './quota.ts';
import { openReasoningOrigins, type ReasoningOrigins } from './reasoning-origins.ts';
import type { Recording } from './recording-reader.ts';
import type { HistoryReader, HistoryStore } from './store.ts';
import { createStoredItemReader, formatNotStored, type ItemWithOrigin } from './stored-items.ts';
import type { StoredResponse } from './stored-response.ts';
import type { SummarySeal } from './summary-seal.ts';
import { type Destination, decideEdit, losesReasoning, toUpstreamItems } from './upstream-items.ts';

export interface History {
  /** Called after a reload changes the bounds. */
  setBounds(bounds: HistoryBounds): void;
  /** Returns the full conversation of a request: the stored turns since its newest compaction, then the request's own input (`own`). */
  expand(reader: HistoryReader, body: Pick<JsonBody, 'value' | 'bytes'>, upstream: string): Promise<ExpandedInput>;
  /** Throws `storage_quota_exceeded` if these bytes would exceed the account's quota. */
  checkQuota(accountId: string, bytes: number): Promise<void>;
  /** Resolves once the response is on disk. Rejects with `overloaded` if the store fails. */
  save(record: StoredResponse): Promise<void>;
  /** Returns the stored JSON of a response. */
  find(reader: HistoryReader, id: string): Promise<Buffer>;
  /** Returns the upstream that created the response, or null if the response isn't stored. */
  findUpstream(accountId: string, id: string): Promise<string | null>;
  /**
   * Returns a page of the full input for a stored response, as the JSON of an `InputItemList`. The input is all earlier turns and the
   * response's own input. Throws as `find` does.
   */
  readInput(reader: HistoryReader, id: string, query: InputItemQuery): Promise<Buffer>;
  remove(accountId: string, id: string): Promise<void>;
  /** Remembers which upstream encrypted the reasoning that callers send back. */
  readonly origins: ReasoningOrigins;
  /** The encrypted reasoning of chat responses. */
  readonly thoughts: ReasoningStore;
}

interface ExpandedInput {
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
  /** Stored reasoning at the end of its response's output, with no other item after it. */
  readonly unfollowed: ReadonlySet<Fields>;
  /** The size of `own`, estimated before serialization. */
  readonly ownBytes: number;
  readonly previousId: string | null;
  /** Whether stored items were added, so that `items` may differ from the caller's input. */
  readonly isLonger: boolean;
  /** Whether reasoning was omitted because another upstream encrypted it. */
  readonly hasLostReasoning: boolean;
}

/** Bounds that a reload can change. */
export interface HistoryBounds {
  /** Maximum size of a request in bytes, including all stored content it references. */
  readonly maxBytes: number;
  /** Maximum stored bytes per account. 0 means unlimited. */
  readonly accountBytes: number;
  /** How long stored responses are kept. */
  readonly days: number;
}

/** For a request without stored turns: its input is the full conversation. The contract has already checked its calls and results. */
function toExpandedInput({ value, bytes }: Pick<JsonBody, 'value' | 'bytes'>): ExpandedInput {
  const { own: items } = readContinuation(value);
  return { items, own: items, unfollowed: new Set(), ownBytes: bytes.length, previousId: null, isLonger: false, hasLostReasoning: false };
}

/** `waitMs`: how long a response waits for the store. */
export function openHistory(store: HistoryStore, waitMs: number, initialBounds: HistoryBounds): History {
  let bounds = initialBounds;
  const quota = openQuota(store);
  return {
    setBounds(next) {
      bounds = next;
    },
    origins: openReasoningOrigins(),
    thoughts: openReasoningStore(
      { findItems: store.findItems, save: (record) => withStoreTimeout(store.save(record), waitMs) },
      {
        newId: () => `thoughts_${randomHex(12)}`,
        bounds: () => bounds,
        checkQuota: (accountId, bytes) => quota.checkQuota(accountId, bytes, bounds.accountBytes),
      },
    ),
    async expand(reader, body, upstream) {
      const { value, bytes } = body;
      if (!hasStoredContext(value)) return toExpandedInput(body);
      const { own: sentItems, previousId } = readContinuation(value);
      const storedItems = createStoredItemReader(store, reader, { ownBytes: bytes.length, maxBytes: bounds.maxBytes });
      const chainItems = previousId === null ? [] : await storedItems.chain(previousId);
      const references = await storedItems.references(sentItems);
      const filter = new ReasoningFilter(upstream);
      const latestItems = findLatestItems(chainItems);
      const earlierItems = latestItems.map((made) => filter.open(made));
      const ownItems = sentItems.map((item) => filter.open(resolveReference(item, references.items)));
      const items = [...earlierItems, ...ownItems];
      checkPairs(items, earlierItems.length);
      const unfollowed = new Set(earlierItems.filter((_, index) => latestItems[index]?.isUnfollowed));
      const ownBytes = bytes.length + references.bytes;
      return { items, own: ownItems, unfollowed, ownBytes, previousId, isLonger: true, hasLostReasoning: filter.hasLost };
    },
    checkQuota: (accountId, bytes) => quota.checkQuota(accountId, bytes, bounds.accountBytes),
    save: (record) => withStoreTimeout(store.save(record), waitMs).catch(throwStoreDown),
    async find({ accountId, share }, id) {
      const responseJson = await store.findResponseJson(accountId, id).catch(throwStoreDown);
      if (responseJson === undefined) throw createNotFoundError(id);
      share?.acquireStored(responseJson.length);
      return responseJson;
    },
    findUpstream: async (accountId, id) => (await store.findUpstream(accountId, id).catch(throwStoreDown)) ?? null,
    async readInput(reader, id, query) {
      const page = await readInputPage(store, { reader, id, query, maxBytes: bounds.maxBytes });
      if (!page) throw createNotFoundError(id);
      return page;
    },
    async remove(accountId, id) {
      if (!(await store.remove(accountId, id).catch(throwStoreDown))) throw createNotFoundError(id);
    },
  };
}

const createNotFoundError = (id: string): OperationError<'getResponse' | 'deleteResponse' | 'listInputItems', 404> =>
  new GatewayError('response_not_found', { message: formatNotStored(id) });

/** `upstream`: the upstream that created or received the item. Null for an item from the caller. */
type SentItem = ItemWithOrigin | { readonly item: Fields; readonly upstream: null };

/** Prepares stored items for an upstream: omits reasoning that another upstream encrypted, because this one can't read it. */
class ReasoningFilter {
  readonly #upstream: string;
  hasLost = false;

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  open({ item, upstream }: SentItem): Fields {
    if (upstream === null || upstream === this.#upstream) return item;
    const plainItem = withoutEncrypted(item);
    this.hasLost ||= plainItem !== item;
    return plainItem;
  }
}

function resolveReference(item: Fields, referencedItems: ReadonlyMap<string, ItemWithOrigin>): SentItem {
  const id = findReferencedId(item);
  const referencedItem = id === null ? undefined : referencedItems.get(id);
  return referencedItem ?? { item, upstream: null };
}

/** Applies the contract's rule on calls and results to a conversation that starts with stored turns. */
function checkPairs(items: readonly Fields[], first: number): void {
  const [issue] = findUnpairedItems(items, first);
  if (!issue) return;
  const [field, index] = issue.path;
  throw new GatewayError<CreateResponseCode>('invalid_value', {
    param: index === undefined ? String(field) : `${field}[${index}].call_id`,
    message: issue.message,
  });
}

export interface Conversation {
  /** The body for an upstream that stores nothing. The caller's own body if nothing needs to change. */
  readonly body: JsonBody;
  /** Null if the response isn't edited, isn't stored, and has no encrypted reasoning to record. */
  readonly recording: Recording | null;
  /** Parts of the conversation omitted because the upstream can't read them, for `x-modelgate-dropped`. */
  readonly dropped: readonly string[];
}

interface ConversationOptions {
  readonly body: JsonBody;
  readonly model: Model;
  /** Opens summaries of earlier parts of the conversation. */
  readonly seal: SummarySeal;
  /** Generates the response ID. */
  readonly marks: { newHex(bytes: number): string };
  /** The ID of a response that runs in the background. Undefined creates one. */
  readonly responseId?: string | undefined;
}

/**
 * Throws `previous_response_not_found` or `item_not_found`, 413 if the stored content is too large, and 403 if the account is over its
 * quota. Throws 400 for results without a call, calls without a result, and compacted conversations that can't be read.
 */
export async function openConversation(
  history: History,
  reader: HistoryReader,
  { body, model, seal, marks: idGenerator, responseId }: ConversationOptions,
): Promise<Conversation> {
  const { accountId } = reader;
  const expanded = await history.expand(reader, body, model.upstream);
  const isStored = isStorageRequested(body.value);
  if (isStored) await history.checkQuota(accountId, expanded.ownBytes);
  const { upstream, protocols } = model;
  const destination = { upstream, protocols, origins: history.origins, unfollowed: expanded.unfollowed };
  const items = openCompactions(expanded, { seal, accountId, destination });
  const isChanged = expanded.isLonger || items !== expanded.items;
  const sendableBody = toSendableBody(body, { items, isChanged }, destination);
  const hasLostReasoning = expanded.hasLostReasoning || expanded.items.some((item) => losesReasoning(item, destination));
  const recording = openRecording(history, {
    id: responseId ?? generateResponseId(idGenerator),
    accountId,
    model,
    expanded,
    isStored,
    isBackground: responseId !== undefined,
  });
  return {
    body: isStored ? requestEncryptedReasoning(sendableBody) : sendableBody,
    recording,
    dropped: hasLostReasoning ? [ENCRYPTED_REASONING] : [],
  };
}

/** Returns the body with the full conversation, except for items that its upstream can't read. */
function toSendableBody(
  body: JsonBody,
  { items, isChanged }: { readonly items: readonly Fields[]; readonly isChanged: boolean },
  destination: Destination,
): JsonBody {
  if (isChanged) return withConversation(body, toUpstreamItems(items, destination));
  // Other dialects read the items into a turn, which has no IDs.
  return destination.protocols.includes('responses') ? editInput(body, (item) => decideEdit(item, destination)) : body;
}

interface RecordingOptions {
  readonly id: string;
  readonly accountId: string;
  readonly model: Model;
  readonly expanded: ExpandedInput;
  readonly isStored: boolean;
  readonly isBackground: boolean;
}

/** In bytes. Serializing an input of this size takes many milliseconds. */
const LARGE_INPUT_BYTES = 1_048_576;

function openRecording(history: History, { id, accountId, model, expanded, isStored, isBackground }: RecordingOptions): Recording | null {
  const { own: ownItems, ownBytes, previousId } = expanded;
  const { upstream } = model;
  const note = model.protocols.includes('responses') ? (bytes: Buffer) => history.origins.recordOrigins(bytes, upstream) : null;
  let pendingSave = Promise.resolve();
  const saved = () => pendingSave;
  if (!isStored && previousId === null) return note && { echo: {}, save: null, saved, note };
  const echo = { ...createEchoedFields(id, isStored, previousId), ...(isBackground && { background: true }) };
  const save = (response: Fields): void => {
    const record = { id, accountId, previousId, upstream, createdAt: Math.floor(Date.now() / 1000), input: ownItems, response };
    pendingSave = ownBytes < LARGE_INPUT_BYTES ? history.save(record) : waitForTurn().then(() => history.save(record));
    // The caller of `saved` handles the failure.
    pendingSave.catch(() => {});
  };
  return { echo, save: isStored ? save : null, saved, note };
}

/** The gateway generates the ID: it must be unique here, and an upstream's IDs are unique only at that upstream. */
export const generateResponseId = (idGenerator: ConversationOptions['marks']) => `resp_${idGenerator.newHex(24)}`;
