/** The input of a stored response as a list of items, each with a unique id. Only the items of the requested page are read. */
import { createHash } from 'node:crypto';
import { type InputItemQuery, PAGE_LENGTH } from '../../contract/stored-responses.ts';
import { idPrefixOf, writeListedItem } from '../dialects/responses/listed-item.ts';
import { type CreateResponseCode, GatewayError, storeFailed } from '../errors.ts';
import { freeMemory } from '../primitives/free-memory.ts';
import { oneAtATime } from '../primitives/serial-work.ts';
import type { HistoryStore, Part, Reader, ShapedTurn, Slice } from './store.ts';
import { type ItemPlace, type StoredShape, unpackShape, writeResponse } from './stored-shape.ts';

/** An item that has not been read, by its place in the store, which never changes. */
interface PlacedItem extends ItemPlace {
  readonly responseId: string;
  readonly part: Part;
  readonly index: number;
}

type ListedItem = PlacedItem & { readonly listedId: string };

/** In bytes: a page of this size takes milliseconds and several copies. */
const LARGE = 1_048_576;

export interface PageOrder {
  readonly reader: Reader;
  readonly id: string;
  readonly query: InputItemQuery;
  /** A page ends before it exceeds this, but holds at least one item. */
  readonly mostBytes: number;
}

/** The JSON of an `InputItemList`; undefined when there is no such response. */
export async function pageOf(store: HistoryStore, { reader, id, query, mostBytes }: PageOrder): Promise<Buffer | undefined> {
  const { accountId, share } = reader;
  const turns = await store.shapes(accountId, id).catch(storeFailed);
  if (turns.length === 0) return undefined;
  const listed = identify(await placeAll(store, accountId, turns));
  const { page, hasMore } = cut(listed, query, mostBytes);
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

/** Makes the ids unique, so that `after` is unambiguous: callers send items without an id, and the same item again in a later turn. */
function identify(items: readonly PlacedItem[]): ListedItem[] {
  const seen = new Set<string>();
  return items.map((placed) => {
    const { id } = placed;
    const listedId = id !== null && id !== '' && !seen.has(id) ? id : makeId(placed);
    seen.add(listedId);
    return { ...placed, listedId };
  });
}

function cut(oldestFirst: readonly ListedItem[], { limit = PAGE_LENGTH, order = 'desc', after }: InputItemQuery, mostBytes: number) {
  const items = order === 'asc' ? oldestFirst : oldestFirst.toReversed();
  const start = after === undefined ? 0 : items.findIndex(({ listedId }) => listedId === after) + 1;
  if (after !== undefined && start === 0) {
    throw new GatewayError<CreateResponseCode>('invalid_value', {
      param: 'after',
      message: "'after' has to be the id of an item of this list.",
    });
  }
  let bytes = 0;
  const asked = items.slice(start, start + limit);
  const tooMuch = asked.findIndex((item, index) => {
    bytes += item.end - item.start;
    return index > 0 && bytes > mostBytes;
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
  // The response was deleted meanwhile.
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

/** The same at every read and after a restart, and not to be guessed from another item's id. */
function makeId({ responseId, part, index, type }: PlacedItem): string {
  const hash = createHash('sha256').update(`${responseId} ${part} ${index}`).digest('hex');
  return `${idPrefixOf(type)}_${hash.slice(0, 48)}`;
}
