/** Stored conversations: resolves `previous_response_id` and item references before a call, and stores the response after it. */
import { findUnpaired, reachesBack } from '../../contract/responses/rules.ts';
import type { InputItemQuery } from '../../contract/responses/stored.ts';
import type { Model } from '../config/config.ts';
import {
  askingForEncrypted,
  asksToStore,
  ENCRYPTED_REASONING,
  readContinuation,
  referenceOf,
  STORE,
  withConversation,
  withoutEncrypted,
} from '../dialects/responses/read-request.ts';
import { echoedFields } from '../dialects/responses/relay.ts';
import { editOfItem, encryptedReasoningOf } from '../dialects/responses/write-request.ts';
import { eachEncrypted, fingerprintOf, isPackedBy, isPackedHere } from '../dialects/turn/tools.ts';
import { editInput, editItem, type ItemEdit, type JsonBody } from '../dialects/wire/json-body.ts';
import { type CreateResponseCode, type ErrorOf, GatewayError, storeFailed } from '../errors.ts';
import type { Fields } from '../primitives/fields.ts';
import { ownTurn, randomHex } from '../primitives/shared-timeout.ts';
import type { RequestContext } from '../request/context.ts';
import { within } from '../storage/errors.ts';
import { type ItemWithOrigin, notStored, openStoredItems, pageOf } from './items.ts';
import type { HistoryStore, Reader, Recording, StoredResponse } from './recorder.ts';
import { openThoughts, type ThoughtStore } from './thoughts.ts';

export interface History {
  /** A reload has changed the bounds. */
  adopt(bounds: HistoryBounds): void;
  /** The whole conversation of a request: the stored turns before it, then its own input (`own`). */
  expand(reader: Reader, body: Pick<JsonBody, 'value' | 'bytes'>, upstream: string): Promise<Expanded>;
  /** Throws `storage_quota_exceeded` when so many more bytes exceed what the account may store. */
  checkQuota(accountId: string, bytes: number): Promise<void>;
  /** On disk when it resolves; rejects with `overloaded` when the store fails. */
  save(record: StoredResponse): Promise<void>;
  /** The stored JSON of a response. */
  find(reader: Reader, id: string): Promise<Buffer>;
  /** The upstream that answered; null if the response isn't stored. */
  upstreamOf(accountId: string, id: string): Promise<string | null>;
  /** A page of the model's whole input for a stored response, the turns before it and its own input, as the JSON of an `InputItemList`. Throws as `find` does. */
  inputOf(reader: Reader, id: string, query: InputItemQuery): Promise<Buffer>;
  remove(accountId: string, id: string): Promise<void>;
  /** Which upstream made the encrypted reasoning that callers send back themselves. */
  readonly origins: ReasoningOrigins;
  /** The encrypted reasoning of chat responses. */
  readonly thoughts: ThoughtStore;
}

interface Expanded {
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
  /** The size of `own`, estimated before it is written. */
  readonly ownBytes: number;
  readonly previousId: string | null;
  /** Whether stored items were read, so that `items` may differ from what the caller sent. */
  readonly isLonger: boolean;
  /** Whether reasoning that another upstream encrypted was omitted. */
  readonly hasLostReasoning: boolean;
}

/** Bounds that a reload may change. */
export interface HistoryBounds {
  /** Maximum size of a request, including everything that it references, in bytes. */
  readonly maxBytes: number;
  /** The most that an account may store; 0: unlimited. */
  readonly accountBytes: number;
  /** How long stored responses are kept. */
  readonly days: number;
}

/** A request without stored turns is its own conversation; the contract has checked its calls and results. */
function withoutHistory({ value, bytes }: Pick<JsonBody, 'value' | 'bytes'>): Expanded {
  const { own: items } = readContinuation(value);
  return { items, own: items, ownBytes: bytes.length, previousId: null, isLonger: false, hasLostReasoning: false };
}

