/** Sorts the top-level fields of a caller's body into hints, extras and names that no text operation knows. */
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { type Fields, isSet } from '../../../contract/rule.ts';
import { extraFields, otherHints, sharedHints } from '../turn/hints.ts';

const hintNames = [...sharedHints, ...otherHints];

function pick(body: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (isSet(body[name]) ? [[name, body[name]]] : [])));
}

export const readHints = (body: Fields): Fields => pick(body, hintNames);

/** `modalities` counts only when it asks for audio. */
export function readExtras(body: Fields): Fields {
  const hasAudio = Array.isArray(body.modalities) && body.modalities.includes('audio');
  return { ...pick(body, extraFields), ...(hasAudio && { modalities: body.modalities }) };
}

const known = new Set([...Object.keys(ChatCompletionRequest.shape), ...Object.keys(ResponseRequest.shape)]);

/** Names of fields that are set and that neither request schema has. */
export function readUnknown(body: Fields): string[] {
  return Object.keys(body).filter((name) => !known.has(name) && isSet(body[name]));
}
