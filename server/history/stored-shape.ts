/** A response as it is written down, and where each item stands in its texts: so that one is read without the others. */
import type { Fields } from '../../contract/rule.ts';
import { hasOutput, OUTPUT, outputOf } from '../dialects/responses/continuation.ts';
import { USUAL_TYPE } from '../dialects/responses/listed-item.ts';
import { joinPieces, jsonPieces, type Pieces, plainPieces, writePieces } from './json-pieces.ts';
import type { Part, StoredResponse } from './store.ts';

/** Where an item stands, in bytes from the start of its text. */
export interface ItemPlace {
  /** Its own; null where it came without one. */
  readonly id: string | null;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Where the items of a stored response stand. The databases call it its outline. */
export type StoredShape = Readonly<Record<Part, readonly ItemPlace[]>>;

/** A text; its bytes, in memory of their own, where it is large. */
export type StoredText = string | Buffer<ArrayBuffer>;

/** The texts of a response as stores keep them. */
export interface WrittenResponse {
  readonly input: StoredText;
  readonly response: StoredText;
  /** The list of output items in `response`, in bytes; nothing at 0 where it has none. */
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly shape: StoredShape;
  /** Each output item that has an id, by itself. */
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

/** As JSON.stringify writes it, in two pieces: what stands before the list of output items, and what stands behind it. */
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

/** `at`: where the list begins in its text. */
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

/** In few letters: it is read whole, whichever of the items is wanted. */
export function packShape({ input, output }: StoredShape): string {
  const pack = ({ id, type, start, end }: ItemPlace): Row => [id, type, start, end];
  return JSON.stringify([input.map(pack), output.map(pack)]);
}

export function unpackShape(packed: string): StoredShape {
  // Packed right above.
  const [input, output] = JSON.parse(packed) as readonly [readonly Row[], readonly Row[]];
  const unpack = ([id, type, start, end]: Row): ItemPlace => ({ id, type, start, end });
  return { input: input.map(unpack), output: output.map(unpack) };
}
