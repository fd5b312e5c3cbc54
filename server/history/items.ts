/** The input of a stored response as a list of items, each with a unique ID. Only the items of the requested page are read. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InputItemQuery, PAGE_LENGTH } from '../../contract/responses/stored.ts';
import {
  idPrefixOf,
  outputOf,
  PREVIOUS_ID as PREVIOUS,
  placeOfReference,
  referenceOf,
  writeListedItem,
} from '../dialects/responses/read-request.ts';
import { MAX_PLACES, valuesIn } from '../dialects/turn/schema.ts';
import { type CreateResponseCode, type ErrorOf, GatewayError, shown, storeFailed } from '../errors.ts';
import type { Fields } from '../primitives/fields.ts';
import { freeMemory, oneAtATime } from '../primitives/shared-timeout.ts';
import {
  type Extent,
  type HistoryStore,
  type ItemPlace,
  MAX_CHAIN,
  type Part,
  type Reader,
  type ShapedTurn,
  type Slice,
  type StoredOutput,
  type StoredShape,
  type StoredTurn,
  unpackShape,
  writeResponse,
} from './recorder.ts';

/** An item that hasn't been read, by its place in the store, which never changes. */
interface PlacedItem extends ItemPlace {
  readonly responseId: string;
  readonly part: Part;
  readonly index: number;
}

type ListedItem = PlacedItem & { readonly listedId: string };

/** In bytes: a page of this size takes milliseconds and several copies. */
const LARGE = 1_048_576;

interface PageOrder {
  readonly reader: Reader;
  readonly id: string;
  readonly query: InputItemQuery;
  /** A page ends before it exceeds this, but holds at least one item. */
  readonly maxBytes: number;
}

/** The JSON of an `InputItemList`; undefined if the response doesn't exist. */
export async function pageOf(store: HistoryStore, { reader, id, query, maxBytes }: PageOrder): Promise<Buffer | undefined> {
  const { accountId, share } = reader;
  const turns = await store.shapes(accountId, id).catch(storeFailed);
  if (turns.length === 0) return undefined;
  const listed = identify(await placeAll(store, accountId, turns));
  const { page, hasMore } = cut(listed, query, maxBytes);
  const bytes = page.reduce((sum, { start, end }) => sum + end - start, 0);
  const write = async (): Promise<Buffer> => {
    // Not before: pages that wait for their turn hold nothing.
    share?.takeStored(bytes);
    const runs = await readAll(store, accountId, page);
    const written = writePage(
      runs.flatMap(({ items }) => items),
      hasMore,
    );
    for (const { bytes } of runs) freeMemory(bytes);
    return written;
  };
  return bytes < LARGE ? await write() : await oneAtATime(write);
}

/** Input and output of all turns but the last, then the input of the last; `turns` is oldest first. */
async function placeAll(store: HistoryStore, accountId: string, turns: readonly ShapedTurn[]): Promise<PlacedItem[]> {
  const items: PlacedItem[] = [];
  for (const [index, turn] of turns.entries()) {
    const shape = await shapeOf(store, accountId, turn);
    const parts: readonly Part[] = index === turns.length - 1 ? ['input'] : ['input', 'output'];
    for (const part of parts) for (const [at, item] of shape[part].entries()) items.push({ ...item, responseId: turn.id, part, index: at });
  }
  return items;
}

/** A response that an older version wrote has no shape: it is read whole, one response at a time. */
async function shapeOf(store: HistoryStore, accountId: string, { id, shape }: ShapedTurn): Promise<StoredShape> {
  if (shape !== null) return unpackShape(shape);
  const record = await store.find(accountId, id).catch(storeFailed);
  return record ? writeResponse(record).shape : { input: [], output: [] };
}

/** Makes the IDs unique, so that `after` is unambiguous: callers send items without an ID, and the same item again in a later turn. */
function identify(items: readonly PlacedItem[]): ListedItem[] {
  const seen = new Set<string>();
  return items.map((placed) => {
    const { id } = placed;
    const listedId = id !== null && id !== '' && !seen.has(id) ? id : makeId(placed);
    seen.add(listedId);
    return { ...placed, listedId };
  });
}

