/** The list of hints: fields of the text operations that change no answer. All code that writes, sorts or drops hints uses it. */
import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import type { ResponseRequest } from '../../../contract/responses.ts';

type SharedField = keyof ChatCompletionRequest & keyof ResponseRequest;

/** In the order in which they are written. The compiler checks that the contract has each of them in both operations. */
export const sharedHints = [
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'service_tier',
  'metadata',
] as const satisfies readonly SharedField[];

type AnyField = keyof ChatCompletionRequest | keyof ResponseRequest;

/** Hints that only one operation has, or that are not sent upstream. */
export const otherHints = [
  'store',
  'stream_options',
  'client_metadata',
  'truncation',
  'include',
  'context_management',
] as const satisfies readonly AnyField[];

/** Fields that change the answer and have no field of their own in a turn. */
export const extraFields = [
  'prediction',
  'audio',
  'web_search_options',
  'moderation',
  'max_tool_calls',
] as const satisfies readonly AnyField[];
