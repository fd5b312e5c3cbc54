/**
 * Keeps the encrypted reasoning of chat responses that call tools. Chat has no field for it, but a model served over another protocol needs it when the
 * results come back. It is kept for a day by the IDs of the calls, which the caller sends with the results (decision 0004).
 */

import type { CanonicalEvent } from '../protocols/canonical/canonical-events.ts';
import type { EncryptedReasoning } from '../protocols/canonical/translate.ts';
import type { Recording } from './recording-reader.ts';
import type { HistoryStore } from './store.ts';

/** The reasoning before each tool call, by call ID. */
type ReasoningByCall = ReadonlyMap<string, readonly EncryptedReasoning[]>;

interface ReasoningOwner {
  readonly accountId: string;
  /** The only upstream that can decrypt the reasoning. */
  readonly upstream: string;
}

export interface ReasoningStore {
  /** Finds the reasoning that this upstream created for the tool calls. Empty if the store fails, because the request works without it. */
  find(owner: ReasoningOwner, callIds: readonly string[]): Promise<ReasoningByCall>;
  /** Resolves once the reasoning is on disk. The reasoning is lost if the store fails or the account is over its quota. Never rejects. */
  save(owner: ReasoningOwner, reasoning: ReasoningByCall): Promise<void>;
}

const DAY_SECONDS = 86_400;

/** `checkQuota` rejects if these bytes would exceed the account's quota. */
export function openReasoningStore(
  store: Pick<HistoryStore, 'save' | 'findItems'>,
  {
    newId: createRecordId,
    bounds: getRetention,
    checkQuota,
  }: { newId(): string; bounds(): { days: number }; checkQuota(accountId: string, bytes: number): Promise<void> },
): ReasoningStore {
  return {
    async find({ accountId, upstream }, callIds) {
      if (callIds.length === 0) return new Map();
      const storedItems = await store.findItems(accountId, callIds.map(toItemId)).catch(() => NO_ITEMS);
      return new Map(
        callIds.flatMap((callId) => {
          const storedItem = storedItems.get(toItemId(callId));
          return storedItem?.upstream === upstream ? [[callId, readItem(storedItem.item)] as const] : [];
        }),
      );
    },
    async save({ accountId, upstream }, thoughts) {
      const output = [...thoughts].map(([callId, kept]) => ({ id: toItemId(callId), type: 'reasoning', thoughts: kept }));
      // Backdated, so that the sweep of stored responses deletes it after one day.
      const createdAt = Math.floor(Date.now() / 1000) - (getRetention().days - 1) * DAY_SECONDS;
      const record = { id: createRecordId(), accountId, previousId: null, upstream, createdAt, input: [], response: { output } };
      await checkQuota(accountId, JSON.stringify(output).length)
        .then(() => store.save(record))
        .catch(() => undefined);
    },
  };
}

const NO_ITEMS: ReadonlyMap<string, { readonly item: string; readonly upstream: string }> = new Map();

/** The prefix keeps these IDs apart from the item IDs of upstreams. */
const toItemId = (callId: string): string => `thoughts:${callId}`;

/** `save` wrote this JSON. */
const readItem = (item: string): readonly EncryptedReasoning[] =>
  (JSON.parse(item) as { readonly thoughts: readonly EncryptedReasoning[] }).thoughts;

/** Collects the reasoning of one response, event by event. */
class ResponseReasoning {
  readonly #byCall = new Map<string, readonly EncryptedReasoning[]>();
  #paragraphs: string[] = [];
  #lastPart: number | null = null;
  #pendingItems: EncryptedReasoning[] = [];
  #hasText = false;

  add(event: CanonicalEvent): void {
    if (event.kind === 'reasoning') this.#addText(event.part, event.text);
    else if (event.kind === 'encrypted') this.#closeItem(event.encrypted);
    else if (event.kind === 'text') this.#hasText = true;
    else if (event.kind === 'call' && this.#pendingItems.length > 0) {
      this.#byCall.set(event.callId, this.#pendingItems);
      this.#pendingItems = [];
    }
  }

  get byCall(): ReasoningByCall {
    return this.#byCall;
  }

  #addText(part: number, text: string): void {
    if (part === this.#lastPart) this.#paragraphs[this.#paragraphs.length - 1] += text;
    else this.#paragraphs.push(text);
    this.#lastPart = part;
  }

  #closeItem(encrypted: string): void {
    this.#pendingItems.push({ summary: this.#paragraphs, encrypted, ...(this.#hasText && { isAfterText: true }) });
    this.#paragraphs = [];
    this.#lastPart = null;
  }
}

/** The reasoning stored for earlier responses of a chat, and the recording of this response. */
export interface ChatReasoning {
  readonly before: ReasoningByCall;
  add(event: CanonicalEvent): void;
  /** Leaves the response unchanged, and saves the reasoning before the end of the response is sent. */
  readonly recording: Recording;
}

export async function openChatReasoning(store: ReasoningStore, owner: ReasoningOwner, callIds: readonly string[]): Promise<ChatReasoning> {
  const earlierReasoning = await store.find(owner, callIds);
  const responseReasoning = new ResponseReasoning();
  const saveReasoning = async (): Promise<void> => {
    if (responseReasoning.byCall.size > 0) await store.save(owner, responseReasoning.byCall);
  };
  return {
    before: earlierReasoning,
    add: (event) => responseReasoning.add(event),
    recording: { echo: {}, save: null, note: null, saved: saveReasoning },
  };
}
