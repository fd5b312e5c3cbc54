/** What went into a stored response as a list of items, each with an id of its own (specification 4.6). */
import { createHash } from 'node:crypto';
import type { Fields } from '../../contract/rule.ts';
import type { StoredItem } from '../../contract/stored-responses.ts';
import { outputOf, type StoredResponse } from './store.ts';

/** An item with the place where it was kept, which is the same at every look. */
interface PlacedItem {
  readonly item: Fields;
  readonly responseId: string;
  readonly part: 'input' | 'output';
  readonly index: number;
}

const place = ({ id, input, response }: StoredResponse, part: PlacedItem['part']): PlacedItem[] =>
  (part === 'input' ? input : outputOf(response)).map((item, index) => ({ item, responseId: id, part, index }));

/** The turns before the last with what came out of them, then the input of the last; `chain` is oldest first. */
export function inputItemsOf(chain: readonly StoredResponse[]): StoredItem[] {
  const last = chain.at(-1);
  return identify(chain.flatMap((turn) => [...place(turn, 'input'), ...(turn === last ? [] : place(turn, 'output'))]));
}

/** Every id once, so that `after` has one meaning: callers send items without an id, and the same item again in a later turn. */
function identify(items: readonly PlacedItem[]): StoredItem[] {
  const seen = new Set<string>();
  return items.map((placed) => {
    const { item } = placed;
    const type = typeof item.type === 'string' ? item.type : 'message';
    const own = typeof item.id === 'string' && item.id !== '' && !seen.has(item.id) ? item.id : makeId(placed, type);
    seen.add(own);
    return { ...item, id: own, type, ...(type === 'message' && { content: partsOf(item) }) };
  });
}

const prefixes: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' };

/** The same at every look and after a restart, and not to be guessed from another item's. */
function makeId({ responseId, part, index }: PlacedItem, type: string): string {
  const hash = createHash('sha256').update(`${responseId} ${part} ${index}`).digest('hex');
  return `${Object.hasOwn(prefixes, type) ? prefixes[type] : 'item'}_${hash.slice(0, 48)}`;
}

/** A message may be given as a string; in the list it has parts, as clients expect. */
function partsOf({ role, content }: Fields): unknown {
  if (typeof content !== 'string') return content;
  return role === 'assistant' ? [{ type: 'output_text', text: content, annotations: [] }] : [{ type: 'input_text', text: content }];
}
