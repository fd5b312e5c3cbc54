/** Names the session of a request, so that all its calls find the same prompt cache, and are counted together in the request log. */
import { hash } from 'node:crypto';
import { type Fields, isFields, isSet } from '../primitives/fields.ts';

/** Null if the request has no session name. */
export const findSessionName = ({ prompt_cache_key: name }: Fields): string | null =>
  typeof name === 'string' && name !== '' ? name : null;

/**
 * Identifies the session of a request from its body, or null. The hash includes the account because callers choose names, and two accounts must
 * never share a session. Hashing hides the caller's name and text.
 */
export function findSessionId(accountId: string, fields: Fields): string | null {
  const name = findSessionName(fields) ?? findOpening(fields);
  return name === null ? null : hash('sha256', `${accountId}\n${name}`, 'base64url');
}

/** A session's name in the request log, long enough to distinguish an account's sessions. */
export const shortenSession = (session: string): string => session.slice(0, 16);

/** Characters per part of an opening: with its length, enough to distinguish two conversations, and few enough to hash on every request. */
const MAX_PART_LENGTH = 256;

/**
 * The opening of a conversation, which each call repeats: instructions, tools, and everything up to the first user message. Null for a single
 * question without tools. Also null if the request continues a stored response, because the opening isn't in the request.
 */
function findOpening({ instructions, tools, messages, input, previous_response_id: previousId }: Fields): string | null {
  const messageList: readonly unknown[] = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  const toolList = Array.isArray(tools) ? tools : [];
  if (isSet(previousId) || (toolList.length === 0 && messageList.length < 2)) return null;
  const first = messageList.findIndex((item) => !isFields(item) || item.role === 'user');
  const openingTexts = messageList.slice(0, first + 1).map((item) => toOpeningText(isFields(item) ? item.content : item));
  return [toOpeningText(instructions), String(toolList.length), toOpeningText(getToolName(toolList[0])), ...openingTexts].join('\n');
}

/** Chat tools have their name in `function`. Built-in tools have only a type. */
const getToolName = (tool: unknown): unknown =>
  isFields(tool) ? (tool.name ?? (isFields(tool.function) ? tool.function.name : tool.type)) : undefined;

const toOpeningText = (content: unknown): string =>
  Array.isArray(content) ? content.slice(0, 4).map(toOpeningText).join(' ') : shorten(String(isFields(content) ? content.text : content));

const shorten = (text: string): string => `${text.length} ${text.slice(0, MAX_PART_LENGTH)}`;
