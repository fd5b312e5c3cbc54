/** What went into a stored response as a list of items, each with an id of its own, of which a page is read and nothing more. */
import { createHash } from 'node:crypto';
import { type InputItemQuery, PAGE_LENGTH } from '../../contract/stored-responses.ts';
import { editFields } from '../dialects/wire/json-body.ts';
import { outlineOfBytes, type Place } from '../dialects/wire/json-outline.ts';
import { QUOTE } from '../dialects/wire/json-scanner.ts';
import { type CreateResponseCode, GatewayError, storeFailed } from '../errors.ts';
import { oneAtATime } from '../primitives/serial-work.ts';
import { type Outline, type Outlined, unpackOutline, writeResponse } from './outline.ts';
import type { HistoryStore, OutlinedTurn, Part, Reader, Slice } from './store.ts';

/** An item that has not been read, by the place where it is kept, which is the same at every look. */
interface PlacedItem extends Outlined {
  readonly responseId: string;
  readonly part: Part;
  readonly index: number;
}

type ListedItem = PlacedItem & { readonly listedId: string };

/** In bytes: a page of so many takes milliseconds, and some copies. */
const LARGE = 1_048_576;

export interface PageOrder {
  readonly reader: Reader;
  readonly id: string;
  readonly query: InputItemQuery;
  /** A page ends before it has more, behind its first item. */
  readonly mostBytes: number;
}

/** The JSON of an `InputItemList`; undefined where there is no such response. */
export async function pageOf(store: HistoryStore, { reader, id, query, mostBytes }: PageOrder): Promise<Buffer | undefined> {
  const { accountId, share } = reader;
  const turns = await store.outlines(accountId, id).catch(storeFailed);
  if (turns.length === 0) return undefined;
  const listed = identify(await placeAll(store, accountId, turns));
  const { page, hasMore } = cut(listed, query, mostBytes);
  const bytes = page.reduce((sum, { start, end }) => sum + end - start, 0);
  share?.takeStored(bytes);
  const write = async (): Promise<Buffer> => writePage(await readAll(store, accountId, page), hasMore);
  return bytes < LARGE ? await write() : await oneAtATime(write);
}

/** The turns before the last with what came out of them, then the input of the last; `turns` is oldest first. */
async function placeAll(store: HistoryStore, accountId: string, turns: readonly OutlinedTurn[]): Promise<PlacedItem[]> {
  const items: PlacedItem[] = [];
  for (const [index, turn] of turns.entries()) {
    const outline = await outlineOf(store, accountId, turn);
    const parts: readonly Part[] = index === turns.length - 1 ? ['input'] : ['input', 'output'];
    for (const part of parts)
      for (const [at, item] of outline[part].entries()) items.push({ ...item, responseId: turn.id, part, index: at });
  }
  return items;
}

/** What an older program wrote is looked through, one response after the other. */
async function outlineOf(store: HistoryStore, accountId: string, { id, outline }: OutlinedTurn): Promise<Outline> {
  if (outline !== null) return unpackOutline(outline);
  const record = await store.find(accountId, id).catch(storeFailed);
  return record ? writeResponse(record).outline : { input: [], output: [] };
}

/** Every id once, so that `after` has one meaning: callers send items without an id, and the same item again in a later turn. */
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

/** The JSON of an item as the list shows it. */
interface ReadItem {
  readonly id: string;
  readonly json: Buffer;
}

/** As a list: its items are the bytes that were stored, so that a page of many megabytes is not made three times over. */
function writePage(items: readonly ReadItem[], hasMore: boolean): Buffer {
  const ends = { first_id: items[0]?.id ?? null, last_id: items.at(-1)?.id ?? null, has_more: hasMore };
  const comma = Buffer.from(',');
  const data = items.flatMap(({ json }, index) => (index === 0 ? [json] : [comma, json]));
  return Buffer.concat([Buffer.from('{"object":"list","data":['), ...data, Buffer.from(`],${JSON.stringify(ends).slice(1)}`)]);
}

/** Neighbours in one text are read together. */
async function readAll(store: HistoryStore, accountId: string, page: readonly ListedItem[]): Promise<ReadItem[]> {
  const runs: ListedItem[][] = [];
  for (const item of page) {
    const last = runs.at(-1);
    const [first] = last ?? [];
    if (last && first?.responseId === item.responseId && first.part === item.part) last.push(item);
    else runs.push([item]);
  }
  const read: ReadItem[] = [];
  for (const run of runs) read.push(...(await readRun(store, accountId, run)));
  return read;
}

async function readRun(store: HistoryStore, accountId: string, run: readonly ListedItem[]): Promise<ReadItem[]> {
  const slice = sliceOf(run);
  const bytes = await store.slice(accountId, slice).catch(storeFailed);
  // Deleted meanwhile.
  if (bytes === undefined) return [];
  return run.map((listed) => ({
    id: listed.listedId,
    json: complete(bytes.subarray(listed.start - slice.start, listed.end - slice.start), listed),
  }));
}

function sliceOf(run: readonly ListedItem[]): Slice {
  const [{ responseId, part } = { responseId: '', part: 'input' as const }] = run;
  const [start, end] = [Math.min(...run.map((item) => item.start)), Math.max(...run.map((item) => item.end))];
  return { responseId, part, start, end };
}

/** With an id and a type, and the content of a message as parts, where a caller left them out or wrote it as a string. */
function complete(item: Buffer, { listedId: id, type }: ListedItem): Buffer {
  const { places } = outlineOfBytes(item);
  const read = (name: string): unknown => {
    const place = places.get(name);
    return place ? JSON.parse(item.toString('utf8', place.valueStart, place.end)) : undefined;
  };
  const changes = new Map<string, unknown>([
    ['id', id],
    ['type', type],
  ]);
  for (const [name, value] of changes) if (read(name) === value) changes.delete(name);
  if (type === 'message' && isText(item, places.get('content'))) changes.set('content', partsOf(read('role'), read('content')));
  return editFields({ bytes: item, places }, changes);
}

const isText = (item: Buffer, place: Place | null | undefined): boolean => Boolean(place && item[place.valueStart] === QUOTE);

const prefixes: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' };

/** The same at every look and after a restart, and not to be guessed from another item's. */
function makeId({ responseId, part, index, type }: PlacedItem): string {
  const hash = createHash('sha256').update(`${responseId} ${part} ${index}`).digest('hex');
  return `${Object.hasOwn(prefixes, type) ? prefixes[type] : 'item'}_${hash.slice(0, 48)}`;
}

/** A message may be given as a string; in the list it has parts, as clients expect. */
function partsOf(role: unknown, text: unknown): unknown {
  return role === 'assistant' ? [{ type: 'output_text', text, annotations: [] }] : [{ type: 'input_text', text }];
}
