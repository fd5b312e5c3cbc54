/** Reads a page of the input items of a stored response. */

import { createHash } from 'node:crypto';
import { type InputItemQuery, PAGE_LENGTH } from '../../contract/responses/stored.ts';
import { type CreateResponseCode, GatewayError, throwStoreDown } from '../primitives/errors.ts';
import { freeMemory } from '../primitives/free-memory.ts';
import { runExclusive } from '../primitives/run-exclusive.ts';
import { getIdPrefix, writeStoredItem } from '../protocols/responses/stored-items.ts';
import type { HistoryReader, HistoryStore, ShapedTurn, StoredSlice } from './store.ts';
import { type ItemLocation, type StoredPart, type StoredShape, unpackShape, writeStoredResponse } from './stored-response.ts';

/** An item before it's read, by its position in the store, which never changes. */
interface LocatedItem extends ItemLocation {
  readonly responseId: string;
  readonly part: StoredPart;
  readonly index: number;
}

type ListedItem = LocatedItem & { readonly listedId: string };

/** In bytes. A page of this size takes milliseconds to write and several copies in memory. */
const LARGE_PAGE_BYTES = 1_048_576;

interface PageParams {
  readonly reader: HistoryReader;
  readonly id: string;
  readonly query: InputItemQuery;
  /** In bytes. A page stays below this size but holds at least one item. */
  readonly maxBytes: number;
}

/** Returns the JSON of an `InputItemList`, or undefined if the response doesn't exist. */
export async function readInputPage(store: HistoryStore, { reader, id, query, maxBytes }: PageParams): Promise<Buffer | undefined> {
  const { accountId, share } = reader;
  const turns = await store.listShapes(accountId, id).catch(throwStoreDown);
  if (turns.length === 0) return undefined;
  const listedItems = assignIds(await locateItems(store, accountId, turns));
  const { page, hasMore } = cutPage(listedItems, query, maxBytes);
  const bytes = page.reduce((sum, { start, end }) => sum + end - start, 0);
  const createPage = async (): Promise<Buffer> => {
    // Acquired only now, so that pages waiting for their turn hold no memory.
    share?.acquireStored(bytes);
    const runs = await readRuns(store, accountId, page);
    const pageJson = writePage(
      runs.flatMap(({ items }) => items),
      hasMore,
    );
    for (const { bytes } of runs) freeMemory(bytes);
    return pageJson;
  };
  return bytes < LARGE_PAGE_BYTES ? await createPage() : await runExclusive(createPage);
}

/** Locates the input and output of all turns except the last, then the input of the last turn. `turns` is oldest first. */
async function locateItems(store: HistoryStore, accountId: string, turns: readonly ShapedTurn[]): Promise<LocatedItem[]> {
  const items: LocatedItem[] = [];
  for (const [index, turn] of turns.entries()) {
    const shape = await loadShape(store, accountId, turn);
    const parts: readonly StoredPart[] = index === turns.length - 1 ? ['input'] : ['input', 'output'];
    for (const part of parts) for (const [at, item] of shape[part].entries()) items.push({ ...item, responseId: turn.id, part, index: at });
  }
  return items;
}

/** Responses stored by older versions have no shape, so each of them is read in full, one at a time. */
async function loadShape(store: HistoryStore, accountId: string, { id, shape }: ShapedTurn): Promise<StoredShape> {
  if (shape !== null) return unpackShape(shape);
  const record = await store.find(accountId, id).catch(throwStoreDown);
  return record ? writeStoredResponse(record).shape : { input: [], output: [] };
}

/** Makes the IDs unique, so that `after` is unambiguous: callers can send items without an ID, or repeat an item in a later turn. */
function assignIds(items: readonly LocatedItem[]): ListedItem[] {
  const seenIds = new Set<string>();
  return items.map((item) => {
    const { id } = item;
    const listedId = id !== null && id !== '' && !seenIds.has(id) ? id : computeItemId(item);
    seenIds.add(listedId);
    return { ...item, listedId };
  });
}

function cutPage(oldestFirst: readonly ListedItem[], { limit = PAGE_LENGTH, order = 'desc', after }: InputItemQuery, maxBytes: number) {
  const items = order === 'asc' ? oldestFirst : oldestFirst.toReversed();
  const start = after === undefined ? 0 : items.findIndex(({ listedId }) => listedId === after) + 1;
  if (after !== undefined && start === 0) {
    throw new GatewayError<CreateResponseCode>('invalid_value', {
      param: 'after',
      message: "'after' must be the ID of an item in this list.",
    });
  }
  let bytes = 0;
  const requested = items.slice(start, start + limit);
  const cutIndex = requested.findIndex((item, index) => {
    bytes += item.end - item.start;
    return index > 0 && bytes > maxBytes;
  });
  const page = cutIndex < 0 ? requested : requested.slice(0, cutIndex);
  return { page, hasMore: start + page.length < items.length };
}

/** The JSON of a listed item, in pieces. */
interface ReadItem {
  readonly id: string;
  readonly json: readonly Buffer[];
}

/** Adjacent items, and the buffer that they're views of. */
interface ReadRun {
  readonly items: readonly ReadItem[];
  readonly bytes: Buffer;
}

/** Writes the list and copies the stored bytes of its items only once, because a page can have many megabytes. */
function writePage(items: readonly ReadItem[], hasMore: boolean): Buffer {
  const pagination = { first_id: items[0]?.id ?? null, last_id: items.at(-1)?.id ?? null, has_more: hasMore };
  const comma = Buffer.from(',');
  const data = items.flatMap(({ json }, index) => (index === 0 ? json : [comma, ...json]));
  return Buffer.concat([Buffer.from('{"object":"list","data":['), ...data, Buffer.from(`],${JSON.stringify(pagination).slice(1)}`)]);
}

/** Reads adjacent items of the same stored text together. */
async function readRuns(store: HistoryStore, accountId: string, page: readonly ListedItem[]): Promise<ReadRun[]> {
  const runs: ListedItem[][] = [];
  for (const item of page) {
    const last = runs.at(-1);
    const [first] = last ?? [];
    if (last && first?.responseId === item.responseId && first.part === item.part) last.push(item);
    else runs.push([item]);
  }
  const results: ReadRun[] = [];
  for (const run of runs) results.push(await readRun(store, accountId, run));
  return results;
}

async function readRun(store: HistoryStore, accountId: string, run: readonly ListedItem[]): Promise<ReadRun> {
  const slice = toSlice(run);
  const bytes = await store.readSlice(accountId, slice).catch(throwStoreDown);
  // The response was deleted during the read.
  if (bytes === undefined) return { items: [], bytes: Buffer.alloc(0) };
  const items = run.map((listed) => ({
    id: listed.listedId,
    json: writeStoredItem(bytes.subarray(listed.start - slice.start, listed.end - slice.start), { id: listed.listedId, type: listed.type }),
  }));
  return { items, bytes };
}

function toSlice(run: readonly ListedItem[]): StoredSlice {
  const [{ responseId, part } = { responseId: '', part: 'input' as const }] = run;
  const [start, end] = [Math.min(...run.map((item) => item.start)), Math.max(...run.map((item) => item.end))];
  return { responseId, part, start, end };
}

/** The ID stays the same across reads and restarts, and can't be guessed from the ID of another item. */
function computeItemId({ responseId, part, index, type }: LocatedItem): string {
  const hash = createHash('sha256').update(`${responseId} ${part} ${index}`).digest('hex');
  return `${getIdPrefix(type)}_${hash.slice(0, 48)}`;
}
