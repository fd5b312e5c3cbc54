/** Makes the usage that the caller reads in a relayed answer the one that is charged. */
import { type Fields, isFields } from '../../contract/rule.ts';
import { partition, readUsage, type TokenClasses } from './usage.ts';

/** The names of the counts in one protocol. */
export interface UsageNames {
  readonly input: string;
  readonly output: string;
}
export const chatUsageNames: UsageNames = { input: 'prompt_tokens', output: 'completion_tokens' };
export const responsesUsageNames: UsageNames = { input: 'input_tokens', output: 'output_tokens' };

/** The same object when its counts are those that are charged; else a copy with corrected counts, and all other fields as they came. */
export function toldUsage(value: Fields, names: UsageNames): Fields {
  const usage = readUsage(value);
  if (usage === null) return value;
  const classes = partition(usage);
  const counts = { [names.input]: classes.input, [names.output]: classes.output, total_tokens: classes.total };
  const details = toldDetails(value, names, classes);
  const isSame = details === null && Object.entries(counts).every(([name, count]) => value[name] === count);
  return isSame ? value : { ...value, ...counts, ...details };
}

/** The details with parts that exceeded the whole corrected; null when none did. */
function toldDetails(value: Fields, names: UsageNames, { cachedInput, reasoning }: TokenClasses): Fields | null {
  const changed = {
    ...corrected(value, `${names.input}_details`, 'cached_tokens', cachedInput),
    ...corrected(value, `${names.output}_details`, 'reasoning_tokens', reasoning),
  };
  return Object.keys(changed).length === 0 ? null : changed;
}

function corrected(value: Fields, field: string, part: string, count: number): Fields {
  const details = value[field];
  if (!isFields(details) || typeof details[part] !== 'number' || details[part] === count) return {};
  return { [field]: { ...details, [part]: count } };
}
