/** What was said: turns `previous_response_id` and references into the items before a call, and keeps what comes of it (specification 4.6). */
import { findUnpaired, reachesBack } from '../../contract/response-rules.ts';
import { type Fields, isSet } from '../../contract/rule.ts';
import type { StoredItem } from '../../contract/stored-responses.ts';
import { GatewayError, shown } from '../errors.ts';
import { within } from '../storage/patience.ts';
import { inputItemsOf } from './input-items.ts';
import { type Makers, openMakers } from './makers.ts';
import { type HistoryStore, outputOf, type StoredResponse } from './store.ts';

export interface History {
  /** The whole conversation of a request: all that is stored before it, then its own input. `own` is what is new. */
  expand(accountId: string, body: Fields, upstream: string): Promise<Expanded>;
  /** On disk when it resolves; rejects with `overloaded` where the store failed. */
  save(record: StoredResponse): Promise<void>;
  find(accountId: string, id: string): Promise<StoredResponse>;
  /** All that the model was given for a stored response, oldest first: the turns before it, then its own input. Throws as `find` does. */
  inputOf(accountId: string, id: string): Promise<readonly StoredItem[]>;
  remove(accountId: string, id: string): Promise<void>;
  /** Who sealed the thoughts that callers carry by hand. */
  readonly makers: Makers;
}

export interface Expanded {
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
  readonly previousId: string | null;
  /** Whether `items` are more or others than the caller sent. */
  readonly isLonger: boolean;
  /** Whether thoughts that another upstream sealed were left unsealed behind. */
  readonly hasLostSeals: boolean;
}

/** A request that goes on from nothing is its own conversation; the contract has seen to its calls. */
function standingAlone({ input }: Fields): Expanded {
  const items = ownItems(input);
  return { items, own: items, previousId: null, isLonger: false, hasLostSeals: false };
}

/** One body for an unknown id, a foreign one, one that was not stored and one past its time. */
const unknownResponse = (id: string) =>
  new GatewayError('previous_response_not_found', { param: 'previous_response_id', message: notStored(id) });

const notStored = (id: string) => `No response with the id '${shown(id)}' is stored for this account.`;

/** `waitMs`: how long an answer waits to be kept. */
export function openHistory(store: HistoryStore, waitMs: number): History {
  return {
    makers: openMakers(),
    async expand(accountId, body, upstream) {
      if (!reachesBack(body)) return standingAlone(body);
      const previousId = typeof body.previous_response_id === 'string' ? body.previous_response_id : null;
      const before = previousId === null ? [] : await store.chain(accountId, previousId).catch(storeFailed);
      if (previousId !== null && before.length === 0) throw unknownResponse(previousId);
      const opener = new Opener(upstream);
      const earlier = before.flatMap((record) => opener.openTurn(record));
      const resolved = ownItems(body.input).map((item, index) => resolve(store, accountId, item, index));
      const own = (await Promise.all(resolved)).map((made) => opener.open(made));
      const items = [...earlier, ...own];
      checkPairs(items, earlier.length);
      return { items, own, previousId, isLonger: true, hasLostSeals: opener.hasLost };
    },
    save: (record) => within(store.save(record), waitMs).catch(storeFailed),
    async find(accountId, id) {
      const found = await store.find(accountId, id).catch(storeFailed);
      if (!found) throw notFound(id);
      return found;
    },
    async inputOf(accountId, id) {
      const chain = await store.chain(accountId, id).catch(storeFailed);
      if (chain.length === 0) throw notFound(id);
      return inputItemsOf(chain);
    },
    async remove(accountId, id) {
      if (!(await store.remove(accountId, id).catch(storeFailed))) throw notFound(id);
    },
  };
}

function storeFailed(cause: unknown): never {
  throw new GatewayError('overloaded', { headers: { 'retry-after': '1' }, cause });
}

const notFound = (id: string) => new GatewayError('response_not_found', { message: notStored(id) });

/** Takes stored items up for an upstream: what another one sealed could not be opened by this one, and is left out. */
class Opener {
  readonly #upstream: string;
  hasLost = false;

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  openTurn({ input, response, upstream }: StoredResponse): readonly Fields[] {
    return [...input, ...outputOf(response)].map((item) => this.open({ item, upstream }));
  }

  /** `upstream`: who made the item, or was given it; null for what a caller sends. */
  open({ item, upstream }: Made): Fields {
    if (upstream === null || upstream === this.#upstream) return item;
    if (item.type !== 'reasoning' || !isSet(item.encrypted_content)) return item;
    this.hasLost = true;
    const { encrypted_content: _, ...rest } = item;
    return rest;
  }
}

interface Made {
  readonly item: Fields;
  readonly upstream: string | null;
}

/** A plain string is one message of the user. */
function ownItems(input: unknown): readonly Fields[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  // The contract has seen that it is a list of items.
  return Array.isArray(input) ? (input as Fields[]) : [];
}

async function resolve(store: HistoryStore, accountId: string, item: Fields, index: number): Promise<Made> {
  if (item.type !== 'item_reference') return { item, upstream: null };
  const found = await store.findItem(accountId, String(item.id)).catch(storeFailed);
  if (found) return found;
  throw new GatewayError('item_not_found', {
    param: `input[${index}].id`,
    message: `input[${index}] refers to '${shown(String(item.id))}', but no such item is stored for this account. Send the item itself.`,
  });
}

/** What the contract says of a request that stands for itself, said of a conversation whose beginning is stored. */
function checkPairs(items: readonly Fields[], first: number): void {
  const [issue] = findUnpaired(items, first);
  if (!issue) return;
  const [field, index] = issue.path;
  throw new GatewayError('invalid_value', {
    param: index === undefined ? String(field) : `${field}[${index}].call_id`,
    message: issue.message,
  });
}
