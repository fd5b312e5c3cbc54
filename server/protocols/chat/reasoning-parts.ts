/** Reads reasoning from the content of a chat message, and moves it to where the provider expects it. */
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import type { Changes } from '../wire/json-body.ts';

const joinText = (value: unknown): string =>
  Array.isArray(value) ? value.map(extractText).join('') : typeof value === 'string' ? value : '';

/** The text of a text part. Empty for other parts. */
export const extractText = (part: unknown): string => (isFields(part) && part.type === 'text' ? joinText(part.text) : '');

/** The reasoning of a thinking part. Empty for other parts. */
export const extractReasoning = (part: unknown): string => (isThinking(part) ? joinText(part.thinking) : '');

/** How an upstream accepts earlier reasoning: as parts, in a message field, or not at all (null). */
export type ReasoningFormat = 'parts' | { readonly field: string } | null;

const isThinking = (part: unknown): part is Fields => isFields(part) && part.type === 'thinking';

const NO_PARTS: readonly unknown[] = [];

const getContentParts = (message: unknown): readonly unknown[] =>
  isFields(message) && message.role === 'assistant' && Array.isArray(message.content) ? message.content : NO_PARTS;

const hasReasoning = (message: unknown): boolean => getContentParts(message).some(isThinking);

/** Moves thinking parts into `field`, or drops them if it's null. A value from the caller takes precedence over the parts. */
function withoutReasoning(message: Fields, field: string | null): Fields {
  const parts = getContentParts(message);
  const visibleParts = parts.filter((part) => !isThinking(part));
  const reasoning = parts.map(extractReasoning).join('');
  const content = visibleParts.length > 0 ? visibleParts : hasOtherContent(message) ? null : '';
  return { ...message, content, ...(field !== null && !isSet(message[field]) && { [field]: reasoning }) };
}

const hasOtherContent = ({ tool_calls: calls, refusal }: Fields): boolean => (Array.isArray(calls) && calls.length > 0) || isSet(refusal);

/** The changes to a chat body for an upstream that accepts reasoning in this format. */
export function moveReasoning({ messages }: Fields, format: ReasoningFormat): Changes {
  if (format === 'parts' || !Array.isArray(messages)) return {};
  if (!messages.some(hasReasoning)) return {};
  const field = format === null ? null : format.field;
  const moveMessage = (message: unknown): unknown =>
    isFields(message) && hasReasoning(message) ? withoutReasoning(message, field) : message;
  return { messages: messages.map(moveMessage) };
}

/** The paths of thinking parts that the upstream doesn't get. */
export function findDroppedReasoningParts({ messages }: Fields, format: ReasoningFormat): readonly string[] {
  if (format !== null || !Array.isArray(messages) || !messages.some(hasReasoning)) return [];
  return messages.flatMap((message: unknown, at) =>
    getContentParts(message).flatMap((part, index) => (isThinking(part) ? [`messages[${at}].content[${index}]`] : [])),
  );
}
