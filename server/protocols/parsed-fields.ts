/**
 * Omits the parsed fields that helpers of OpenAI's SDKs add to a response. Agents send them back, but providers reject them, and they only repeat the text.
 */
import { type Fields, isFields } from '../primitives/fields.ts';

import type { Changes } from './wire/json-body.ts';
import { mapList, withValues } from './wire/with-values.ts';

/** The changes to a forwarded body. */
export function withoutParsedFields(body: Fields, list: 'messages' | 'input'): Changes {
  const items = body[list];
  if (!Array.isArray(items)) return {};
  const keptItems = mapList(items, omitFromItem);
  return keptItems === items ? {} : { [list]: keptItems };
}

function omitFromItem(item: unknown): unknown {
  if (!isFields(item) || (item.role !== 'assistant' && item.type !== 'function_call')) return item;
  const { content, tool_calls: calls } = item;
  return withValues(omitFromObject(item), {
    ...(Array.isArray(content) && { content: mapList(content, (part) => (isFields(part) ? omitFromObject(part) : part)) }),
    ...(Array.isArray(calls) && { tool_calls: mapList(calls, omitFromCall) }),
  });
}

const omitFromCall = (call: unknown): unknown =>
  isFields(call) && isFields(call.function) ? withValues(call, { function: omitFromObject(call.function) }) : call;

/** Returns the same object if it has neither field. */
function omitFromObject(object: Fields): Fields {
  if (!Object.hasOwn(object, 'parsed') && !Object.hasOwn(object, 'parsed_arguments')) return object;
  const { parsed: _, parsed_arguments: __, ...rest } = object;
  return rest;
}
