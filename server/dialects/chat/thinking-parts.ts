/** Thoughts as parts of an assistant's message, the way Mistral writes them: sent back as the vendor takes them, or left out and named. */
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import type { Changes } from '../wire/json-body.ts';

const listed = (value: unknown): string => (Array.isArray(value) ? value.map(textIn).join('') : typeof value === 'string' ? value : '');

/** The text of a part; empty for a part of another kind. */
export const textIn = (part: unknown): string => (isFields(part) && part.type === 'text' ? listed(part.text) : '');

/** The thoughts of a part; empty for a part of another kind. */
export const thoughtIn = (part: unknown): string => (isThinking(part) ? listed(part.thinking) : '');

/** How an upstream takes the thoughts of earlier answers: as parts, in a field of the message, or (null) not at all. */
export type ThoughtsPlace = 'parts' | { readonly field: string } | null;

const isThinking = (part: unknown): part is Fields => isFields(part) && part.type === 'thinking';

const NONE: readonly unknown[] = [];
const partsOf = (message: unknown): readonly unknown[] =>
  isFields(message) && message.role === 'assistant' && Array.isArray(message.content) ? message.content : NONE;

const hasThoughts = (message: unknown): boolean => partsOf(message).some(isThinking);

/** The message with its thoughts in `field`, or without them. The field that the caller sent wins over the parts. */
function withoutThoughts(message: Fields, field: string | null): Fields {
  const parts = partsOf(message);
  const said = parts.filter((part) => !isThinking(part));
  const thoughts = parts.map(thoughtIn).join('');
  const content = said.length > 0 ? said : hasMore(message) ? null : '';
  return { ...message, content, ...(field !== null && !isSet(message[field]) && { [field]: thoughts }) };
}

const hasMore = ({ tool_calls: calls, refusal }: Fields): boolean => (Array.isArray(calls) && calls.length > 0) || isSet(refusal);

/** The change of a chat body for an upstream that takes thoughts in this place. */
export function thoughtsMoved({ messages }: Fields, place: ThoughtsPlace): Changes {
  if (place === 'parts' || !Array.isArray(messages)) return {};
  if (!messages.some(hasThoughts)) return {};
  const field = place === null ? null : place.field;
  const moved = (message: unknown): unknown => (isFields(message) && hasThoughts(message) ? withoutThoughts(message, field) : message);
  return { messages: messages.map(moved) };
}

/** The paths of thoughts that an upstream is not sent. */
export function thoughtsLeftOut({ messages }: Fields, place: ThoughtsPlace): readonly string[] {
  if (place !== null || !Array.isArray(messages) || !messages.some(hasThoughts)) return [];
  return messages.flatMap((message: unknown, at) =>
    partsOf(message).flatMap((part, index) => (isThinking(part) ? [`messages[${at}].content[${index}]`] : [])),
  );
}
