/** The list of hints: fields of both text operations that change no answer. Who writes, sorts or drops hints reads it. */
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

/** Hints that one operation alone has, or that stay in the gateway. */
export const otherHints = [
  'store',
  'stream_options',
  'client_metadata',
  'truncation',
  'include',
  'context_management',
] as const satisfies readonly AnyField[];

/** Fields that change the answer and that the turn has no place of its own for. */
export const extraFields = [
  'prediction',
  'audio',
  'web_search_options',
  'moderation',
  'max_tool_calls',
] as const satisfies readonly AnyField[];
