/** Refuses what an upstream outside of the OpenAI family cannot do, in the words of the caller (product: lossless or loud). */
import { GatewayError } from '../../errors.ts';
import type { Settings, Turn } from '../turn.ts';

/** Settings that the two OpenAI protocols call by different names. */
const words = {
  chat: { format: 'response_format', logprobs: 'logprobs', items: 'messages' },
  responses: { format: 'text.format', logprobs: 'top_logprobs', items: 'input' },
} as const;

export const wordOf = (turn: Turn, setting: keyof (typeof words)['chat']): string => words[turn.caller][setting];

export function refuse(param: string, reason = 'the upstream of this model has nothing like it'): never {
  throw new GatewayError('unsupported_parameter', { param, message: `'${param}' is not supported for this model: ${reason}.` });
}

/** Null, false, and whatever is empty asks for nothing. */
const asksNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === false || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0);

/** Values of extra fields that say what happens anyway. */
const usual: Readonly<Record<string, string>> = { modalities: '["text"]', function_call: '"auto"', truncation: '"disabled"' };

function refuseExtras(extras: Turn['extras']): void {
  for (const [field, value] of Object.entries(extras)) {
    if (!asksNothing(value) && JSON.stringify(value) !== usual[field]) refuse(field);
  }
}

/** What no upstream of these kinds can do: several answers at once, biased tokens, and the fields of one OpenAI protocol alone. */
export function refuseCommon(turn: Turn): void {
  if ((turn.settings.n ?? 1) > 1) refuse('n', 'its upstream gives one answer at a time');
  if (!asksNothing(turn.settings.logitBias)) refuse('logit_bias');
  refuseExtras(turn.extras);
}

/** On responses 0 is what a caller gets who asked for nothing in particular; on chat it is `logprobs: true`. */
export function wantsLogprobs(turn: Turn): boolean {
  const { topLogprobs } = turn.settings;
  return topLogprobs !== null && (topLogprobs > 0 || turn.caller === 'chat');
}

export function refuseLogprobs(turn: Turn): void {
  if (wantsLogprobs(turn)) refuse(wordOf(turn, 'logprobs'));
}

export function refusePenalties({ presencePenalty, frequencyPenalty }: Settings): void {
  if (!asksNothing(presencePenalty)) refuse('presence_penalty');
  if (!asksNothing(frequencyPenalty)) refuse('frequency_penalty');
}
