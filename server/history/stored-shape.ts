/** The texts that are stored of a response, and the place of each item in them, so that one item can be read without the others. */
import type { Fields } from '../../contract/rule.ts';
import { hasOutput, OUTPUT, outputOf } from '../dialects/responses/continuation.ts';
import { USUAL_TYPE } from '../dialects/responses/listed-item.ts';
import { joinPieces, jsonPieces, type Pieces, plainPieces, writePieces } from './json-pieces.ts';
import type { Part, StoredResponse } from './store.ts';

/** The place of an item, in bytes from the start of its text. */
export interface ItemPlace {
  /** The id it came with; null when it had none. */
  readonly id: string | null;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The places of the items of a stored response. The databases call it its outline. */
export type StoredShape = Readonly<Record<Part, readonly ItemPlace[]>>;

/** A text; a large one as bytes, in memory of its own. */
export type StoredText = string | Buffer<ArrayBuffer>;

/** The texts of a response, as they are stored. */
export interface WrittenResponse {
  readonly input: StoredText;
  readonly response: StoredText;
  /** The place of the list of output items in `response`, in bytes; both are 0 when it has none. */
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly shape: StoredShape;
  /** Each output item that has an id. */
  readonly items: readonly (readonly [id: string, item: StoredText])[];
}

export function writeResponse({ input, response }: Pick<StoredResponse, 'input' | 'response'>): WrittenResponse {
  const given = writeList(input, 0);
  const { before, after } = writeAround(response);
  const made = writeList(outputOf(response), before.bytes);
  const isListed = hasOutput(response);
  return {
    input: writePieces(given.list),
    response: writePieces(isListed ? joinPieces([before, made.list, after]) : before),
    outputAt: isListed ? before.bytes : 0,
    outputBytes: isListed ? made.list.bytes : 0,
    shape: { input: given.places, output: made.places },
    items: made.places.flatMap(({ id }, index) => (id === null ? [] : [[id, writePieces(made.items[index] ?? NOTHING)] as const])),
  };
}

/** What JSON.stringify writes of the response, in two parts: before the list of output items, and after it. */
function writeAround(response: Fields): { readonly before: Pieces; readonly after: Pieces } {
  if (!hasOutput(response)) return { before: jsonPieces(response), after: NOTHING };
  const fields = Object.entries(response).filter(([, value]) => value !== undefined);
  const at = fields.findIndex(([name]) => name === OUTPUT);
  const write = ([name, value]: readonly [string, unknown]) => [plainPieces(`${JSON.stringify(name)}:`), jsonPieces(value)];
  const before = fields.slice(0, at).flatMap((field) => [...write(field), COMMA]);
  const after = fields.slice(at + 1).flatMap((field) => [COMMA, ...write(field)]);
  return {
    before: joinPieces([plainPieces('{'), ...before, plainPieces(`"${OUTPUT}":`)]),
    after: joinPieces([...after, plainPieces('}')]),
  };
}

const NOTHING = plainPieces('');
const COMMA = plainPieces(',');

interface WrittenList {
  readonly list: Pieces;
  readonly items: readonly Pieces[];
  readonly places: readonly ItemPlace[];
}

/** `at`: the start of the list in its text. */
function writeList(values: readonly Fields[], at: number): WrittenList {
  const items = values.map(jsonPieces);
  let start = at + 1;
  const places = values.map((value, index) => {
    const end = start + (items[index]?.bytes ?? 0);
    const place = placeOf(value, start, end);
    start = end + 1;
    return place;
  });
  const inner = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return { list: joinPieces([plainPieces('['), ...inner, plainPieces(']')]), items, places };
}

const placeOf = ({ id, type }: Fields, start: number, end: number): ItemPlace => ({
  id: typeof id === 'string' ? id : null,
  type: typeof type === 'string' ? type : USUAL_TYPE,
  start,
  end,
});

type Row = readonly [id: string | null, type: string, start: number, end: number];

/** As short JSON, because it is read whole for any of the items. */
export function packShape({ input, output }: StoredShape): string {
  const pack = ({ id, type, start, end }: ItemPlace): Row => [id, type, start, end];
  return JSON.stringify([input.map(pack), output.map(pack)]);
}

export function unpackShape(packed: string): StoredShape {
  // `packShape` wrote this JSON.
  const [input, output] = JSON.parse(packed) as readonly [readonly Row[], readonly Row[]];
  const unpack = ([id, type, start, end]: Row): ItemPlace => ({ id, type, start, end });
  return { input: input.map(unpack), output: output.map(unpack) };
}
