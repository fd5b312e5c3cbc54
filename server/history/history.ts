/** What was said: turns `previous_response_id` and references into the items before a call, and keeps what comes of it. */
import { findUnpaired, reachesBack } from '../../contract/response-rules.ts';
import type { Fields } from '../../contract/rule.ts';
import type { InputItemQuery } from '../../contract/stored-responses.ts';
import { readContinuation, referenceOf, withoutSeal } from '../dialects/responses/continuation.ts';
import type { JsonBody } from '../dialects/wire/json-body.ts';
import { type CreateResponseCode, type ErrorOf, GatewayError, storeFailed } from '../errors.ts';
import { within } from '../storage/store-timeout.ts';
import { pageOf } from './input-items.ts';
import { type MadeItem, notStored, openPast } from './past.ts';
import { openQuota } from './quota.ts';
import { openReasoningOrigins, type ReasoningOrigins } from './reasoning-origins.ts';
import type { HistoryStore, Reader, StoredResponse } from './store.ts';

export interface History {
  /** The whole conversation of a request: all that is stored before it, then its own input. `own` is what is new. */
  expand(reader: Reader, body: Pick<JsonBody, 'value' | 'bytes'>, upstream: string): Promise<Expanded>;
  /** Throws `storage_quota_exceeded` where so many bytes more are over what the account may keep. */
  makeRoom(accountId: string, bytes: number): Promise<void>;
  /** On disk when it resolves; rejects with `overloaded` where the store failed. */
  save(record: StoredResponse): Promise<void>;
  /** A response as it was answered: the JSON that is stored. */
  find(reader: Reader, id: string): Promise<Buffer>;
  /** Who answered with it; null where it is not there. */
  upstreamOf(accountId: string, id: string): Promise<string | null>;
  /** A page of all that the model was given for a stored response: the turns before it, then its own input; the JSON of an `InputItemList`. Throws as `find` does. */
  inputOf(reader: Reader, id: string, query: InputItemQuery): Promise<Buffer>;
  remove(accountId: string, id: string): Promise<void>;
  /** Who sealed the thoughts that callers carry by hand. */
  readonly origins: ReasoningOrigins;
}

export interface Expanded {
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
  /** Of `own`, as far as it is known before it is written. */
  readonly ownBytes: number;
  readonly previousId: string | null;
  /** Whether `items` are more or others than the caller sent. */
  readonly isLonger: boolean;
  /** Whether thoughts that another upstream sealed were left unsealed behind. */
  readonly hasLostSeals: boolean;
}

/** What may be another after a reload. */
export interface HistoryBounds {
  /** The most that a request may stand for. */
  readonly mostBytes: number;
  /** The most that an account may keep; 0: any. */
  readonly accountBytes: number;
}

/** A request that goes on from nothing is its own conversation; the contract has seen to its calls. */
function standingAlone({ value, bytes }: Pick<JsonBody, 'value' | 'bytes'>): Expanded {
  const { own: items } = readContinuation(value);
  return { items, own: items, ownBytes: bytes.length, previousId: null, isLonger: false, hasLostSeals: false };
}

/** `waitMs`: how long an answer waits to be kept. */
export function openHistory(store: HistoryStore, waitMs: number, bounds: () => HistoryBounds): History {
  const quota = openQuota(store, () => bounds().accountBytes);
  return {
    origins: openReasoningOrigins(),
    async expand(reader, body, upstream) {
      const { value, bytes } = body;
      if (!reachesBack(value)) return standingAlone(body);
      const { own: sent, previousId } = readContinuation(value);
      const past = openPast(store, reader, { ownBytes: bytes.length, mostBytes: bounds().mostBytes });
      const before = previousId === null ? [] : await past.chain(previousId);
      const referred = await past.references(sent);
      const opener = new Opener(upstream);
      const earlier = before.map((made) => opener.open(made));
      const own = sent.map((item) => opener.open(madeOf(item, referred.items)));
      const items = [...earlier, ...own];
      checkPairs(items, earlier.length);
      return { items, own, ownBytes: bytes.length + referred.bytes, previousId, isLonger: true, hasLostSeals: opener.hasLost };
    },
    makeRoom: (accountId, bytes) => quota.makeRoom(accountId, bytes),
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

/** `upstream`: who made the item, or was given it; null for what a caller sends. */
type Made = MadeItem | { readonly item: Fields; readonly upstream: null };

/** Takes stored items up for an upstream: what another one sealed could not be opened by this one, and is left out. */
class Opener {
  readonly #upstream: string;
  hasLost = false;

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  open({ item, upstream }: Made): Fields {
    if (upstream === null || upstream === this.#upstream) return item;
    const open = withoutSeal(item);
    this.hasLost ||= open !== item;
    return open;
  }
}

function madeOf(item: Fields, referred: ReadonlyMap<string, MadeItem>): Made {
  const id = referenceOf(item);
  const found = id === null ? undefined : referred.get(id);
  return found ?? { item, upstream: null };
}

/** What the contract says of a request that stands for itself, said of a conversation whose beginning is stored. */
function checkPairs(items: readonly Fields[], first: number): void {
  const [issue] = findUnpaired(items, first);
  if (!issue) return;
  const [field, index] = issue.path;
  throw new GatewayError<CreateResponseCode>('invalid_value', {
    param: index === undefined ? String(field) : `${field}[${index}].call_id`,
    message: issue.message,
  });
}
