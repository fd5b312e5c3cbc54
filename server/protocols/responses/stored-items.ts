/** Reads the items of a stored response, and writes a stored item for a list. */
import { type Fields, isSet } from '../../primitives/fields.ts';
import { editInPieces } from '../wire/json-body.ts';
import { type JsonSpan, QUOTE, readJsonOutline } from '../wire/json-outline.ts';

/** The output items of a response object. */
export function getOutputItems(response: Fields): readonly Fields[] {
  // Only valid responses are stored, so the output is a list of objects.
  return hasOutput(response) ? (response.output as Fields[]) : [];
}

export const hasOutput = (response: Fields): boolean => Array.isArray(response.output);

/** The field of a response object that contains its items. */
export const OUTPUT_FIELD = 'output';

/** Removes a stored item's encrypted reasoning. Returns the same item if it has none. */
export function withoutEncrypted(item: Fields): Fields {
  if (item.type !== 'reasoning' || !isSet(item.encrypted_content)) return item;
  const { encrypted_content: _, ...rest } = item;
  return rest;
}

/** The type of an item without a `type`. */
export const DEFAULT_ITEM_TYPE = 'message';

/** ID prefixes by item type. */
const prefixes: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' };

export const getIdPrefix = (type: string): string => (Object.hasOwn(prefixes, type) ? String(prefixes[type]) : 'item');

/** The item's bytes in pieces. Adds an ID, a type, and content parts if the caller omitted them or wrote the content as a string. */
export function writeStoredItem(item: Buffer, { id, type }: { readonly id: string; readonly type: string }): readonly Buffer[] {
  const { places: spans } = readJsonOutline(item);
  const readField = (name: string): unknown => {
    const span = spans.get(name);
    return span ? JSON.parse(item.toString('utf8', span.valueStart, span.end)) : undefined;
  };
  const changes = new Map<string, unknown>([
    ['id', id],
    ['type', type],
  ]);
  for (const [name, value] of changes) if (readField(name) === value) changes.delete(name);
  if (type === DEFAULT_ITEM_TYPE && isText(item, spans.get('content')))
    changes.set('content', toParts(readField('role'), readField('content')));
  return editInPieces({ bytes: item, places: spans }, changes);
}

const isText = (item: Buffer, span: JsonSpan | null | undefined): boolean => Boolean(span && item[span.valueStart] === QUOTE);

/** A message's content can be a string. The list of items has parts instead, as clients expect. */
function toParts(role: unknown, text: unknown): unknown {
  return role === 'assistant' ? [{ type: 'output_text', text, annotations: [] }] : [{ type: 'input_text', text }];
}

export const findEncrypted = ({ encrypted_content: encrypted }: Fields): string | null =>
  typeof encrypted === 'string' && encrypted !== '' ? encrypted : null;

/** The encrypted reasoning of an item. Null if it has none. */
export const findEncryptedReasoning = (item: Fields): string | null => (item.type === 'reasoning' ? findEncrypted(item) : null);

/** The reasoning at the end of a response. The Responses API rejects reasoning without the item that followed it. */
export const findTrailingReasoning = (output: readonly Fields[]): readonly Fields[] =>
  output.slice(output.findLastIndex(({ type }) => type !== 'reasoning') + 1);
