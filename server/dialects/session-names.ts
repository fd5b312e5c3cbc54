/** Names the session of a request, so that all its calls find the same prompt cache, and are counted together in the request log. */
import { hash } from 'node:crypto';
import { type Fields, isFields, isSet } from '../primitives/fields.ts';

/** Null if the request has none. */
export const sessionNameOf = ({ prompt_cache_key: name }: Fields): string | null => (typeof name === 'string' && name !== '' ? name : null);

/**
 * The session that a request belongs to by its body; null if to none. Callers choose names, so the account is part of it: two accounts never share one.
 * As a hash, it shows neither the name that the caller chose nor what the caller wrote.
 */
export function sessionOf(accountId: string, fields: Fields): string | null {
  const name = sessionNameOf(fields) ?? openingOf(fields);
  return name === null ? null : hash('sha256', `${accountId}\n${name}`, 'base64url');
}

/** Name of a session in the request log, long enough to distinguish the sessions of an account. */
export const shortNameOf = (session: string): string => session.slice(0, 16);

/** Characters of each part of an opening: enough to tell two conversations apart, few enough to be read with every request. */
const PART = 1_024;

/**
 * The beginning of a conversation, which each of its calls repeats: its instructions, its tools, and everything up to the first message of the user. Null
 * for a single question without tools, and for one that continues a stored response, whose beginning isn't in the request.
 */
function openingOf({ instructions, tools, messages, input, previous_response_id: previous }: Fields): string | null {
  const said: readonly unknown[] = Array.isArray(messages) ? messages : Array.isArray(input) ? input : [input];
  const offered = Array.isArray(tools) ? tools : [];
  if (isSet(previous) || (offered.length === 0 && said.length < 2)) return null;
  const first = said.findIndex((item) => !isFields(item) || item.role === 'user');
  const opening = said.slice(0, first + 1).map((item) => beginningOf(isFields(item) ? item.content : item));
  const tool = offered.length === 0 ? '' : JSON.stringify(offered[0]).slice(0, PART);
  return [beginningOf(instructions), String(offered.length), tool, ...opening].join('\n');
}

const beginningOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.slice(0, 4).map(beginningOf).join(' ')
    : String(isFields(content) ? content.text : content).slice(0, PART);