function cut(oldestFirst: readonly ListedItem[], { limit = PAGE_LENGTH, order = 'desc', after }: InputItemQuery, maxBytes: number) {
  const items = order === 'asc' ? oldestFirst : oldestFirst.toReversed();
  const start = after === undefined ? 0 : items.findIndex(({ listedId }) => listedId === after) + 1;
  if (after !== undefined && start === 0) {
    throw new GatewayError<CreateResponseCode>('invalid_value', {
      param: 'after',
      message: "'after' must be the ID of an item in this list.",
    });
  }
  let bytes = 0;
  const asked = items.slice(start, start + limit);
  const tooMuch = asked.findIndex((item, index) => {
    bytes += item.end - item.start;
    return index > 0 && bytes > maxBytes;
  });
  const page = tooMuch < 0 ? asked : asked.slice(0, tooMuch);
  return { page, hasMore: start + page.length < items.length };
}

/** The JSON of an item as the list shows it, in pieces. */
interface ReadItem {
  readonly id: string;
  readonly json: readonly Buffer[];
}

/** Adjacent items, and the bytes that they are views of. */
interface ReadRun {
  readonly items: readonly ReadItem[];
  readonly bytes: Buffer;
}

/** The list with the stored bytes of its items, copied once: a page may have many megabytes. */
function writePage(items: readonly ReadItem[], hasMore: boolean): Buffer {
  const ends = { first_id: items[0]?.id ?? null, last_id: items.at(-1)?.id ?? null, has_more: hasMore };
  const comma = Buffer.from(',');
  const data = items.flatMap(({ json }, index) => (index === 0 ? json : [comma, ...json]));
  return Buffer.concat([Buffer.from('{"object":"list","data":['), ...data, Buffer.from(`],${JSON.stringify(ends).slice(1)}`)]);
}

/** Items that follow each other in one text are read together. */
async function readAll(store: HistoryStore, accountId: string, page: readonly ListedItem[]): Promise<ReadRun[]> {
  const runs: ListedItem[][] = [];
  for (const item of page) {
    const last = runs.at(-1);
    const [first] = last ?? [];
    if (last && first?.responseId === item.responseId && first.part === item.part) last.push(item);
    else runs.push([item]);
  }
  const read: ReadRun[] = [];
  for (const run of runs) read.push(await readRun(store, accountId, run));
  return read;
}

async function readRun(store: HistoryStore, accountId: string, run: readonly ListedItem[]): Promise<ReadRun> {
  const slice = sliceOf(run);
  const bytes = await store.slice(accountId, slice).catch(storeFailed);
  // The response was deleted in the meantime.
  if (bytes === undefined) return { items: [], bytes: Buffer.alloc(0) };
  const items = run.map((listed) => ({
    id: listed.listedId,
    json: writeListedItem(bytes.subarray(listed.start - slice.start, listed.end - slice.start), { id: listed.listedId, type: listed.type }),
  }));
  return { items, bytes };
}

function sliceOf(run: readonly ListedItem[]): Slice {
  const [{ responseId, part } = { responseId: '', part: 'input' as const }] = run;
  const [start, end] = [Math.min(...run.map((item) => item.start)), Math.max(...run.map((item) => item.end))];
  return { responseId, part, start, end };
}

/** The same at every read and after a restart, and not to be guessed from another item's ID. */
function makeId({ responseId, part, index, type }: PlacedItem): string {
  const hash = createHash('sha256').update(`${responseId} ${part} ${index}`).digest('hex');
  return `${idPrefixOf(type)}_${hash.slice(0, 48)}`;
}

/** As many as a body may hold: a translation may visit each value twice. */
const MAX_VALUES = MAX_PLACES / 2;
/** So many bytes are parsed before the event loop runs other work. */
const AT_ONCE_BYTES = 1_048_576;

