/** Converts the IDs of tool calls between providers, which limit their length and characters. */

import { type Fields, isFields } from '../../primitives/fields.ts';
import type { Changes } from '../wire/json-body.ts';
import { mapList, withValues } from '../wire/with-values.ts';
import { shortenWithHash, toShortHash } from './short-hash.ts';

const invalidCharacters = /[^A-Za-z0-9_-]/g;

/** Keeps the ID if the provider accepts it. IDs from other upstreams can be too long or contain rejected characters. The result is deterministic. */
export function toPlainCallId(id: string, maxLength = Number.POSITIVE_INFINITY): string {
  const cleanId = id.replace(invalidCharacters, '_');
  return cleanId === id && id.length <= maxLength ? id : shortenWithHash(cleanId, id, maxLength);
}

/** Azure and older versions of OpenAI's API reject IDs longer than 40 characters; newer versions accept 64. */
export const MAX_CHAT_CALL_ID = 40;

export const MAX_RESPONSES_CALL_ID = 64;

/** Deterministic, so that calls and results still match. */
export const shortenCallId = (id: string, maxLength: number): string => (id.length <= maxLength ? id : shortenWithHash(id, id, maxLength));

const isTooLongId = (id: unknown, maxLength: number): id is string => typeof id === 'string' && id.length > maxLength;

/** Matches Mistral models by name, including those at other providers. */
const mistralModelPattern = /(?:mi[sx]tr|ministr|magistr|codestr|devstr|pixtr)al/i;

/** Mistral accepts only IDs of exactly nine letters and digits. */
export const toMistralCallId = (id: string): string => (/^[A-Za-z0-9]{9}$/.test(id) ? id : `m${toShortHash(id)}`);

/** The changes to a chat body for a Mistral model. */
export const createMistralIdChanges = (body: Fields): Changes =>
  mistralModelPattern.test(String(body.model)) ? changeMessageIds(body, toMistralCallId) : {};

/** The changes to a forwarded chat body. */
export const shortenMessageIds = (body: Fields): Changes => changeMessageIds(body, (id) => shortenCallId(id, MAX_CHAT_CALL_ID));

function changeMessageIds({ messages }: Fields, convertId: (id: string) => string): Changes {
  if (!Array.isArray(messages)) return {};
  const newMessages = mapList(messages, (message) => (isFields(message) ? changeIds(message, convertId) : message));
  return newMessages === messages ? {} : { messages: newMessages };
}

function changeIds(message: Fields, convertId: (id: string) => string): Fields {
  const { tool_call_id: id, tool_calls: calls } = message;
  return withValues(message, {
    ...(typeof id === 'string' && { tool_call_id: convertId(id) }),
    ...(Array.isArray(calls) && {
      tool_calls: mapList(calls, (call) =>
        isFields(call) && typeof call.id === 'string' ? withValues(call, { id: convertId(call.id) }) : call,
      ),
    }),
  });
}

/** Shortens call IDs that are too long for Responses upstreams. Returns only the changed fields. */
export function shortenItemCallIds({ input }: Fields): Changes {
  if (!Array.isArray(input)) return {};
  const hasLongIds = input.some((item) => isFields(item) && isTooLongId(item.call_id, MAX_RESPONSES_CALL_ID));
  if (!hasLongIds) return {};
  return {
    input: input.map((item) =>
      isFields(item) && isTooLongId(item.call_id, MAX_RESPONSES_CALL_ID)
        ? { ...item, call_id: shortenCallId(item.call_id, MAX_RESPONSES_CALL_ID) }
        : item,
    ),
  };
}

const CALL_ID_PREFIX = 'call_';

const neutralPrefix = /^call[_-]/;

/** Prefixes that would reveal the provider. */
const providerPrefix = /^(?:toolu|tooluse|fc|ctc)_/;

/** Deterministic, so that streamed and non-streamed responses agree. An empty ID stays empty. */
export function toCallId(id: string): string {
  return id === '' || neutralPrefix.test(id) ? id : CALL_ID_PREFIX + id.replace(providerPrefix, '');
}
