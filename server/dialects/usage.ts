/** What a call used, in tokens; `cached` lies within `input`, `reasoning` within `output`. */
import { isFields } from '../../contract/rule.ts';
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** A count that a lying upstream cannot spoil: no fraction, nothing negative. */
const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0);
const within = (value: unknown, field: string): number => (isFields(value) ? count(value[field]) : 0);

/** Reads the usage of a chat, responses or images answer; null where the upstream gave none. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const inputDetails = value.prompt_tokens_details ?? value.input_tokens_details;
  const outputDetails = value.completion_tokens_details ?? value.output_tokens_details;
  return {
    input: count(value.prompt_tokens ?? value.input_tokens),
    cached: within(inputDetails, 'cached_tokens'),
    output: count(value.completion_tokens ?? value.output_tokens),
    reasoning: within(outputDetails, 'reasoning_tokens'),
  };
}
