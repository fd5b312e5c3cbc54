/** Lists hints, the fields that a model can do without, and reads them from a request. */
import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import type { ResponseRequest } from '../../../contract/responses.ts';
import { type Fields, isSet } from '../../primitives/fields.ts';

type SharedField = keyof ChatCompletionRequest & keyof ResponseRequest;

/** In writing order. The compiler checks that the contract has each hint in both operations. */
export const sharedHints = [
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'service_tier',
  'metadata',
] as const satisfies readonly SharedField[];

export type AnyField = keyof ChatCompletionRequest | keyof ResponseRequest;

/** Hints that only one operation has, or that aren't sent upstream. */
const otherHints = [
  'store',
  'stream_options',
  'client_metadata',
  'truncation',
  'include',
  'context_management',
] as const satisfies readonly AnyField[];

const hintNames = [...sharedHints, ...otherHints];

export function pickFields(body: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (isSet(body[name]) ? [[name, body[name]]] : [])));
}

export const readHints = (body: Fields): Fields => pickFields(body, hintNames);
