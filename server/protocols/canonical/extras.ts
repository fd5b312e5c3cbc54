/** Reads and writes extras: fields that change the response but have no place in a canonical request. Also finds unknown fields. */

import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { type Fields, isSet } from '../../primitives/fields.ts';
import type { CanonicalRequest } from './canonical-request.ts';
import { createUnsupportedError, hasNoEffect } from './dropped-fields.ts';
import { type AnyField, pickFields } from './hints.ts';

/** Fields that change the response but have no own field in a canonical request. */
const extraFields = ['prediction', 'audio', 'web_search_options', 'moderation', 'max_tool_calls'] as const satisfies readonly AnyField[];

/** Keeps `modalities` only if it requests audio. */
export function readExtras(body: Fields): Fields {
  const hasAudio = Array.isArray(body.modalities) && body.modalities.includes('audio');
  return { ...pickFields(body, extraFields), ...(hasAudio && { modalities: body.modalities }) };
}

const knownFields = new Set([...Object.keys(ChatCompletionRequest.shape), ...Object.keys(ResponseRequest.shape)]);

/** The names of fields that are set but that neither request schema has. */
export function readUnknownFields(body: Fields): string[] {
  return Object.keys(body).filter((name) => !knownFields.has(name) && isSet(body[name]));
}

/** By field: whether the value asks for nothing beyond the default, so that the field can be dropped for another protocol. */
const noEffectChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  modalities: (value) => Array.isArray(value) && !value.includes('audio'),
  // If the input fits, both values mean the same. If it doesn't, the upstream responds with an error.
  truncation: () => true,
};

const apiNames = { chat: 'Chat Completions', responses: 'Responses' } as const;

/** Fields with the same name in both protocols. */
const sharedFields = new Set(['moderation']);

/** The extra fields to send to this upstream. Throws for the first field that would change the response but that the protocol doesn't have. */
export function writeExtras({ caller, extras }: CanonicalRequest, protocol: CanonicalRequest['caller']): Readonly<Record<string, unknown>> {
  if (caller === protocol) return extras;
  for (const [field, value] of Object.entries(extras)) {
    if (sharedFields.has(field) || hasNoEffect(value) || noEffectChecks[field]?.(value)) continue;
    throw createUnsupportedError(
      field,
      `'${field}' is not supported: this call goes over the ${apiNames[protocol]} API, which has no equivalent.`,
    );
  }
  return Object.fromEntries(Object.entries(extras).filter(([field]) => sharedFields.has(field)));
}
