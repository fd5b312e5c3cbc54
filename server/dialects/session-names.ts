/** Names the session of a request, so that all its calls find the same prompt cache. */
import { hash } from 'node:crypto';
import { type Fields, isFields, isSet } from '../../contract/rule.ts';

/** Null when the request has none. */
export const sessionNameOf = ({ prompt_cache_key: name }: Fields): string | null => (typeof name === 'string' && name !== '' ? name : null);

/** Characters of each part that name a conversation: enough to tell two apart, few enough to be read with every request. */
const OPENING = 1_024;

/**
 * Names a conversation by its beginning, which each of its calls repeats: its instructions, its tools, and everything up to the first message of the user. Null
 * for a single question without tools, and for one that continues a stored response, whose beginning is not in the request.
 */
export function conversationNameOf({ instructions, tools, messages, input, previous_response_id: previous }: Fields): string | null {
  const said: readonly unknown[] = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  const offered = Array.isArray(tools) ? tools : [];
  if (isSet(previous) || (offered.length === 0 && said.length < 2)) return null;
  const first = said.findIndex((item) => !isFields(item) || item.role === 'user');
  const opening = said.slice(0, first + 1).map((item) => beginningOf(isFields(item) ? item.content : item));
  const parts = [beginningOf(instructions), String(offered.length), JSON.stringify(offered[0] ?? null).slice(0, OPENING), ...opening];
  return hash('sha256', parts.join('\n'), 'base64url');
}

/** Enough to tell the sessions of an account apart. */
const SHORT = 16;

/** What the request log calls a session. Nobody reads in it what the caller named the session, or wrote. */
export const shortNameOf = (session: string): string => hash('sha256', session, 'base64url').slice(0, SHORT);

const beginningOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.slice(0, 4).map(beginningOf).join(' ')
    : String(isFields(content) ? content.text : content).slice(0, OPENING);