/** `waitMs`: how long a response waits until it is stored. */
export function openHistory(store: HistoryStore, waitMs: number, initial: HistoryBounds): History {
  let bounds = initial;
  const quota = openQuota(store);
  return {
    adopt(next) {
      bounds = next;
    },
    origins: openReasoningOrigins(),
    thoughts: openThoughts(
      { findItems: store.findItems, save: (record) => within(store.save(record), waitMs) },
      {
        newId: () => `thoughts_${randomHex(12)}`,
        bounds: () => bounds,
        checkQuota: (accountId, bytes) => quota.checkQuota(accountId, bytes, bounds.accountBytes),
      },
    ),
    async expand(reader, body, upstream) {
      const { value, bytes } = body;
      if (!reachesBack(value)) return withoutHistory(body);
      const { own: sent, previousId } = readContinuation(value);
      const stored = openStoredItems(store, reader, { ownBytes: bytes.length, maxBytes: bounds.maxBytes });
      const before = previousId === null ? [] : await stored.chain(previousId);
      const referenced = await stored.references(sent);
      const filter = new ReasoningFilter(upstream);
      const earlier = before.map((made) => filter.open(made));
      const own = sent.map((item) => filter.open(resolveReference(item, referenced.items)));
      const items = [...earlier, ...own];
      checkPairs(items, earlier.length);
      return { items, own, ownBytes: bytes.length + referenced.bytes, previousId, isLonger: true, hasLostReasoning: filter.hasLost };
    },
    checkQuota: (accountId, bytes) => quota.checkQuota(accountId, bytes, bounds.accountBytes),
    save: (record) => within(store.save(record), waitMs).catch(storeFailed),
    async find({ accountId, share }, id) {
      const found = await store.response(accountId, id).catch(storeFailed);
      if (found === undefined) throw notFound(id);
      share?.takeStored(found.length);
      return found;
    },
    upstreamOf: async (accountId, id) => (await store.upstreamOf(accountId, id).catch(storeFailed)) ?? null,
    async inputOf(reader, id, query) {
      const page = await pageOf(store, { reader, id, query, maxBytes: bounds.maxBytes });
      if (!page) throw notFound(id);
      return page;
    },
    async remove(accountId, id) {
      if (!(await store.remove(accountId, id).catch(storeFailed))) throw notFound(id);
    },
  };
}

const notFound = (id: string): ErrorOf<'getResponse' | 'deleteResponse' | 'listInputItems', 404> =>
  new GatewayError('response_not_found', { message: notStored(id) });

/** `upstream`: the upstream that made the item or was sent it; null for an item from the caller. */
type SentItem = ItemWithOrigin | { readonly item: Fields; readonly upstream: null };

