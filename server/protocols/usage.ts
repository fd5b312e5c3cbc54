/** Reads the token usage of a call, and partitions it into classes that add up exactly and have separate prices. */
import { type Fields, isFields, toFields } from '../primitives/fields.ts';
import { DEFAULT_SERVICE_TIER } from './service-tier.ts';

/** Usage as the upstream reported it. Parts can exceed their total (see `partitionUsage`). An omitted class wasn't used. */
export interface Usage {
  readonly input: number;
  /** Part of the input: tokens read from a cache. */
  readonly cached: number;
  /** Part of the input, separate from `cached`: tokens written to a cache. */
  readonly cacheWrite?: number;
  /** Parts of `cacheWrite`: tokens cached for 1 hour or 12 hours. */
  readonly cacheWrite1h?: number;
  readonly cacheWrite12h?: number;
  /** Part of the input: image tokens. Set only if the upstream counts them separately. */
  readonly imageInput?: number;
  /** Part of the input: audio tokens. Set only if the upstream counts them separately. */
  readonly audioInput?: number;
  readonly output: number;
  /** Part of the output. */
  readonly reasoning: number;
  /** Part of the output: image tokens. */
  readonly imageOutput?: number;
  /** Part of the output: audio tokens. */
  readonly audioOutput?: number;
  /** The service tier that processed the request, `default` for the standard tier. Omitted if the upstream doesn't report it. */
  readonly serviceTier?: string;
}

/** Far more than any call can use, so a higher count is wrong. Sums of counts below it are exact. */
const MAX_TOKENS = 1e12;

/** Reads a token count. Returns 0 for anything except a positive integer within the bound. */
export const readCount = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_TOKENS ? value : 0;

const isCount = (value: unknown): boolean => value === 0 || readCount(value) > 0;

const readNestedCount = (value: unknown, field: string): number => (isFields(value) ? readCount(value[field]) : 0);

/** Tokens written to a cache with a longer retention, which costs more. */
type LongCacheWrite = 'cacheWrite1h' | 'cacheWrite12h';

/** Image and audio tokens, which some models bill separately from text. */
type MediaClass = 'imageInput' | 'audioInput' | 'imageOutput' | 'audioOutput';

/** To spread: a token class that some upstreams don't have. The field is omitted if the count is 0. */
export const toOptionalCount = <Name extends 'cacheWrite' | LongCacheWrite | MediaClass>(
  name: Name,
  count: number,
): false | { readonly [Key in Name]?: number } =>
  // TypeScript widens a computed key to `string`.
  count > 0 && ({ [name]: count } as { [Key in Name]?: number });

/** The service tier of a request or response. `auto` leaves the choice to the provider. */
export function readServiceTier({ service_tier: tier }: Fields): Pick<Usage, 'serviceTier'> {
  if (typeof tier !== 'string' || tier === '' || tier === 'auto') return {};
  return { serviceTier: tier.startsWith('standard') ? DEFAULT_SERVICE_TIER : tier.slice(0, 64) };
}

/**
 * Reads the usage of a chat, Responses, or images response. Null if the upstream reported none. Moonshot and DeepSeek use their own names for
 * cached tokens. `serviceTier` is a field of the response.
 */
export function readUsage(value: unknown, serviceTier?: unknown): Usage | null {
  if (!isFields(value)) return null;
  const inputDetails = value.prompt_tokens_details ?? value.input_tokens_details;
  const outputDetails = value.completion_tokens_details ?? value.output_tokens_details;
  const { input, output } = countInputAndOutput(value, inputDetails);
  return {
    input,
    cached: readNestedCount(inputDetails, 'cached_tokens') || readCount(value.cached_tokens) || readCount(value.prompt_cache_hit_tokens),
    ...toOptionalCount('cacheWrite', readNestedCount(inputDetails, 'cache_write_tokens')),
    ...toOptionalCount(
      'cacheWrite12h',
      isFields(inputDetails) ? readNestedCount(inputDetails.cache_write_tokens_details, 'ttl_12h_tokens') : 0,
    ),
    ...toOptionalCount('imageInput', readNestedCount(inputDetails, 'image_tokens')),
    ...toOptionalCount('audioInput', readNestedCount(inputDetails, 'audio_tokens')),
    output,
    reasoning: readNestedCount(outputDetails, 'reasoning_tokens'),
    ...toOptionalCount('imageOutput', readNestedCount(outputDetails, 'image_tokens')),
    ...toOptionalCount('audioOutput', readNestedCount(outputDetails, 'audio_tokens')),
    ...readServiceTier({ service_tier: serviceTier }),
  };
}

