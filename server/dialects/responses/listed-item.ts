/** An input item as the list of a stored response shows it: with an id and a type, and the content of a message as parts. */
import type { Place } from '../wire/byte-edits.ts';
import { editInPieces } from '../wire/json-body.ts';
import { outlineOf } from '../wire/json-outline.ts';
import { QUOTE } from '../wire/json-scanner.ts';

/** The type of an item that does not name it. */
export const USUAL_TYPE = 'message';

/** The beginnings of ids, by the type of their item. */
const prefixes: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' };
export const idPrefixOf = (type: string): string => (Object.hasOwn(prefixes, type) ? String(prefixes[type]) : 'item');

/** The bytes of the item in pieces, with an id, a type and parts where callers left them out or wrote the content as a string. */
export function writeListedItem(item: Buffer, { id, type }: { readonly id: string; readonly type: string }): readonly Buffer[] {
  const { places } = outlineOf(item);
  const read = (name: string): unknown => {
    const place = places.get(name);
    return place ? JSON.parse(item.toString('utf8', place.valueStart, place.end)) : undefined;
  };
  const changes = new Map<string, unknown>([
    ['id', id],
    ['type', type],
  ]);
  for (const [name, value] of changes) if (read(name) === value) changes.delete(name);
  if (type === USUAL_TYPE && isText(item, places.get('content'))) changes.set('content', partsOf(read('role'), read('content')));
  return editInPieces({ bytes: item, places }, changes);
}

const isText = (item: Buffer, place: Place | null | undefined): boolean => Boolean(place && item[place.valueStart] === QUOTE);

/** A message may be given as a string; in the list it has parts, as clients expect. */
function partsOf(role: unknown, text: unknown): unknown {
  return role === 'assistant' ? [{ type: 'output_text', text, annotations: [] }] : [{ type: 'input_text', text }];
}