/** Prepares stored items for an upstream: reasoning that another upstream encrypted is omitted, because this one can't read it. */
class ReasoningFilter {
  readonly #upstream: string;
  hasLost = false;

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  open({ item, upstream }: SentItem): Fields {
    if (upstream === null || upstream === this.#upstream) return item;
    const open = withoutEncrypted(item);
    this.hasLost ||= open !== item;
    return open;
  }
}

function resolveReference(item: Fields, referred: ReadonlyMap<string, ItemWithOrigin>): SentItem {
  const id = referenceOf(item);
  const found = id === null ? undefined : referred.get(id);
  return found ?? { item, upstream: null };
}

/** Applies the contract's rule on calls and results to a conversation whose beginning is stored. */
function checkPairs(items: readonly Fields[], first: number): void {
  const [issue] = findUnpaired(items, first);
  if (!issue) return;
  const [field, index] = issue.path;
  throw new GatewayError<CreateResponseCode>('invalid_value', {
    param: index === undefined ? String(field) : `${field}[${index}].call_id`,
    message: issue.message,
  });
}

export interface Conversation {
  /** The body for an upstream that stores nothing; the caller's own when nothing has to change. */
  readonly body: JsonBody;
  /** Null if nothing is written into the response, nothing is stored, and no encrypted reasoning is recorded. */
  readonly recording: Recording | null;
  /** What was omitted of the conversation because the upstream can't read it, for `x-modelgate-ignored`. */
  readonly ignored: readonly string[];
}

interface Asked {
  readonly body: JsonBody;
  readonly model: Model;
  /** Makes the ID of the response. */
  readonly marks: { newHex(bytes: number): string };
}

/** Throws `previous_response_not_found` or `item_not_found`, 413 when too much would be read, 403 when too much would be stored, and 400 for results without a call and calls without a result. */
export async function openConversation(history: History, call: RequestContext, { body, model, marks }: Asked): Promise<Conversation> {
  // Every call has a principal by now.
  const accountId = call.principal?.accountId ?? '';
  const expanded = await history.expand({ accountId, share: call.share }, body, model.upstream);
  const isStored = asksToStore(body.value);
  if (isStored) await history.checkQuota(accountId, expanded.ownBytes);
  const to = { upstream: model.upstream, protocols: model.protocols, origins: history.origins };
  const sent = sendable(body, expanded, to);
  const hasLostReasoning = expanded.hasLostReasoning || expanded.items.some((item) => losesReasoning(item, to));
  const recording = openRecording(history, { id: newResponseId(marks), accountId, model, expanded, isStored });
  return { body: isStored ? askingForEncrypted(sent) : sent, recording, ignored: hasLostReasoning ? [ENCRYPTED_REASONING] : [] };
}

/** The body with the whole conversation, except for what its upstream can't read. */
function sendable(body: JsonBody, { items, isLonger }: Expanded, to: Destination): JsonBody {
  if (isLonger) return withConversation(body, itemsFor(items, to));
  // For another dialect the items are read into a turn, which has no IDs.
  return to.protocols.includes('responses') ? editInput(body, (item) => editOf(item, to)) : body;
}

interface Opening {
  readonly id: string;
  readonly accountId: string;
  readonly model: Model;
  readonly expanded: Expanded;
  readonly isStored: boolean;
}

/** In bytes: writing an input of this size as JSON takes many milliseconds. */
const LARGE = 1_048_576;

function openRecording(history: History, { id, accountId, model, expanded, isStored }: Opening): Recording | null {
  const { own, ownBytes, previousId } = expanded;
  const { upstream } = model;
  const note = model.protocols.includes('responses') ? (bytes: Buffer) => history.origins.note(bytes, upstream) : null;
  let saving = Promise.resolve();
  const saved = () => saving;
  if (!isStored && previousId === null) return note && { echo: {}, save: null, saved, note };
  const echo = echoedFields(id, isStored, previousId);
  const save = (response: Fields): void => {
    const record = { id, accountId, previousId, upstream, createdAt: Math.floor(Date.now() / 1000), input: own, response };
    saving = ownBytes < LARGE ? history.save(record) : ownTurn().then(() => history.save(record));
    // The caller of `saved` handles the failure.
    saving.catch(() => {});
  };
  return { echo, save: isStored ? save : null, saved, note };
}

/** The gateway makes the ID, since it must be unique here: an upstream's IDs are unique only at that upstream. */
const newResponseId = (marks: Asked['marks']) => `resp_${marks.newHex(24)}`;

const MIB = 1_048_576;
/** How long a stored total may admit requests without another read; a refusal always reads again. */
const FRESH_MS = 5_000;
/** So many accounts are remembered; then all of them are dropped. */
const MAX_CACHED = 10_000;

interface CachedTotal {
  /** The bytes that were stored at `readAt`, and those admitted since. */
  readonly bytes: number;
  readonly readAt: number;
}

interface Quota {
  /** `maxBytes`: 0: unlimited. */
  checkQuota(accountId: string, bytes: number, maxBytes: number): Promise<void>;
}

/** A response that was paid for is stored whatever its size: the next request is rejected instead. */
function openQuota(store: Pick<HistoryStore, 'keptBytes'>): Quota {
  const cached = new Map<string, CachedTotal>();
  const remember = (accountId: string, now: CachedTotal): void => {
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(accountId, now);
  };
  return {
    async checkQuota(accountId, bytes, maxBytes) {
      if (maxBytes === 0) return;
      const last = cached.get(accountId);
      if (last && performance.now() - last.readAt < FRESH_MS && last.bytes + bytes <= maxBytes)
        return remember(accountId, { ...last, bytes: last.bytes + bytes });
      const readAt = performance.now();
      const kept = await store.keptBytes(accountId).catch(storeFailed);
      if (kept + bytes > maxBytes) throw full(kept, maxBytes);
      remember(accountId, { bytes: kept + bytes, readAt });
    },
  };
}

function full(kept: number, most: number): ErrorOf<'createResponse', 403> {
  const message = `This account's stored responses use ${inMib(kept)} of ${inMib(most)} MiB, and this response doesn't fit. Delete some or send 'store: false'.`;
  return new GatewayError('storage_quota_exceeded', { param: STORE, message });
}

const inMib = (bytes: number): string => (bytes / MIB).toFixed(1);

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

/** Whether an item has encrypted reasoning that its destination can't read, and that is therefore omitted. */
export function losesReasoning(item: Fields, to: Destination): boolean {
  const encrypted = encryptedReasoningOf(item);
  return encrypted !== null && !canOpen(encrypted, to);
}

/** Throws when the item holds a whole encrypted conversation (`compaction`) that its destination can't read. */
export function editOf(item: Fields, to: Destination): ItemEdit {
  const edit = editOfItem(item, (encrypted) => canOpen(encrypted, to));
  if (edit === 'lost') throw lostConversation();
  return edit;
}

const lostConversation = () =>
  new GatewayError<CreateResponseCode>('invalid_value', {
    param: 'input',
    message: "The 'compaction' item was created by another upstream, and only that upstream can read it. Send the full conversation.",
  });

/** The items in the form that their destination accepts. */
export const itemsFor = (items: readonly Fields[], to: Destination): readonly Fields[] =>
  items.flatMap((item) => editItem(item, editOf(item, to)));

/** About 10 MB at most. Reasoning whose origin was forgotten, as after a restart, is sent on; the upstream decides about it. */
const MOST = 50_000;

interface ReasoningOrigins {
  /** Records every piece of encrypted reasoning in the bytes of a response. */
  note(answer: Buffer, upstream: string): void;
  /** The upstream that encrypted this; undefined if it was forgotten or never recorded. */
  originOf(encrypted: string): string | undefined;
}

export function openReasoningOrigins(most = MOST): ReasoningOrigins {
  const origins = new Map<string, string>();
  const remember = (print: string, upstream: string): void => {
    // Deleted and set again, so that the oldest entry comes first.
    origins.delete(print);
    origins.set(print, upstream);
    if (origins.size <= most) return;
    const [oldest] = origins.keys();
    if (oldest !== undefined) origins.delete(oldest);
  };
  return {
    note: (answer, upstream) => eachEncrypted(answer, (print) => remember(print, upstream)),
    originOf: (encrypted) => origins.get(fingerprintOf(encrypted)),
  };
}
