/** Rejects the settings that an upstream outside the OpenAI family has no equivalent for, by the caller's name of the field. */
import type { CanonicalRequest, Settings } from '../canonical/canonical-request.ts';
import { createUnsupportedError, hasNoEffect } from '../canonical/dropped-fields.ts';

/** Settings whose names differ between the two OpenAI protocols. */
const fieldNames = {
  chat: { format: 'response_format', logprobs: 'logprobs', items: 'messages' },
  responses: { format: 'text.format', logprobs: 'top_logprobs', items: 'input' },
} as const;

export const getFieldName = (turn: CanonicalRequest, setting: keyof (typeof fieldNames)['chat']): string =>
  fieldNames[turn.caller][setting];

/** `predicate` completes a sentence that starts with the field name. */
export function rejectField(param: string, predicate = "is not supported: this model's upstream has no equivalent"): never {
  throw createUnsupportedError(param, `'${param}' ${predicate}.`);
}

/** Rejects what these upstreams never support: several choices per request, logit bias, and fields of only one OpenAI protocol. */
export function rejectUnsupportedSettings(turn: CanonicalRequest): void {
  if ((turn.settings.n ?? 1) > 1) rejectField('n', 'must be 1 for this model: its upstream returns one response per request');
  if (Object.keys(turn.settings.logitBias ?? {}).length > 0) rejectField('logit_bias');
  for (const [field, value] of Object.entries(turn.extras)) if (!hasNoEffect(value)) rejectField(field);
}

/** In Responses, 0 requests no alternatives and can be dropped. In chat, 0 stands for `logprobs: true`. */
export function wantsLogprobs(turn: CanonicalRequest): boolean {
  const { topLogprobs } = turn.settings;
  return topLogprobs !== null && (topLogprobs > 0 || turn.caller === 'chat');
}

export function rejectLogprobs(turn: CanonicalRequest): void {
  if (wantsLogprobs(turn)) rejectField(getFieldName(turn, 'logprobs'));
}

export function rejectPenalties({ presencePenalty, frequencyPenalty }: Settings): void {
  if (presencePenalty) rejectField('presence_penalty');
  if (frequencyPenalty) rejectField('frequency_penalty');
}