/** Moonshot sends a stream's usage inside the last choice. This moves it to the top level. */
export function withTopLevelUsage(response: Fields): Fields {
  if (isFields(response.usage) || !Array.isArray(response.choices)) return response;
  const choiceWithUsage = response.choices.find((choice) => isFields(choice) && isFields(choice.usage));
  if (!isFields(choiceWithUsage)) return response;
  const { usage, ...rest } = choiceWithUsage;
  return { ...response, choices: response.choices.map((choice) => (choice === choiceWithUsage ? rest : choice)), usage };
}

/**
 * Some providers exclude reasoning from the output count, or audio and cached tokens from the input count. Only their total includes everything.
 * The excess of the total goes to the input as far as the input's parts justify it, and to the output otherwise.
 */
function countInputAndOutput(value: Fields, inputDetails: unknown): Pick<Usage, 'input' | 'output'> {
  const counts = { input: value.prompt_tokens ?? value.input_tokens, output: value.completion_tokens ?? value.output_tokens };
  const input = readCount(counts.input);
  const output = readCount(counts.output);
  // A total is meaningless if its counts aren't numbers.
  const uncountedTokens = isCount(counts.input) && isCount(counts.output) ? Math.max(0, readCount(value.total_tokens) - input - output) : 0;
  const extraCached = countExtraCached(input, inputDetails);
  if (extraCached > 0)
    return { input: input + extraCached, output: output + uncountedTokens - (uncountedTokens >= extraCached ? extraCached : 0) };
  if (uncountedTokens === 0) return { input, output };
  const inputParts = readNestedCount(inputDetails, 'cached_tokens') + readNestedCount(inputDetails, 'audio_tokens');
  const isAudio = isFields(value) && readCount(value.prompt_audio_seconds) > 0;
  const uncountedInput = isAudio ? uncountedTokens : Math.min(uncountedTokens, Math.max(0, inputParts - input));
  return { input: input + uncountedInput, output: output + uncountedTokens - uncountedInput };
}

/** Grok on Azure excludes cached tokens from the input. It reports the full input as text, but more cached tokens than that. */
function countExtraCached(input: number, details: unknown): number {
  const cached = readNestedCount(details, 'cached_tokens');
  return cached > input && input > 0 && readNestedCount(details, 'text_tokens') === input ? cached : 0;
}

/** Token classes of a usage. Input classes add up to `input` and output classes to `output`; `total` is their sum. */
interface TokenClasses {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  /** Parts of `cacheWrite`. */
  readonly cacheWrite1h: number;
  readonly cacheWrite12h: number;
  readonly imageInput: number;
  /** All other input. */
  readonly uncachedInput: number;
  /** Part of `uncachedInput`. */
  readonly audioInput: number;
  readonly output: number;
  readonly reasoning: number;
  readonly imageOutput: number;
  /** Part of `visibleOutput`. */
  readonly audioOutput: number;
  /** All other output. */
  readonly visibleOutput: number;
  readonly total: number;
}

