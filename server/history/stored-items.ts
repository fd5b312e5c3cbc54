/** The stored items that a request continues or refers to: measured before they are read, and parsed in parts, so that a small request cannot make the gateway read without bound. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fields } from '../../contract/rule.ts';
import { outputOf, PREVIOUS_ID as PREVIOUS, placeOfReference, referenceOf } from '../dialects/responses/continuation.ts';
import { MOST_PLACES, valuesIn } from '../dialects/turn/work-budget.ts';
import { type CreateResponseCode, type ErrorOf, GatewayError, shown, storeFailed } from '../errors.ts';
import { type Extent, type HistoryStore, MAX_CHAIN, type Reader, type StoredOutput, type StoredTurn } from './store.ts';

/** As many as a body may hold: a translation may visit each value twice. */
const MOST_VALUES = MOST_PLACES / 2;
/** So many bytes are parsed before the event loop runs other work. */
const AT_ONCE_BYTES = 1_048_576;

/** An item, and the upstream that made it or was sent it. */
export interface ItemWithOrigin {
  readonly item: Fields;
  readonly upstream: string;
}

/** The items that references stand for. */
export interface ReferencedItems {
  /** By their ids. */
  readonly items: ReadonlyMap<string, ItemWithOrigin>;
  /** Of all references; a repeated one counts each time. */
  readonly bytes: number;
}

/** Counts and bounds what is read for one request. */
class ReadBudget {
  readonly #mostBytes: number;
  #bytes: number;
  #values = 0;
  #sincePause = 0;

  constructor(ownBytes: number, mostBytes: number) {
    this.#bytes = ownBytes;
    this.#mostBytes = mostBytes;
  }

  /** The bytes that may still be read. */
  get remaining(): number {
    return this.#mostBytes - this.#bytes;
  }

  /** Counts bytes before they are read. */
  add(bytes: number, param: string): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#mostBytes) return;
    const message = `With what '${param}' stands for, the request is larger than ${this.#mostBytes} bytes. Begin a new conversation, or send less.`;
    throw new GatewayError<CreateResponseCode>('request_too_large', { param, message });
  }

  async parse(text: string, param: string): Promise<unknown> {
    this.#sincePause += text.length;
    if (this.#sincePause > AT_ONCE_BYTES) {
      this.#sincePause = text.length;
      await nextTurn();
    }
    this.#values += valuesIn(text);
    if (this.#values > MOST_VALUES) {
      const message = `With what '${param}' stands for, the request holds more than ${MOST_VALUES} values. Begin a new conversation, or send less.`;
      throw new GatewayError<CreateResponseCode>('request_too_large', { param, message });
    }
    return JSON.parse(text);
  }
}

/** For one request: its own bytes with all that it refers to may be at most `mostBytes`. */
export function openStoredItems(
  store: HistoryStore,
  { accountId, share }: Reader,
  { ownBytes, mostBytes }: { ownBytes: number; mostBytes: number },
) {
  const budget = new ReadBudget(ownBytes, mostBytes);
  return {
    /** All items of the turns up to this one, oldest first. */
    async chain(previousId: string): Promise<readonly ItemWithOrigin[]> {
      const extent = await store.measure(accountId, previousId, budget.remaining).catch(storeFailed);
      if (!extent) throw unknownResponse(previousId);
      budget.add(extent.bytes, PREVIOUS);
      refuseIncomplete(extent);
      share?.takeStored(extent.bytes);
      const turns = await store.chain(accountId, previousId).catch(storeFailed);
      // A response of the chain was deleted meanwhile.
      if (turns.length < extent.links) throw unknownResponse(previousId);
      const items: ItemWithOrigin[] = [];
      for (const turn of turns) for (const item of await parseTurn(budget, turn)) items.push({ item, upstream: turn.upstream });
      return items;
    },
    /** The items that the references stand for; each item is read once. */
    async references(items: readonly Fields[]): Promise<ReferencedItems> {
      const places = items.flatMap((item, index) => {
        const id = referenceOf(item);
        return id === null ? [] : [{ id, index }];
      });
      if (places.length === 0) return { items: new Map(), bytes: 0 };
      const ids = [...new Set(places.map(({ id }) => id))];
      const sizes = await store.measureItems(accountId, ids).catch(storeFailed);
      // A repeated reference counts as if the body held the item each time.
      let bytes = 0;
      for (const { id, index } of places) {
        const size = sizes.get(id) ?? unknownItem(id, index);
        budget.add(size, placeOfReference(index));
        bytes += size;
      }
      share?.takeStored(bytes);
      const found = await store.findItems(accountId, ids).catch(storeFailed);
      for (const { id, index } of places) if (!found.has(id)) unknownItem(id, index);
      return { items: await parseItems(budget, found), bytes };
    },
  };
}

async function parseTurn(reading: ReadBudget, { input, output, response }: StoredTurn): Promise<readonly Fields[]> {
  // The gateway wrote this JSON when it stored the response.
  const given = (await reading.parse(input, PREVIOUS)) as readonly Fields[];
  if (response !== null) return [...given, ...outputOf((await reading.parse(response, PREVIOUS)) as Fields)];
  return output ? [...given, ...((await reading.parse(output, PREVIOUS)) as readonly Fields[])] : given;
}

async function parseItems(reading: ReadBudget, found: ReadonlyMap<string, StoredOutput>): Promise<ReadonlyMap<string, ItemWithOrigin>> {
  const items = new Map<string, ItemWithOrigin>();
  for (const [id, { item, upstream }] of found) items.set(id, { item: (await reading.parse(item, 'input')) as Fields, upstream });
  return items;
}

/** Refuses a chain without its beginning: a model would answer it as if it were whole. */
function refuseIncomplete({ links, previousId }: Extent): void {
  if (previousId === null) return;
  if (links > MAX_CHAIN)
    throw new GatewayError<CreateResponseCode>('request_too_large', {
      param: PREVIOUS,
      message: `'${PREVIOUS}' goes on from more than ${MAX_CHAIN} responses. Begin a new conversation.`,
    });
  const message = `The conversation is not whole any more: '${shown(previousId)}', which it goes on from, was deleted or has passed its retention time. Send the conversation itself in 'input'.`;
  throw new GatewayError<CreateResponseCode>('previous_response_not_found', { param: PREVIOUS, message });
}

/** The same error for an unknown id, an id of another account, a response that was not stored, and one past its retention time. */
const unknownResponse = (id: string): ErrorOf<'createResponse', 400> =>
  new GatewayError('previous_response_not_found', { param: PREVIOUS, message: notStored(id) });

export const notStored = (id: string) => `No response with the id '${shown(id)}' is stored for this account.`;

function unknownItem(id: string, index: number): never {
  const error: ErrorOf<'createResponse', 400> = new GatewayError('item_not_found', {
    param: placeOfReference(index),
    message: `input[${index}] refers to '${shown(id)}', but no such item is stored for this account. Send the item itself.`,
  });
  throw error;
}
