/** What was said: turns `previous_response_id` and references into the items before a call, and keeps what comes of it (specification 4.6). */
import type { Fields } from '../../contract/rule.ts';
import type { StoredItem } from '../../contract/stored-responses.ts';
import { GatewayError, shown } from '../errors.ts';
import { inputItemsOf } from './input-items.ts';
import { type HistoryStore, outputOf, type StoredResponse } from './store.ts';

export interface History {
  /** The whole conversation of a request: all that is stored before it, then its own input. `own` is what is new. */
  expand(accountId: string, body: Fields, upstream: string): Expanded;
  save(record: StoredResponse): void;
  find(accountId: string, id: string): StoredResponse;
  /** All that the model was given for a stored response, oldest first: the turns before it, then its own input. Throws as `find` does. */
  inputOf(accountId: string, id: string): readonly StoredItem[];
  remove(accountId: string, id: string): void;
}

export interface Expanded {
  readonly items: readonly Fields[];
  readonly own: readonly Fields[];
  readonly previousId: string | null;
}

/** One body for an unknown id, a foreign one, one that was not stored and one past its time. */
const unknownResponse = (id: string) =>
  new GatewayError('previous_response_not_found', { param: 'previous_response_id', message: notStored(id) });

const notStored = (id: string) => `No response with the id '${shown(id)}' is stored for this account.`;

export function openHistory(store: HistoryStore): History {
  return {
    expand(accountId, body, upstream) {
      const previousId = typeof body.previous_response_id === 'string' ? body.previous_response_id : null;
      const before = previousId === null ? [] : store.chain(accountId, previousId);
      if (previousId !== null && before.length === 0) throw unknownResponse(previousId);
      const own = ownItems(body.input).map((item, index) => resolve(store, accountId, item, index));
      const items = [...before.flatMap((record) => itemsOf(record, upstream)), ...own];
      checkPairs(items, items.length - own.length);
      return { items, own, previousId };
    },
    save: (record) => store.save(record),
    find(accountId, id) {
      const found = store.find(accountId, id);
      if (!found) throw notFound(id);
      return found;
    },
    inputOf(accountId, id) {
      const chain = store.chain(accountId, id);
      if (chain.length === 0) throw notFound(id);
      return inputItemsOf(chain);
    },
    remove(accountId, id) {
      if (!store.remove(accountId, id)) throw notFound(id);
    },
  };
}

const notFound = (id: string) => new GatewayError('response_not_found', { message: notStored(id) });

/** A stored turn as items. What another upstream sealed could not be opened by this one, and is left out. */
function itemsOf({ input, response, upstream: maker }: StoredResponse, upstream: string): readonly Fields[] {
  const items = [...input, ...outputOf(response)];
  return maker === upstream ? items : items.map(withoutSeal);
}

function withoutSeal(item: Fields): Fields {
  if (item.type !== 'reasoning') return item;
  const { encrypted_content: _, ...rest } = item;
  return rest;
}

/** A plain string is one message of the user. */
function ownItems(input: unknown): readonly Fields[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  // The contract has seen that it is a list of items.
  return Array.isArray(input) ? (input as Fields[]) : [];
}

function resolve(store: HistoryStore, accountId: string, item: Fields, index: number): Fields {
  if (item.type !== 'item_reference') return item;
  const found = store.findItem(accountId, String(item.id));
  if (found) return found;
  throw new GatewayError('item_not_found', {
    param: `input[${index}].id`,
    message: `input[${index}] refers to '${shown(String(item.id))}', but no such item is stored for this account. Send the item itself.`,
  });
}

const answerOf: Readonly<Record<string, string>> = { function_call: 'function_call_output', custom_tool_call: 'custom_tool_call_output' };
const answers = new Set(Object.values(answerOf));

/** Every result has its call before it, and every call of the conversation has its result. `first` is where the caller's own items begin. */
function checkPairs(items: readonly Fields[], first: number): void {
  const open = new Map<unknown, number>();
  const called = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const type = String(item.type);
    if (Object.hasOwn(answerOf, type)) {
      open.set(item.call_id, index);
      called.add(item.call_id);
    } else if (answers.has(type)) {
      if (!called.has(item.call_id)) throw orphan(item, index - first);
      open.delete(item.call_id);
    }
  }
  const [unanswered] = open.keys();
  if (unanswered !== undefined) {
    throw new GatewayError('invalid_value', {
      param: 'input',
      message: `The call '${shown(String(unanswered))}' has no output: add an item with that call_id and its result.`,
    });
  }
}

function orphan(item: Fields, index: number): GatewayError {
  return new GatewayError('invalid_value', {
    param: `input[${index}].call_id`,
    message: `input[${index}] answers the call '${shown(String(item.call_id))}', but no earlier item is a call with that call_id.`,
  });
}

/** Whether an upstream that keeps nothing for us could make nothing of an item: a thought that it cannot open. */
export function isClosed(item: Fields, canOpen: (sealed: string) => boolean): boolean {
  return item.type === 'reasoning' && !(typeof item.encrypted_content === 'string' && canOpen(item.encrypted_content));
}

/** Items as an upstream that keeps nothing for us takes them: no ids of another store, no thoughts that it could not open. */
export function forUpstream(items: readonly Fields[], canOpen: (sealed: string) => boolean): Fields[] {
  return items.flatMap((item) => {
    if (isClosed(item, canOpen)) return [];
    const { id: _, ...rest } = item;
    return [rest];
  });
}
