/** Whether the tokens of an answer, or of an event, add up: the total is that of input and output. */
import { type Fields, isFields } from '../../contract/rule.ts';

/** The names in chat, and those in responses and images. */
const names = [
  ['prompt_tokens', 'completion_tokens'],
  ['input_tokens', 'output_tokens'],
] as const;

/** One sentence for each total that is wrong. */
export function usageFaults(value: unknown, what: string): string[] {
  if (!isFields(value)) return [];
  return [value, value.response].flatMap((holder) => (isFields(holder) && isFields(holder.usage) ? faultsOf(holder.usage, what) : []));
}

const faultsOf = (usage: Fields, what: string): string[] =>
  names.flatMap(([input, output]) => {
    const [given, made, total] = [usage[input], usage[output], usage.total_tokens];
    if (typeof given !== 'number' || typeof made !== 'number' || total === given + made) return [];
    return [`total_tokens of ${what} is ${String(total)}, not ${given} + ${made}`];
  });
