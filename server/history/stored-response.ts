/** Writes a response for storage: its JSON, and the position of each item in it. */

import type { Fields } from '../primitives/fields.ts';
import { DEFAULT_ITEM_TYPE, getOutputItems, hasOutput, OUTPUT_FIELD } from '../protocols/responses/stored-items.ts';
import { type JsonPieces, joinPieces, toJsonPieces, toPlainPieces, writePieces } from './json-pieces.ts';

/** The position of an item, in bytes from the start of its text. */
export interface ItemLocation {
  /** The item's own ID. Null if it has none. */
  readonly id: string | null;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The item locations of a stored response. In the databases it's named outline. */
export type StoredShape = Readonly<Record<StoredPart, readonly ItemLocation[]>>;

/** Large text is bytes, in separate memory. */
export type StoredText = string | Buffer<ArrayBuffer>;

/** The serialized texts of a stored response. */
interface WrittenResponse {
  readonly input: StoredText;
  readonly response: StoredText;
  /** The position and length of the output list in `response`, in bytes. Both are 0 if it has none. */
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly shape: StoredShape;
  /** Each output item with an ID. */
  readonly items: readonly (readonly [id: string, item: StoredText])[];
}

export function writeStoredResponse({ input, response }: Pick<StoredResponse, 'input' | 'response'>): WrittenResponse {
  const inputList = writeList(input, 0);
  const { before: piecesBefore, after: piecesAfter } = writeFieldsAroundOutput(response);
  const outputList = writeList(getOutputItems(response), piecesBefore.bytes);
  const hasOutputField = hasOutput(response);
  return {
    input: writePieces(inputList.list),
    response: writePieces(hasOutputField ? joinPieces([piecesBefore, outputList.list, piecesAfter]) : piecesBefore),
    outputAt: hasOutputField ? piecesBefore.bytes : 0,
    outputBytes: hasOutputField ? outputList.list.bytes : 0,
    shape: { input: inputList.places, output: outputList.places },
    items: outputList.places.flatMap(({ id }, index) =>
      id === null ? [] : [[id, writePieces(outputList.items[index] ?? EMPTY)] as const],
    ),
  };
}

/** Returns the output of JSON.stringify for the response, in two parts: before and after the list of output items. */
function writeFieldsAroundOutput(response: Fields): { readonly before: JsonPieces; readonly after: JsonPieces } {
  if (!hasOutput(response)) return { before: toJsonPieces(response), after: EMPTY };
  const fields = Object.entries(response).filter(([, value]) => value !== undefined);
  const outputIndex = fields.findIndex(([name]) => name === OUTPUT_FIELD);
  const writeField = ([name, value]: readonly [string, unknown]) => [toPlainPieces(`${JSON.stringify(name)}:`), toJsonPieces(value)];
  const fieldsBefore = fields.slice(0, outputIndex).flatMap((field) => [...writeField(field), COMMA]);
  const fieldsAfter = fields.slice(outputIndex + 1).flatMap((field) => [COMMA, ...writeField(field)]);
  return {
    before: joinPieces([toPlainPieces('{'), ...fieldsBefore, toPlainPieces(`"${OUTPUT_FIELD}":`)]),
    after: joinPieces([...fieldsAfter, toPlainPieces('}')]),
  };
}

const EMPTY = toPlainPieces('');

const COMMA = toPlainPieces(',');

/** `at`: the offset of the list in its text. */
function writeList(
  values: readonly Fields[],
  offset: number,
): { list: JsonPieces; items: readonly JsonPieces[]; places: readonly ItemLocation[] } {
  const items = values.map(toJsonPieces);
  let nextStart = offset + 1;
  const locations = values.map((value, index) => {
    const end = nextStart + (items[index]?.bytes ?? 0);
    const location = toItemLocation(value, nextStart, end);
    nextStart = end + 1;
    return location;
  });
  const separatedItems = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return { list: joinPieces([toPlainPieces('['), ...separatedItems, toPlainPieces(']')]), items, places: locations };
}

const toItemLocation = ({ id, type }: Fields, start: number, end: number): ItemLocation => ({
  id: typeof id === 'string' ? id : null,
  type: typeof type === 'string' ? type : DEFAULT_ITEM_TYPE,
  start,
  end,
});

type PackedItem = readonly [id: string | null, type: string, start: number, end: number];

/** Packs the shape into short JSON, because a read of any item reads the full shape. */
export function packShape({ input, output }: StoredShape): string {
  const pack = ({ id, type, start, end }: ItemLocation): PackedItem => [id, type, start, end];
  return JSON.stringify([input.map(pack), output.map(pack)]);
}

export function unpackShape(text: string): StoredShape {
  // `packShape` wrote this JSON.
  const [input, output] = JSON.parse(text) as readonly [readonly PackedItem[], readonly PackedItem[]];
  const unpack = ([id, type, start, end]: PackedItem): ItemLocation => ({ id, type, start, end });
  return { input: input.map(unpack), output: output.map(unpack) };
}

/** A response as the caller received it, and the new input of its request. Items use the Responses wire format. */
export interface StoredResponse {
  readonly id: string;
  readonly accountId: string;
  readonly previousId: string | null;
  /** Name of the upstream that created the response. Only this upstream can read its encrypted reasoning. */
  readonly upstream: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly input: readonly Fields[];
  readonly response: Fields;
}

export type StoredPart = 'input' | 'output';