/** An item, and the upstream that made it or was sent it. */
export interface ItemWithOrigin {
  readonly item: Fields;
  readonly upstream: string;
}

/** The items that references stand for. */
interface ReferencedItems {
  /** By their IDs. */
  readonly items: ReadonlyMap<string, ItemWithOrigin>;
  /** Of all references; a repeated one counts each time. */
  readonly bytes: number;
}

/** Counts and bounds what is read for one request. */
class ReadBudget {
  readonly #maxBytes: number;
  #bytes: number;
  #values = 0;
  #sincePause = 0;

  constructor(ownBytes: number, maxBytes: number) {
    this.#bytes = ownBytes;
    this.#maxBytes = maxBytes;
  }

  /** The bytes that may still be read. */
  get remaining(): number {
    return this.#maxBytes - this.#bytes;
  }

  /** Counts bytes before they are read. */
  add(bytes: number, param: string): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    const message = `With the content that '${param}' refers to, the request exceeds ${this.#maxBytes} bytes. Start a new conversation or send less input.`;
    throw new GatewayError<CreateResponseCode>('request_too_large', { param, message });
  }

  async parse(text: string, param: string): Promise<unknown> {
    this.#sincePause += text.length;
    if (this.#sincePause > AT_ONCE_BYTES) {
      this.#sincePause = text.length;
      await nextTurn();
    }
    this.#values += valuesIn(text);
    if (this.#values > MAX_VALUES) {
      const message = `The request exceeds ${MAX_VALUES} values once '${param}' is resolved. Start a new conversation or send less.`;
      throw new GatewayError<CreateResponseCode>('request_too_large', { param, message });
    }
    return JSON.parse(text);
  }
}

/** For one request: its own bytes with all that it refers to may be at most `maxBytes`. */
export function openStoredItems(
  store: HistoryStore,
  { accountId, share }: Reader,
  { ownBytes, maxBytes }: { ownBytes: number; maxBytes: number },
) {
  const budget = new ReadBudget(ownBytes, maxBytes);
  return {
    /** All items of the turns up to this one, oldest first. */
    async chain(previousId: string): Promise<readonly ItemWithOrigin[]> {
      const extent = await store.measure(accountId, previousId, budget.remaining).catch(storeFailed);
      if (!extent) throw unknownResponse(previousId);
      budget.add(extent.bytes, PREVIOUS);
      rejectIncomplete(extent);
      share?.takeStored(extent.bytes);
      const turns = await store.chain(accountId, previousId).catch(storeFailed);
      // A response of the chain was deleted in the meantime.
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

/** Rejects a chain without its beginning: a model would answer it as if it were whole. */
function rejectIncomplete({ links, previousId }: Extent): void {
  if (previousId === null) return;
  if (links > MAX_CHAIN)
    throw new GatewayError<CreateResponseCode>('request_too_large', {
      param: PREVIOUS,
      message: `'${PREVIOUS}' continues a chain of more than ${MAX_CHAIN} responses. Start a new conversation.`,
    });
  const message = `The conversation is incomplete: response '${shown(previousId)}' was deleted or has expired. Send the full conversation in 'input'.`;
  throw new GatewayError<CreateResponseCode>('previous_response_not_found', { param: PREVIOUS, message });
}

/** The same error for an unknown ID, an ID of another account, a response that wasn't stored, and one past its retention time. */
const unknownResponse = (id: string): ErrorOf<'createResponse', 400> =>
  new GatewayError('previous_response_not_found', { param: PREVIOUS, message: notStored(id) });

export const notStored = (id: string) => `Response '${shown(id)}' not found. This account has no stored response with this ID.`;

function unknownItem(id: string, index: number): never {
  const error: ErrorOf<'createResponse', 400> = new GatewayError('item_not_found', {
    param: placeOfReference(index),
    message: `'input[${index}]' refers to item '${shown(id)}', which isn't stored for this account. Send the item itself.`,
  });
  throw error;
}
