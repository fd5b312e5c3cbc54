/** Stored conversations: resolves `previous_response_id` and item references before a call, and stores the response after it. */
import { findUnpaired, reachesBack } from '../../contract/response-rules.ts';
import type { Fields } from '../../contract/rule.ts';
import type { InputItemQuery } from '../../contract/stored-responses.ts';
import { readContinuation, referenceOf, withoutEncrypted } from '../dialects/responses/continuation.ts';
import type { JsonBody } from '../dialects/wire/json-body.ts';
import { type CreateResponseCode, type ErrorOf, GatewayError, storeFailed } from '../errors.ts';
import { within } from '../storage/store-timeout.ts';
import { pageOf } from './input-items.ts';
import { openQuota } from './quota.ts';
import { openReasoningOrigins, type ReasoningOrigins } from './reasoning-origins.ts';
import type { HistoryStore, Reader, StoredResponse } from './store.ts';
import { type ItemWithOrigin, notStored, openStoredItems } from './stored-items.ts';

export interface History {
  /** The whole conversation of a request: the stored turns before it, then its own input (`own`). */
  expand(reader: Reader, body: Pick<JsonBody, 'value' | 'bytes'>, upstream: string): Promise<Expanded>;
  /** Throws `storage_quota_exceeded` when so many more bytes exceed what the account may store. */
  checkQuota(accountId: string, bytes: number): Promise<void>;
  /** On disk when it resolves; rejects with `overloaded` when the store fails. */
  save(record: StoredResponse): Promise<void>;
  /** The stored JSON of a response. */
  find(reader: Reader, id: string): Promise<Buffer>;
  /** The upstream that answered; null when the response is not stored. */
  upstreamOf(accountId: string, id: string): Promise<string | null>;
  /** A page of the model's whole input for a stored response, the turns before it and its own input, as the JSON of an `InputItemList`. Throws as `find` does. */
  inputOf(reader: Reader, id: string, query: InputItemQuery): Promise<Buffer>;
  remove(accountId: string, id: string): Promise<void>;
  /** Which upstream made the encrypted reasoning that callers send back themselves. */
  readonly origins: ReasoningOrigins;
}

export interface Expanded {
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
  /** The size of `own`, estimated before it is written. */
  readonly ownBytes: number;
  readonly previousId: string | null;
  /** Whether stored items were read, so that `items` may differ from what the caller sent. */
  readonly isLonger: boolean;
  /** Whether reasoning that another upstream encrypted was left out. */
  readonly hasLostReasoning: boolean;
}

/** Bounds that a reload may change. */
export interface HistoryBounds {
  /** The largest size of a request with all that it refers to. */
  readonly mostBytes: number;
  /** The most that an account may store; 0: unlimited. */
  readonly accountBytes: number;
}

/** A request without stored turns is its own conversation; the contract has checked its calls and results. */
function withoutHistory({ value, bytes }: Pick<JsonBody, 'value' | 'bytes'>): Expanded {
  const { own: items } = readContinuation(value);
  return { items, own: items, ownBytes: bytes.length, previousId: null, isLonger: false, hasLostReasoning: false };
}

/** `waitMs`: how long an answer waits until it is stored. */
export function openHistory(store: HistoryStore, waitMs: number, bounds: () => HistoryBounds): History {
  const quota = openQuota(store, () => bounds().accountBytes);
  return {
    origins: openReasoningOrigins(),
    async expand(reader, body, upstream) {
      const { value, bytes } = body;
      if (!reachesBack(value)) return withoutHistory(body);
      const { own: sent, previousId } = readContinuation(value);
      const stored = openStoredItems(store, reader, { ownBytes: bytes.length, mostBytes: bounds().mostBytes });
      const before = previousId === null ? [] : await stored.chain(previousId);
      const referenced = await stored.references(sent);
      const filter = new ReasoningFilter(upstream);
      const earlier = before.map((made) => filter.open(made));
      const own = sent.map((item) => filter.open(resolveReference(item, referenced.items)));
      const items = [...earlier, ...own];
      checkPairs(items, earlier.length);
      return { items, own, ownBytes: bytes.length + referenced.bytes, previousId, isLonger: true, hasLostReasoning: filter.hasLost };
    },
    checkQuota: (accountId, bytes) => quota.checkQuota(accountId, bytes),
    save: (record) => within(store.save(record), waitMs).catch(storeFailed),
    async find({ accountId, share }, id) {
      const found = await store.response(accountId, id).catch(storeFailed);
      if (found === undefined) throw notFound(id);
      share?.takeStored(found.length);
      return found;
    },
    upstreamOf: async (accountId, id) => (await store.upstreamOf(accountId, id).catch(storeFailed)) ?? null,
    async inputOf(reader, id, query) {
      const page = await pageOf(store, { reader, id, query, mostBytes: bounds().mostBytes });
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

/** Prepares stored items for an upstream: reasoning that another upstream encrypted is left out, because this one cannot read it. */
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