/** Limits the parts, in order, so that they don't exceed their total. A cached image counts as cached. */
export function partitionUsage(usage: Usage): TokenClasses {
  const input = readCount(usage.input);
  const cachedInput = Math.min(readCount(usage.cached), input);
  const cacheWrite = Math.min(readCount(usage.cacheWrite), input - cachedInput);
  const cacheWrite1h = Math.min(readCount(usage.cacheWrite1h), cacheWrite);
  const cacheWrite12h = Math.min(readCount(usage.cacheWrite12h), cacheWrite - cacheWrite1h);
  const imageInput = Math.min(readCount(usage.imageInput), input - cachedInput - cacheWrite);
  const output = readCount(usage.output);
  const reasoning = Math.min(readCount(usage.reasoning), output);
  const imageOutput = Math.min(readCount(usage.imageOutput), output - reasoning);
  const [uncachedInput, visibleOutput] = [input - cachedInput - cacheWrite - imageInput, output - reasoning - imageOutput];
  return {
    input,
    cachedInput,
    cacheWrite,
    cacheWrite1h,
    cacheWrite12h,
    imageInput,
    uncachedInput,
    audioInput: Math.min(readCount(usage.audioInput), uncachedInput),
    output,
    reasoning,
    imageOutput,
    audioOutput: Math.min(readCount(usage.audioOutput), visibleOutput),
    visibleOutput,
    total: input + output,
  };
}

/** The tokens as billed. Input and output include images and audio, and the standard tier is omitted. */
export function getBilledTokens(usage: Usage) {
  const classes = partitionUsage(usage);
  return {
    input: classes.uncachedInput + classes.imageInput,
    cachedInput: classes.cachedInput,
    cacheWrite: classes.cacheWrite,
    ...toOptionalCount('cacheWrite1h', classes.cacheWrite1h),
    ...toOptionalCount('cacheWrite12h', classes.cacheWrite12h),
    ...toOptionalCount('imageInput', classes.imageInput),
    ...toOptionalCount('audioInput', classes.audioInput),
    output: classes.output,
    reasoning: classes.reasoning,
    ...toOptionalCount('imageOutput', classes.imageOutput),
    ...toOptionalCount('audioOutput', classes.audioOutput),
    ...(usage.serviceTier !== undefined && usage.serviceTier !== DEFAULT_SERVICE_TIER && { serviceTier: usage.serviceTier }),
  };
}

/** Writes `cache_write_tokens` only if it isn't 0, because some clients don't expect the field. */
export const writeCacheWrite = ({ cacheWrite }: TokenClasses): { readonly cache_write_tokens?: number } =>
  cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {};

/** The names of the counts in one protocol. */
interface UsageNames {
  readonly input: string;
  readonly output: string;
}
export const chatUsageNames: UsageNames = { input: 'prompt_tokens', output: 'completion_tokens' };
export const responsesUsageNames: UsageNames = { input: 'input_tokens', output: 'output_tokens' };

/** Returns the same object if its counts match the billed ones. Otherwise returns a copy with corrected counts and all other fields unchanged. */
export function correctUsage(value: Fields, names: UsageNames): Fields {
  const usage = readUsage(value);
  if (usage === null) return value;
  const classes = partitionUsage(usage);
  const { input, output, total } = classes;
  const details = correctDetails(value, names, classes);
  const isSame = details === null && value[names.input] === input && value[names.output] === output && value.total_tokens === total;
  return isSame ? value : { ...value, [names.input]: input, [names.output]: output, total_tokens: total, ...details };
}

/** The details whose counts differ from the billed ones, corrected. Null if none differ. */
function correctDetails(value: Fields, names: UsageNames, { cachedInput, reasoning }: TokenClasses): Fields | null {
  const inputField = `${names.input}_details`;
  const outputField = `${names.output}_details`;
  const hasWrongCached = hasWrongCount(value[inputField], 'cached_tokens', cachedInput);
  const hasWrongReasoning = hasWrongCount(value[outputField], 'reasoning_tokens', reasoning);
  if (!hasWrongCached && !hasWrongReasoning) return null;
  return {
    ...(hasWrongCached && { [inputField]: { ...toFields(value[inputField]), cached_tokens: cachedInput } }),
    ...(hasWrongReasoning && { [outputField]: { ...toFields(value[outputField]), reasoning_tokens: reasoning } }),
  };
}

/** True if the details report a different count for this part. */
const hasWrongCount = (details: unknown, part: string, count: number): boolean => {
  const reportedCount = isFields(details) ? details[part] : undefined;
  return (typeof reportedCount === 'number' ? reportedCount : 0) !== count;
};
