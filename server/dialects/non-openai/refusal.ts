/** Refuses what an upstream outside of the OpenAI family cannot do, in the words of the caller (docs/translation.md). */
import type { Settings, Turn } from '../turn/turn.ts';
import { asksNothing, unsupported } from '../turn/unsupported.ts';

/** Settings that the two OpenAI protocols call by different names. */
const words = {
  chat: { format: 'response_format', logprobs: 'logprobs', items: 'messages' },
  responses: { format: 'text.format', logprobs: 'top_logprobs', items: 'input' },
} as const;

export const wordOf = (turn: Turn, setting: keyof (typeof words)['chat']): string => words[turn.caller][setting];

export function refuse(param: string, reason = 'the upstream of this model has nothing like it'): never {
  throw unsupported(param, `'${param}' is not supported for this model: ${reason}.`);
}

/** What no upstream of these kinds can do: several answers at once, biased tokens, and the fields of one OpenAI protocol alone. */
export function refuseCommon(turn: Turn): void {
  if ((turn.settings.n ?? 1) > 1) refuse('n', 'its upstream gives one answer at a time');
  if (Object.keys(turn.settings.logitBias ?? {}).length > 0) refuse('logit_bias');
  for (const [field, value] of Object.entries(turn.extras)) if (!asksNothing(value)) refuse(field);
}

/** On responses 0 asks for no alternatives, so it may be dropped; on chat 0 stands for `logprobs: true`. */
export function wantsLogprobs(turn: Turn): boolean {
  const { topLogprobs } = turn.settings;
  return topLogprobs !== null && (topLogprobs > 0 || turn.caller === 'chat');
}

export function refuseLogprobs(turn: Turn): void {
  if (wantsLogprobs(turn)) refuse(wordOf(turn, 'logprobs'));
}

export function refusePenalties({ presencePenalty, frequencyPenalty }: Settings): void {
  if (presencePenalty) refuse('presence_penalty');
  if (frequencyPenalty) refuse('frequency_penalty');
}
