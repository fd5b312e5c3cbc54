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
  const { input, output, total } = classes;
  const details = toldDetails(value, names, classes);
  const isSame = details === null && value[names.input] === input && value[names.output] === output && value.total_tokens === total;
  return isSame ? value : { ...value, [names.input]: input, [names.output]: output, total_tokens: total, ...details };
}

/** The details with parts that exceeded the whole corrected; null when none did. */
function toldDetails(value: Fields, names: UsageNames, { cachedInput, reasoning }: TokenClasses): Fields | null {
  const inputs = `${names.input}_details`;
  const outputs = `${names.output}_details`;
  const isCached = isCorrected(value[inputs], 'cached_tokens', cachedInput);
  const isReasoned = isCorrected(value[outputs], 'reasoning_tokens', reasoning);
  if (!isCached && !isReasoned) return null;
  return {
    ...(isCached && { [inputs]: { ...fieldsOf(value[inputs]), cached_tokens: cachedInput } }),
    ...(isReasoned && { [outputs]: { ...fieldsOf(value[outputs]), reasoning_tokens: reasoning } }),
  };
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Whether the vendor told this part, with another count. */
const isCorrected = (details: unknown, part: string, count: number): boolean =>
  isFields(details) && typeof details[part] === 'number' && details[part] !== count;
